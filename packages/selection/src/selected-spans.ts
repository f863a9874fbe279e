import { checkLimit, defaultLimits, InvalidArgumentError, type Limits } from "@h5/framing";
import { checkSelection } from "./check-selection.ts";
import { checkExtent, checkShape } from "./extent.ts";
import { optimizeRegular } from "./hyperslab.ts";
import type { BlockHyperslab, HyperslabBlock, PointSelection, RegularHyperslab, Selection } from "./selection.ts";
import { clipRepetition, type LooseSpan, type Repetition, type Spans, spansFrom } from "./spans.ts";
import { unionOf } from "./spans-union.ts";

/** Bounds the work a selection may cause: `nodes` counts blocks looked at, `selectionBlocks` those, or chunks, that are given. */
export interface SelectionLimits {
  readonly limits?: Limits | undefined;
}

/** Every selection but points, whose order is their own. */
export type SpanSelection = Exclude<Selection, PointSelection>;

/**
 * The elements of a selection of an array of `shape`; unlimited counts and blocks end with it.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`, or has over 2^53−1 elements
 * @throws LimitExceededError where the union of its blocks takes more than `limits.nodes` steps
 */
export function spansOf(selection: SpanSelection, shape: readonly number[], options: SelectionLimits = {}): Spans {
  checkExtent(selection, shape);
  const spans = selectedSpans(selection, shape, options.limits ?? defaultLimits);
  if (spans.size <= Number.MAX_SAFE_INTEGER) return spans;
  throw new InvalidArgumentError("has over 2^53-1 elements", { structure: "selection" });
}

/** The same of a selection known to make sense, which may go beyond `shape` where it is not unlimited. */
export function selectedSpans(selection: SpanSelection, shape: readonly number[], limits: Limits): Spans {
  if (selection.type === "none") return spansFrom([]);
  if (selection.type === "all") return chain(shape, (axis) => [{ start: 0, stride: 1, count: 1, block: shape[axis]! }]);
  return selection.form === "regular" ? spansOfRegular(selection, shape) : spansOfBlocks(selection, limits);
}

function spansOfBlocks({ blocks }: BlockHyperslab, limits: Limits): Spans {
  let steps = 0;
  return unionOf(blocks, (count) => {
    steps += count;
    checkLimit(limits, "nodes", steps, { structure: "selection" });
  });
}

function spansOfRegular(slab: RegularHyperslab, shape: readonly number[]): Spans {
  const { start, stride, count, block } = optimizeRegular(slab);
  return chain(shape, (axis) => {
    const axisSpan = { start: start[axis]!, stride: stride[axis]!, count: count[axis]!, block: block[axis]! };
    const endless = count[axis] === Infinity || block[axis] === Infinity;
    return endless ? clipRepetition(axisSpan, 0, shape[axis]!) : [axisSpan];
  });
}

/** Spans of one choice for each dimension, whatever the others. */
function chain(shape: readonly number[], choose: (axis: number) => Repetition[]): Spans {
  let down: Spans | undefined;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const below: Spans | undefined = down;
    down = spansFrom(choose(axis).map((repetition) => ({ ...repetition, down: below })));
  }
  // An array without dimensions has one element, as one of one element in one dimension has.
  return down ?? spansFrom([{ start: 0, stride: 1, count: 1, block: 1, down }]);
}

/**
 * The part of a selection in the box from `start` up to, not including, `end`: points in their order, a hyperslab
 * regular where it can be. Unlimited counts and blocks end with the box.
 *
 * @throws InvalidArgumentError where the selection or the box makes no sense, or the ranks differ
 * @throws LimitExceededError where the result needs more than `limits.selectionBlocks` blocks
 */
export function intersectSelection(
  selection: Selection,
  box: { readonly start: readonly number[]; readonly end: readonly number[] },
  options: SelectionLimits = {},
): Selection {
  checkSelection(selection);
  checkShape(selection, box.start);
  checkShape(selection, box.end);
  if (box.start.length !== box.end.length) {
    throw new InvalidArgumentError(`expected ends of ${box.start.length} dimensions, got ${box.end.length}`);
  }
  if (selection.type === "points") {
    const points = selection.points.filter((point) =>
      point.every((x, axis) => x >= box.start[axis]! && x < box.end[axis]!),
    );
    return points.length === 0 ? { type: "none" } : { type: "points", points };
  }
  // An array without dimensions has one element: nothing of it can be cut off.
  if (box.end.length === 0) return selection;
  const limits = options.limits ?? defaultLimits;
  return fromSpans(clipSpans(selectedSpans(selection, box.end, limits), box, 0), limits);
}

/**
 * A selection without unlimited counts or blocks: the part of it within an array of `shape`, as
 * {@link intersectSelection} gives it.
 */
export function clipSelection(selection: Selection, shape: readonly number[], options?: SelectionLimits): Selection {
  return intersectSelection(selection, { start: shape.map(() => 0), end: shape }, options);
}

function clipSpans(spans: Spans, box: { start: readonly number[]; end: readonly number[] }, axis: number): Spans {
  const clipped = new Map<Spans | undefined, Spans | undefined>([[undefined, undefined]]);
  const list: LooseSpan[] = [];
  for (const span of spans.spans) {
    const parts = clipRepetition(span, box.start[axis] ?? 0, box.end[axis] ?? 1);
    if (parts.length === 0) continue;
    if (!clipped.has(span.down)) clipped.set(span.down, clipSpans(span.down!, box, axis + 1));
    for (const part of parts) list.push({ ...part, down: clipped.get(span.down) });
  }
  return spansFrom(list);
}

/** The plain selection of spans. */
function fromSpans(spans: Spans, limits: Limits): Selection {
  if (spans.size === 0) return { type: "none" };
  const levels: Repetition[] = [];
  for (let level: Spans | undefined = spans; level; level = level.spans[0]!.down) {
    if (level.spans.length > 1) return { type: "hyperslab", form: "blocks", blocks: blocksOf(spans, limits) };
    levels.push(level.spans[0]!);
  }
  return {
    type: "hyperslab",
    form: "regular",
    start: levels.map((level) => level.start),
    stride: levels.map((level) => level.stride),
    count: levels.map((level) => level.count),
    block: levels.map((level) => level.block),
  };
}

/** The blocks of spans, disjoint and in the order libhdf5 lists them (H5Shyper.c, `H5S__hyper_span_blocklist`). */
export function blocksOf(spans: Spans, limits: Limits): HyperslabBlock[] {
  checkLimit(limits, "selectionBlocks", spans.blocks, { structure: "selection" });
  const blocks: HyperslabBlock[] = [];
  collectBlocks(spans, [], [], blocks);
  return blocks;
}

function collectBlocks({ spans }: Spans, start: number[], end: number[], blocks: HyperslabBlock[]): void {
  for (const span of spans) {
    for (let k = 0; k < span.count; k++) {
      const first = span.start + k * span.stride;
      const [low, high] = [
        [...start, first],
        [...end, first + span.block - 1],
      ];
      if (span.down) collectBlocks(span.down, low, high, blocks);
      else blocks.push({ start: low, end: high });
    }
  }
}
