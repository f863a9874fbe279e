import stringWidth from "string-width";

/** Rows of cells in columns as wide as their widest cell on a terminal; the last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, textWidth(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, i) => padEnd(cell, i + 1 < row.length ? widths[i]! : 0))
      .join("  ")
      .trimEnd(),
  );
}

function padEnd(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - textWidth(cell)));
}

/** Columns a text takes on a terminal; nearly all text is plain ASCII, which needs no tables. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}
