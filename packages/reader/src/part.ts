import { copyChunk, copyRuns, type Projection, type RunVisitor } from "@h5/selection";
import { GAP_BYTES, projectedCount, WINDOW_BYTES, windowsOf } from "./windows.ts";

/** What one dense stretch of storage (a chunk, a contiguous dataset) gives to the packed result. */
export interface Part {
  /** Elements it gives. */
  readonly count: number;
  /** Copies them, in bytes of `elementSize`-byte elements, from the stretch into the result. */
  copy(source: Uint8Array, target: Uint8Array, elementSize: number): void;
  /** The bytes of the stretch worth fetching, in pieces of at most {@link WINDOW_BYTES}. */
  windows(elementSize: number): Iterable<PartWindow>;
  /** Set where the part is one run: the element of the result it goes to. */
  readonly runAt?: number | undefined;
}

/** Bytes `[start, end)` of a stretch, and what they give: a part that sees `start` as its beginning. */
export interface PartWindow {
  readonly start: number;
  readonly end: number;
  readonly part: Part;
}

/** The part that a projection of slices and indices is. */
export function projectedPart(projection: Projection): Part {
  return {
    count: projectedCount(projection),
    copy: (source, target, elementSize) => copyChunk(projection, source, target, elementSize),
    *windows(elementSize) {
      for (const { start, end, projection: inside } of windowsOf(projection, elementSize)) {
        yield { start, end, part: projectedPart(inside) };
      }
    },
    runAt: projection.axes.length === 0 ? projection.targetOffset : undefined,
  };
}

/** The part made of the runs that `visitRuns` visits; the stretch is no longer than a window. */
export function runsPart(visitRuns: (visit: RunVisitor) => void): Part {
  let count = 0;
  visitRuns((_, __, length) => {
    count += length;
  });
  return {
    count,
    copy: (source, target, elementSize) => copyRuns(visitRuns, source, target, elementSize),
    *windows(elementSize) {
      for (const { start, end } of mergedRuns(visitRuns, Math.floor(GAP_BYTES / elementSize))) {
        const inside = (visit: RunVisitor): void =>
          visitRuns((from, to, length) => {
            if (from >= start && from < end) visit(from - start, to, length);
          });
        yield { start: start * elementSize, end: end * elementSize, part: runsPart(inside) };
      }
    },
  };
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The stretches that runs cover, those with no more than `gap` elements between them joined, in ascending order. */
function mergedRuns(visitRuns: (visit: RunVisitor) => void, gap: number): Interval[] {
  const intervals: Interval[] = [];
  visitRuns((start, _, length) => {
    const last = intervals.at(-1);
    if (last !== undefined && start >= last.start && start - last.end <= gap) {
      intervals[intervals.length - 1] = { start: last.start, end: Math.max(last.end, start + length) };
    } else intervals.push({ start, end: start + length });
  });
  const merged: Interval[] = [];
  for (const { start, end } of intervals.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start - last.end <= gap) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else merged.push({ start, end });
  }
  return merged;
}
