import { InvalidArgumentError } from "@h5/framing";
import { checkSelection } from "./check-selection.ts";
import { lastOf } from "./hyperslab.ts";
import { type HyperslabBlock, isRegular, rankOf, type Selection } from "./selection.ts";

/**
 * Checks that a selection makes sense (see {@link checkSelection}), has the rank of `shape`, and lies within it;
 * unlimited counts and blocks end with the shape, wherever that is.
 *
 * @throws InvalidArgumentError
 */
export function checkExtent(selection: Selection, shape: readonly number[]): void {
  checkSelection(selection);
  checkShape(selection, shape);
  const { end } = hull(selection, shape) ?? { end: [] };
  end.forEach((last, axis) => {
    if (last < shape[axis]! || last === Infinity) return;
    throw new InvalidArgumentError(`element ${last} is outside dimension ${axis} of size ${shape[axis]}`, {
      structure: "selection",
    });
  });
}

/** Throws unless `shape` has the rank of the selection, and sizes that are whole and exact. */
export function checkShape(selection: Selection, shape: readonly number[]): void {
  const refuse = (message: string): never => {
    throw new InvalidArgumentError(message, { structure: "selection" });
  };
  const rank = rankOf(selection) ?? shape.length;
  if (rank !== shape.length) refuse(`expected a selection of rank ${shape.length}, got ${rank}`);
  shape.forEach((size, axis) => {
    if (Number.isSafeInteger(size) && size >= 0) return;
    refuse(`expected a whole size up to 2^53-1 of dimension ${axis}, got ${size}`);
  });
}

/**
 * The smallest block that holds every selected element of an array of `shape`, unlimited counts and blocks ending with
 * it; `undefined` where nothing is selected.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`
 */
export function selectionBounds(selection: Selection, shape: readonly number[]): HyperslabBlock | undefined {
  checkExtent(selection, shape);
  const box = hull(selection, shape);
  if (!box) return undefined;
  const end = box.end.map((last, axis) => (last === Infinity ? lastWithin(selection, axis, shape[axis]!) : last));
  return end.every((last, axis) => last >= box.start[axis]!) ? { start: box.start, end } : undefined;
}

/** As {@link selectionBounds}, `Infinity` in the end of an unlimited dimension. */
function hull(selection: Selection, shape: readonly number[]): HyperslabBlock | undefined {
  if (selection.type === "none") return undefined;
  if (selection.type === "points") return hullOf(selection.points, selection.points);
  if (selection.type === "all") {
    return shape.includes(0) ? undefined : { start: shape.map(() => 0), end: shape.map((size) => size - 1) };
  }
  if (selection.form === "blocks") {
    const { blocks } = selection;
    return hullOf(
      blocks.map((block) => block.start),
      blocks.map((block) => block.end),
    );
  }
  if (selection.count.includes(0) || selection.block.includes(0)) return undefined;
  return { start: selection.start, end: selection.start.map((_, axis) => lastOf(selection, axis)) };
}

function hullOf(starts: readonly (readonly number[])[], ends: readonly (readonly number[])[]): HyperslabBlock {
  const start = starts[0]!.slice();
  const end = ends[0]!.slice();
  for (const x of starts)
    for (let axis = 0; axis < start.length; axis++) start[axis] = Math.min(start[axis]!, x[axis]!);
  for (const x of ends) for (let axis = 0; axis < end.length; axis++) end[axis] = Math.max(end[axis]!, x[axis]!);
  return { start, end };
}

/** Last element of an unlimited dimension within `size`, below its start where there is none. */
function lastWithin(selection: Selection, axis: number, size: number): number {
  if (!isRegular(selection) || selection.block[axis] === Infinity) return size - 1;
  const start = selection.start[axis]!;
  if (start >= size) return -1;
  const step = selection.stride[axis]!;
  return Math.min(size - 1, start + Math.floor((size - 1 - start) / step) * step + selection.block[axis]! - 1);
}
