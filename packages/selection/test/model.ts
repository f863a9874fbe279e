/** Every coordinate of a dense array, in row-major order. */
export function cells(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (prefixes, size) => prefixes.flatMap((prefix) => Array.from({ length: size }, (_, i) => [...prefix, i])),
    [[]],
  );
}

/** Row-major offset of a coordinate. */
export function offsetIn(shape: readonly number[], at: readonly number[]): number {
  return at.reduce((offset, x, i) => offset * shape[i]! + x, 0);
}
