import { InvalidFieldError } from "@h5/framing";

/** The pieces of a source's name between which the number of the block stands; one where it has no number. */
export type SourceName = readonly string[];

/**
 * Takes the name of a source file or dataset apart: `%b` stands for the number of a block, `%%` for `%` (H5Dvirtual.c,
 * `H5D_virtual_parse_source_name`).
 *
 * @throws InvalidFieldError for any other `%`
 */
export function parseSourceName(name: string): SourceName {
  const pieces = [""];
  for (const part of name.split(/(%.?)/s)) {
    if (part === "%b") pieces.push("");
    else if (part.startsWith("%") && part !== "%%") {
      throw new InvalidFieldError(`${JSON.stringify(name)} has ${JSON.stringify(part)}, expected %b or %%`, {
        structure: "virtual dataset mappings",
      });
    } else pieces[pieces.length - 1] += part === "%%" ? "%" : part;
  }
  return pieces;
}

/** The name for a block. */
export function sourceName(name: SourceName, block: number): string {
  return name.join(String(block));
}
