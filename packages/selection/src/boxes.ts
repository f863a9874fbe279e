import { defaultLimits, InvalidArgumentError } from "@h5/framing";
import { checkSelection } from "./check-selection.ts";
import { checkExtent, checkShape } from "./extent.ts";
import { blocksOf, type SelectionLimits, selectedSpans, spansOf } from "./selected-spans.ts";
import { isRegular, type Selection } from "./selection.ts";
import type { Spans } from "./spans.ts";

/** A dense part of an array: its first coordinate and its shape. */
export interface SelectedBox {
  readonly start: readonly number[];
  readonly count: readonly number[];
}

/**
 * Decomposes a selection into boxes that do not overlap, in ascending order; points give one of a single element each,
 * in their order. They are not clipped to `shape`, of which only the rank matters except to `all`.
 *
 * @throws InvalidArgumentError where the selection makes no sense, has another rank than `shape`, or is unlimited
 * @throws LimitExceededError where there are more than `limits.selectionBlocks` boxes
 */
export function boxesOf(selection: Selection, shape: readonly number[], options: SelectionLimits = {}): SelectedBox[] {
  checkSelection(selection);
  checkShape(selection, shape);
  if (selection.type === "points") return selection.points.map((start) => ({ start, count: start.map(() => 1) }));
  if (isUnlimited(selection)) {
    throw new InvalidArgumentError("unlimited: clip it first", { structure: "selection" });
  }
  // The single element of an array without dimensions.
  if (shape.length === 0) return selection.type === "all" ? [{ start: [], count: [] }] : [];
  const limits = options.limits ?? defaultLimits;
  return blocksOf(selectedSpans(selection, shape, limits), limits).map(({ start, end }) => ({
    start,
    count: start.map((first, axis) => end[axis]! - first + 1),
  }));
}

/** Whether a count or block of a selection is unlimited. */
export function isUnlimited(selection: Selection): boolean {
  return isRegular(selection) && (selection.count.includes(Infinity) || selection.block.includes(Infinity));
}

/**
 * Elements a selection takes from an array of `shape`: duplicate points count, overlapping blocks do not count twice,
 * unlimited counts and blocks end with the shape.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`
 * @throws LimitExceededError where the union of its blocks takes more than `limits.nodes` steps
 */
export function selectionCount(selection: Selection, shape: readonly number[], options?: SelectionLimits): number {
  if (selection.type !== "points") return spansOf(selection, shape, options).size;
  checkExtent(selection, shape);
  return selection.points.length;
}

/**
 * The coordinates of a selection of an array of `shape`, one after the other in HDF5's order: points as they are listed,
 * all else row-major and each once.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`
 * @throws LimitExceededError where the union of its blocks takes more than `limits.nodes` steps
 */
export function* selectedCoordinates(
  selection: Selection,
  shape: readonly number[],
  options?: SelectionLimits,
): Generator<number[]> {
  if (selection.type === "points") {
    checkExtent(selection, shape);
    for (const point of selection.points) yield point.slice();
  } else if (shape.length > 0) yield* coordinatesOf(spansOf(selection, shape, options), []);
  else if (selection.type === "all") yield [];
}

function* coordinatesOf({ spans }: Spans, prefix: readonly number[]): Generator<number[]> {
  for (const { start, stride, count, block, down } of spans) {
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < block; i++) {
        const coordinate = [...prefix, start + k * stride + i];
        if (down) yield* coordinatesOf(down, coordinate);
        else yield coordinate;
      }
    }
  }
}
