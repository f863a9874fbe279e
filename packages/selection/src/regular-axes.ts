import { optimizeRegular } from "./hyperslab.ts";
import type { Selection } from "./selection.ts";
import type { Axis } from "./slice.ts";

/**
 * A selection of an array of `shape` as evenly spaced positions along each dimension, where it is the product of such:
 * then its elements in HDF5's order are those of the product, row-major. `undefined` for any other, and for nothing.
 */
export function regularAxes(selection: Selection, shape: readonly number[]): Axis[] | undefined {
  if (selection.type === "all") return shape.map((count) => ({ start: 0, step: 1, count }));
  if (selection.type !== "hyperslab") return undefined;
  if (selection.form === "blocks") {
    const [only, ...others] = selection.blocks;
    if (only === undefined || others.length > 0) return undefined;
    return only.start.map((start, axis) => ({ start, step: 1, count: only.end[axis]! - start + 1 }));
  }
  const { start, stride, count, block } = optimizeRegular(selection);
  if (start.some((_, axis) => count[axis] !== 1 && block[axis] !== 1)) return undefined;
  return start.map((first, axis) =>
    count[axis] === 1
      ? { start: first, step: 1, count: block[axis]! }
      : { start: first, step: stride[axis]!, count: count[axis]! },
  );
}
