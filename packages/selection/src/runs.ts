import type { RunVisitor } from "./copy-runs.ts";
import { elementCount } from "./dataspace.ts";
import { checkExtent } from "./extent.ts";
import { type SelectionLimits, spansOf } from "./selected-spans.ts";
import type { PointSelection, Selection } from "./selection.ts";
import type { Spans } from "./spans.ts";

/** A dense row-major part of an array: a chunk, or the whole from zeros on. */
export interface Box {
  /** Coordinate of its first element. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/**
 * Visits a selection of a dense row-major array of `shape` as maximal contiguous runs, in HDF5's order: as `source` the
 * offset in the array, as `target` the position among the selected elements. Nothing is allocated for a run.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`, or that has over 2^53−1 elements
 * @throws LimitExceededError where the union of its blocks takes more than `limits.nodes` steps
 */
export function forEachSelectedRun(
  selection: Selection,
  shape: readonly number[],
  visit: RunVisitor,
  options?: SelectionLimits,
): void {
  // Offsets in a larger array would not be exact.
  elementCount(shape);
  const box: Box = { start: shape.map(() => 0), shape };
  if (selection.type === "points") {
    checkExtent(selection, shape);
    forEachPointRun(
      selection.points,
      selection.points.map((_, index) => index),
      box,
      visit,
    );
  } else forEachSpanRun(spansOf(selection, shape, options), box, visit);
}

/** The same for the part of the spans in `box`; `source` is the offset in the box, `target` counts from the whole. */
export function forEachSpanRun(spans: Spans, box: Box, visit: RunVisitor): void {
  const merge = new RunMerger(visit);
  walk({ box, strides: stridesOf(box.shape), merge }, spans, 0, 0, 0);
  merge.flush();
}

/**
 * Visits `length` of the elements of spans, from the one at `position` in their order on, as maximal contiguous runs in
 * an array of `shape`: as `source` the offset in the array, as `target` the position. Only spans that hold some of them
 * are looked at.
 */
export function forEachRunBetween(
  spans: Spans,
  shape: readonly number[],
  position: number,
  length: number,
  visit: RunVisitor,
): void {
  const merge = new RunMerger(visit);
  const box: Box = { start: shape.map(() => 0), shape };
  walkBetween({ box, strides: stridesOf(shape), merge }, spans, 0, 0, 0, [position, position + length]);
  merge.flush();
}

/** The elements at positions `[from, to)`; `before` of them come before `spans`, whose elements lie from `source` on. */
function walkBetween(
  toWalk: Walk,
  { spans }: Spans,
  axis: number,
  source: number,
  before: number,
  range: readonly [from: number, to: number],
): void {
  const [from, to] = range;
  const stride = toWalk.strides[axis] ?? 1;
  for (let i = firstBeyond(spans, from - before); i < spans.length && before + spans[i]!.before < to; i++) {
    const span = spans[i]!;
    const { down, block } = span;
    const rows = down ? down.size : 1;
    const whole = down === undefined || covers(down, toWalk.box, axis + 1);
    // Positions are taken a block at a time where what is below is whole, else one by one.
    const unit = whole ? block * rows : rows;
    const base = before + span.before;
    const end = Math.min(span.count * (whole ? 1 : block), Math.ceil((to - base) / unit));
    for (let k = Math.max(0, Math.floor((from - base) / unit)); k < end; k++) {
      const at = whole ? span.start + k * span.stride : span.start + Math.floor(k / block) * span.stride + (k % block);
      const first = base + k * unit;
      if (!whole) {
        walkBetween(toWalk, down, axis + 1, source + at * stride, first, range);
        continue;
      }
      const low = Math.max(first, from);
      const high = Math.min(first + unit, to);
      toWalk.merge.push(source + at * stride + low - first, low, high - low);
    }
  }
}

/** Index of the last of a list of spans before which there are no more than `count` elements. */
function firstBeyond(spans: Spans["spans"], count: number): number {
  let start = 0;
  let end = spans.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if (spans[middle]!.before <= count) start = middle + 1;
    else end = middle;
  }
  return Math.max(0, start - 1);
}

/** The same for the points of the given indices, all in `box`. */
export function forEachPointRun(
  points: PointSelection["points"],
  indices: readonly number[],
  box: Box,
  visit: RunVisitor,
): void {
  const merge = new RunMerger(visit);
  for (const index of indices) {
    const point = points[index]!;
    let source = 0;
    for (let axis = 0; axis < point.length; axis++) {
      source = source * box.shape[axis]! + point[axis]! - box.start[axis]!;
    }
    merge.push(source, index, 1);
  }
  merge.flush();
}

/** Elements from one position to the next along each dimension. */
function stridesOf(shape: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis]!;
  }
  return strides;
}

/** Joins runs that go on where the last one ended, on both sides. */
class RunMerger {
  readonly #visit: RunVisitor;
  #source = 0;
  #target = 0;
  #length = 0;

  constructor(visit: RunVisitor) {
    this.#visit = visit;
  }

  push(source: number, target: number, length: number): void {
    if (source === this.#source + this.#length && target === this.#target + this.#length) this.#length += length;
    else {
      this.flush();
      this.#source = source;
      this.#target = target;
      this.#length = length;
    }
  }

  flush(): void {
    if (this.#length > 0) this.#visit(this.#source, this.#target, this.#length);
  }
}

interface Walk {
  readonly box: Box;
  readonly strides: readonly number[];
  readonly merge: RunMerger;
}

function walk(to: Walk, { spans }: Spans, axis: number, source: number, target: number): void {
  const low = to.box.start[axis] ?? 0;
  const high = low + (to.box.shape[axis] ?? 1);
  const stride = to.strides[axis] ?? 1;
  for (let i = firstAfter(spans, low); i < spans.length && spans[i]!.start < high; i++) {
    const span = spans[i]!;
    const { down, block } = span;
    const rows = down ? down.size : 1;
    const whole = down === undefined || covers(down, to.box, axis + 1);
    const first = Math.max(0, Math.ceil((low - span.start - block + 1) / span.stride));
    const end = Math.min(span.count, Math.floor((high - 1 - span.start) / span.stride) + 1);
    for (let k = first; k < end; k++) {
      const at = span.start + k * span.stride;
      const from = Math.max(at, low);
      const length = Math.min(at + block, high) - from;
      const offset = source + (from - low) * stride;
      const position = target + span.before + (k * block + from - at) * rows;
      if (whole) to.merge.push(offset, position, length * stride);
      else for (let x = 0; x < length; x++) walk(to, down, axis + 1, offset + x * stride, position + x * rows);
    }
  }
}

/** Index of the first of ascending spans that ends after `low`. */
function firstAfter(spans: Spans["spans"], low: number): number {
  let start = 0;
  let end = spans.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const span = spans[middle]!;
    if (span.start + (span.count - 1) * span.stride + span.block > low) end = middle;
    else start = middle + 1;
  }
  return start;
}

/** Whether the spans are just the box, from dimension `axis` on. */
function covers({ spans }: Spans, box: Box, axis: number): boolean {
  const span = spans[0]!;
  return (
    spans.length === 1 &&
    span.count === 1 &&
    span.start === box.start[axis] &&
    span.block === box.shape[axis] &&
    (span.down === undefined || covers(span.down, box, axis + 1))
  );
}
