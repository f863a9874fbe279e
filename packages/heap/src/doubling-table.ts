import { InvalidFieldError, log2Floor } from "@h5/framing";

/** What fixes the geometry of a fractal heap's managed space (spec III.G, "Doubling Table"). */
export interface DoublingTableParameters {
  /** Blocks in each row; a power of two. */
  readonly width: number;
  /** Bytes of a block in the first two rows; a power of two. Each later row's blocks are twice the size. */
  readonly startBlockSize: number;
  /** Bytes of the largest direct block; a power of two. Larger blocks are indirect ones. */
  readonly maxDirectSize: number;
  /** The heap's space is 2^maxHeapBits bytes. */
  readonly maxHeapBits: number;
}

/** A doubling table with what follows from its parameters. */
export interface DoublingTable extends DoublingTableParameters {
  /** Log2 of the bytes of the first row. */
  readonly firstRowBits: number;
  /** Rows of direct blocks; the rows after them are of indirect blocks. */
  readonly directRows: number;
  /** Most rows of the root. */
  readonly maxRows: number;
}

/**
 * Checks the parameters and completes them (H5HFdtable.c `H5HF__dtable_init`).
 *
 * @throws InvalidFieldError where they are no powers of two or do not fit each other
 */
export function doublingTable(parameters: DoublingTableParameters, address?: number): DoublingTable {
  const { width, startBlockSize, maxDirectSize, maxHeapBits } = parameters;
  const powers = [width, startBlockSize, maxDirectSize].every(isPowerOfTwo);
  const firstRowBits = powers ? log2Floor(startBlockSize) + log2Floor(width) : Infinity;
  if (maxDirectSize < startBlockSize || maxHeapBits > 64 || maxHeapBits < firstRowBits) {
    const { width: w, startBlockSize: s, maxDirectSize: m, maxHeapBits: b } = parameters;
    throw new InvalidFieldError(`no doubling table of width ${w}, blocks of ${s} to ${m} bytes, 2^${b} bytes`, {
      structure: "fractal heap header",
      address,
    });
  }
  return {
    width,
    startBlockSize,
    maxDirectSize,
    maxHeapBits,
    firstRowBits,
    directRows: log2Floor(maxDirectSize) - log2Floor(startBlockSize) + 2,
    maxRows: maxHeapBits - firstRowBits + 1,
  };
}

function isPowerOfTwo(value: number): boolean {
  return value >= 1 && 2 ** log2Floor(value) === value;
}

/** Bytes of a block in a row. */
export function rowBlockSize({ startBlockSize }: DoublingTableParameters, row: number): number {
  return row === 0 ? startBlockSize : startBlockSize * 2 ** (row - 1);
}

/** Offset of a block, from the start of the indirect block that the row is in. */
export function blockOffset(table: DoublingTableParameters, row: number, column: number): number {
  const size = rowBlockSize(table, row);
  return (row === 0 ? 0 : size * table.width) + column * size;
}

/** The block that holds the byte at `offset`, counted from the start of the indirect block. */
export function blockAt(table: DoublingTable, offset: number): { readonly row: number; readonly column: number } {
  const firstRow = 2 ** table.firstRowBits;
  const row = offset < firstRow ? 0 : log2Floor(offset) - table.firstRowBits + 1;
  const blocks = Math.floor(offset / rowBlockSize(table, row));
  // The rows above one hold as much as it does.
  return { row, column: row === 0 ? blocks : blocks - table.width };
}

/** Rows of the indirect block that a block of `row` is; fewer than `row` itself. */
export function indirectRows(table: DoublingTable, row: number): number {
  return log2Floor(rowBlockSize(table, row)) - table.firstRowBits + 1;
}
