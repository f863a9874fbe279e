import { checkLimit, defaultLimits, type Limits } from "@h5/framing";
import { checkChunkShape } from "./chunk-grid.ts";
import type { RunVisitor } from "./copy-runs.ts";
import { checkExtent } from "./extent.ts";
import { type Box, forEachPointRun, forEachSpanRun } from "./runs.ts";
import { type SelectionLimits, spansOf } from "./selected-spans.ts";
import type { PointSelection, Selection } from "./selection.ts";
import type { Span, Spans } from "./spans.ts";

/** What a chunk holds of a selection. */
export interface ChunkPart {
  /** In units of chunks. */
  readonly coordinate: readonly number[];
  /**
   * Visits the maximal contiguous runs: as `source` the offset in the full-size row-major chunk, as `target` the
   * position among the selected elements, both in elements.
   */
  readonly forEachRun: (visit: RunVisitor) => void;
}

/**
 * Projects a selection of an array of `shape` onto a grid of chunks: the chunks it touches, each once, in row-major
 * order (for points: in the order they are first touched), and the runs in each. Together the runs hold every selected
 * element once.
 *
 * @throws InvalidArgumentError where the selection does not fit `shape`, or `chunkShape` not its rank
 * @throws LimitExceededError for more than `limits.selectionBlocks` chunks
 */
export function projectSelection(
  selection: Selection,
  shape: readonly number[],
  chunkShape: readonly number[],
  options: SelectionLimits = {},
): ChunkPart[] {
  checkChunkShape(shape.length, chunkShape);
  const limits = options.limits ?? defaultLimits;
  if (selection.type === "points") {
    checkExtent(selection, shape);
    return projectPoints(selection.points, chunkShape);
  }
  const spans = spansOf(selection, shape, options);
  const parts: ChunkPart[] = [];
  if (spans.size === 0) return parts;
  touchChunks([spans], chunkShape, [], limits, (coordinate) => {
    checkLimit(limits, "selectionBlocks", parts.length + 1, { structure: "selection" });
    parts.push({
      coordinate,
      forEachRun: (visit) => forEachSpanRun(spans, boxOf(coordinate, chunkShape), visit),
    });
  });
  return parts;
}

function boxOf(coordinate: readonly number[], chunkShape: readonly number[]): Box {
  return { start: coordinate.map((c, axis) => c * chunkShape[axis]!), shape: chunkShape };
}

function projectPoints(points: PointSelection["points"], chunkShape: readonly number[]): ChunkPart[] {
  const groups = new Map<string, { coordinate: number[]; indices: number[] }>();
  points.forEach((point, index) => {
    const coordinate = point.map((x, axis) => Math.floor(x / chunkShape[axis]!));
    const key = coordinate.join();
    const group = groups.get(key);
    if (group) group.indices.push(index);
    else groups.set(key, { coordinate, indices: [index] });
  });
  return Array.from(groups.values(), ({ coordinate, indices }) => ({
    coordinate,
    forEachRun: (visit) => forEachPointRun(points, indices, boxOf(coordinate, chunkShape), visit),
  }));
}

/** Visits the chunks that any of the lists of spans touch, whose coordinates begin with `prefix`. */
function touchChunks(
  lists: readonly Spans[],
  chunkShape: readonly number[],
  prefix: readonly number[],
  limits: Limits,
  visit: (coordinate: readonly number[]) => void,
): void {
  if (prefix.length === chunkShape.length) {
    visit(prefix);
    return;
  }
  const size = chunkShape[prefix.length]!;
  const below = new Map<number, Set<Spans>>();
  // Shared by all chunks of the last dimension, of which there may be millions.
  const nothing = new Set<Spans>();
  let visits = 0;
  for (const { spans } of lists) {
    for (const span of spans) {
      visits += visitsOf(span, size);
      checkLimit(limits, "selectionBlocks", visits, { structure: "selection" });
      forEachChunkOf(span, size, (index) => {
        const downs = below.get(index);
        if (span.down === undefined) below.set(index, nothing);
        else if (downs) downs.add(span.down);
        else below.set(index, new Set([span.down]));
      });
    }
  }
  for (const index of Array.from(below.keys()).sort((a, b) => a - b)) {
    touchChunks(Array.from(below.get(index)!), chunkShape, [...prefix, index], limits, visit);
  }
}

/** Stretches whose chunks are those of a span: gaps shorter than a chunk leave none of them out. */
function stretchesOf({ stride, count, block }: Span, size: number): { times: number; length: number } {
  return stride <= size || count === 1
    ? { times: 1, length: (count - 1) * stride + block }
    : { times: count, length: block };
}

/** How often {@link forEachChunkOf} visits, or a little less. */
function visitsOf(span: Span, size: number): number {
  const { times, length } = stretchesOf(span, size);
  return times * (Math.floor(((span.start % size) + length - 1) / size) + 1);
}

/** Visits the chunks along one dimension that a span touches. */
function forEachChunkOf(span: Span, size: number, visit: (index: number) => void): void {
  const { times, length } = stretchesOf(span, size);
  for (let k = 0; k < times; k++) {
    const first = span.start + k * span.stride;
    const end = Math.floor((first + length - 1) / size);
    for (let index = Math.floor(first / size); index <= end; index++) visit(index);
  }
}
