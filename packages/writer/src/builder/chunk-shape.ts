/** Bytes that a chunk chosen here comes close to: few requests for much data, and little read in vain for little. */
const WANTED = 256 * 1024;
/** What an axis without elements yet is taken for. */
const UNKNOWN = 1024;

/**
 * Chooses a chunk shape: that of the dataset, halved along one axis after the other until a chunk is small enough.
 *
 * @param maxShape - `Infinity` where an axis has no limit
 */
export function guessChunkShape(shape: readonly number[], maxShape: readonly number[], elementSize: number): number[] {
  const chunk = shape.map((size, d) => Math.max(1, size === 0 ? Math.min(UNKNOWN, maxShape[d]!) : size));
  const bytes = (): number => chunk.reduce((product, size) => product * size, elementSize);
  for (let axis = 0; bytes() > WANTED && chunk.some((size) => size > 1); axis = (axis + 1) % chunk.length) {
    chunk[axis] = Math.ceil(chunk[axis]! / 2);
  }
  return chunk;
}
