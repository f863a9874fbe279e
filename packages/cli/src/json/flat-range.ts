import { type Sel, slice } from "@h5/selection";

/** A selection of elements that are consecutive in row-major order. */
export interface FlatSelection {
  /** `null` for the one element of a scalar: an empty selection would take it out of its array. */
  readonly selection: readonly Sel[] | null;
  readonly count: number;
}

/** The selections that together take elements `[start, start + count)` of a row-major array, in order. */
export function flatSelections(shape: readonly number[], start: number, count: number): FlatSelection[] {
  const selections: FlatSelection[] = [];
  cut(shape, start, start + count, [], selections);
  return selections;
}

function cut(shape: readonly number[], start: number, end: number, outer: readonly Sel[], into: FlatSelection[]): void {
  const [length, ...inner] = shape;
  if (length === undefined) {
    into.push({ selection: outer.length === 0 ? null : outer, count: end - start });
    return;
  }
  const row = inner.reduce((product, size) => product * size, 1);
  let at = start;
  while (at < end) {
    const index = Math.floor(at / row);
    const offset = at - index * row;
    const rows = Math.floor((end - at) / row);
    if (offset === 0 && rows > 0) {
      const everything = inner.map((): Sel => null);
      into.push({ selection: [...outer, slice(index, index + rows), ...everything], count: rows * row });
      at += rows * row;
    } else {
      const stop = Math.min(row, offset + end - at);
      cut(inner, offset, stop, [...outer, slice(index, index + 1)], into);
      at += stop - offset;
    }
  }
}
