import type { Box, RunVisitor } from "@h5/selection";
import { Runs } from "./runs-selector.ts";

/** Visits what of something lies in a box, as runs of offsets in the box. */
export type RunsIn = (box: Box) => (visit: RunVisitor) => void;

/**
 * What of the requested elements a mapping gives, as runs from positions in the mapping's order to positions in the
 * result, in pieces of at most `most` elements.
 */
export function* pairsOf(requested: RunsIn, mapped: RunsIn, box: Box, most: number): Generator<Runs> {
  const count = countOf(requested(box));
  if (count === 0) return;
  const axis = box.shape.findIndex((length) => length > 1);
  if (count > most && axis >= 0) {
    const half = Math.ceil(box.shape[axis]! / 2);
    yield* pairsOf(requested, mapped, part(box, axis, 0, half), most);
    yield* pairsOf(requested, mapped, part(box, axis, half, box.shape[axis]! - half), most);
    return;
  }
  const pairs = meet(collect(mapped(box)), collect(requested(box)));
  if (pairs.count > 0) yield pairs;
}

function countOf(visitRuns: (visit: RunVisitor) => void): number {
  let count = 0;
  visitRuns((_, __, length) => {
    count += length;
  });
  return count;
}

function collect(visitRuns: (visit: RunVisitor) => void): Runs {
  const runs = new Runs();
  visitRuns((from, to, length) => runs.push(from, to, length));
  return runs;
}

function part({ start, shape }: Box, axis: number, skip: number, length: number): Box {
  return {
    start: start.map((first, i) => (i === axis ? first + skip : first)),
    shape: shape.map((own, i) => (i === axis ? length : own)),
  };
}

/** Runs over the same array, where both are: from where the mapped ones go to where the requested ones go. */
function meet(mapped: Runs, requested: Runs): Runs {
  const pairs = new Runs();
  let first = 0;
  for (const i of ascending(requested)) {
    const start = requested.from(i);
    const end = start + requested.lengthOf(i);
    while (first < mapped.length && mapped.from(first) + mapped.lengthOf(first) <= start) first++;
    for (let k = first; k < mapped.length && mapped.from(k) < end; k++) {
      const from = Math.max(start, mapped.from(k));
      const to = Math.min(end, mapped.from(k) + mapped.lengthOf(k));
      pairs.push(mapped.to(k) + from - mapped.from(k), requested.to(i) + from - start, to - from);
    }
  }
  return pairs;
}

/** Indices of runs by where they begin. Points may come in any order, and twice. */
function* ascending(runs: Runs): Generator<number> {
  let sorted = true;
  for (let i = 1; i < runs.length; i++) sorted &&= runs.from(i) >= runs.from(i - 1);
  if (sorted) for (let i = 0; i < runs.length; i++) yield i;
  else yield* Array.from({ length: runs.length }, (_, i) => i).sort((a, b) => runs.from(a) - runs.from(b));
}
