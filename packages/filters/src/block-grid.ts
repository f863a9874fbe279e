/** An array that is stored as blocks of one shape, those at its ends filled up. The first dimension varies fastest. */
export interface BlockGrid {
  readonly shape: readonly number[];
  readonly blockShape: readonly number[];
  /** Blocks along each dimension. */
  readonly counts: readonly number[];
  /** Bytes of an element. */
  readonly size: number;
}

/** How many blocks there are. */
export function blocksOf({ counts }: BlockGrid): number {
  return counts.reduce((product, count) => product * count, 1);
}

/** The grid of blocks of `blockShape` that an array takes up. */
export function blockGrid(shape: readonly number[], blockShape: readonly number[], size: number): BlockGrid {
  return { shape, blockShape, counts: shape.map((length, i) => Math.ceil(length / blockShape[i]!)), size };
}

/** Puts the part of a block that is within the array where it belongs in `output`. */
export function putBlock(block: Uint8Array, index: number, grid: BlockGrid, output: Uint8Array): void {
  const { shape, blockShape, counts, size } = grid;
  const copyAlong = (dim: number, from: number, to: number, rest: number): void => {
    const outer = bytesUpTo(dim, counts, 1);
    const start = blockShape[dim]! * Math.floor(rest / outer);
    const length = Math.min(blockShape[dim]!, shape[dim]! - start);
    if (dim === 0) {
      output.set(block.subarray(from, from + length * size), to + start * size);
      return;
    }
    const [fromStep, toStep] = [bytesUpTo(dim, blockShape, size), bytesUpTo(dim, shape, size)];
    for (let i = 0; i < length; i++) copyAlong(dim - 1, from + i * fromStep, to + (start + i) * toStep, rest % outer);
  };
  copyAlong(shape.length - 1, 0, 0, index);
}

function bytesUpTo(dim: number, lengths: readonly number[], size: number): number {
  let bytes = size;
  for (let i = 0; i < dim; i++) bytes *= lengths[i]!;
  return bytes;
}
