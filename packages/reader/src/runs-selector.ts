import type { Box, RunVisitor } from "@h5/selection";
import { type Part, runsPart } from "./part.ts";
import type { Selector } from "./selector.ts";
import { WINDOW_BYTES } from "./windows.ts";

/** Runs as numbers: where each begins in a dense row-major array, where it goes to, and its length, in elements. */
export class Runs {
  readonly #numbers: number[] = [];
  /** Elements of all runs. */
  count: number = 0;

  /** Adds a run, as part of the last one where it goes on from that. */
  push(from: number, to: number, length: number): void {
    const numbers = this.#numbers;
    const last = numbers.length - 3;
    this.count += length;
    if (last >= 0 && numbers[last]! + numbers[last + 2]! === from && numbers[last + 1]! + numbers[last + 2]! === to) {
      numbers[last + 2]! += length;
    } else numbers.push(from, to, length);
  }

  /** Number of runs. */
  get length(): number {
    return this.#numbers.length / 3;
  }

  from(i: number): number {
    return this.#numbers[3 * i]!;
  }

  to(i: number): number {
    return this.#numbers[3 * i + 1]!;
  }

  /** Elements of one run. */
  lengthOf(i: number): number {
    return this.#numbers[3 * i + 2]!;
  }

  /** Visits the runs in their order. */
  readonly forEach = (visit: RunVisitor): void => {
    for (let i = 0; i < this.length; i++) visit(this.from(i), this.to(i), this.lengthOf(i));
  };
}

/** Selects runs of an array of a shape, each to go where it says. */
export function runsSelector(runs: Runs, shape: readonly number[]): Selector {
  return {
    count: runs.count,
    shape: [runs.count],
    chunkBox: (chunkShape) => chunkBoxOf(runs, shape, chunkShape),
    chunkParts(chunkShape) {
      const parts = chunkRuns(runs, shape, chunkShape);
      return (coordinate) => partOf(parts.get(coordinate.join()));
    },
    *contiguousParts(elementSize) {
      const tile = Math.max(1, Math.floor(WINDOW_BYTES / elementSize));
      for (const [index, own] of tileRuns(runs, tile)) yield { offset: index * tile, part: partOf(own)! };
    },
    runsIn: (box) => (visit) => forEachRunIn(runs, shape, box, visit),
  };
}

function partOf(runs: Runs | undefined): Part | undefined {
  return runs && runsPart(runs.forEach);
}

/** The runs in each of the tiles that the array is cut into along its elements. */
function tileRuns(runs: Runs, tile: number): Map<number, Runs> {
  const tiles = new Map<number, Runs>();
  runs.forEach((from, to, length) => {
    for (let done = 0; done < length; ) {
      const index = Math.floor((from + done) / tile);
      const offset = from + done - index * tile;
      const part = Math.min(length - done, tile - offset);
      runsAt(tiles, index).push(offset, to + done, part);
      done += part;
    }
  });
  return tiles;
}

function runsAt<K>(map: Map<K, Runs>, key: K): Runs {
  const runs = map.get(key) ?? new Runs();
  map.set(key, runs);
  return runs;
}

/** Visits the runs row by row: the coordinate of a stretch's first element, where it goes to, and its length. */
function forEachRow(
  runs: Runs,
  shape: readonly number[],
  visit: (coordinate: readonly number[], to: number, length: number) => void,
): void {
  const row = shape.at(-1) ?? 1;
  const coordinate = shape.map(() => 0);
  runs.forEach((from, to, length) => {
    for (let done = 0; done < length; ) {
      let rest = from + done;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        coordinate[axis] = rest % shape[axis]!;
        rest = Math.floor(rest / shape[axis]!);
      }
      const part = Math.min(length - done, row - (coordinate.at(-1) ?? 0));
      visit(coordinate, to + done, part);
      done += part;
    }
  });
}

function chunkRuns(runs: Runs, shape: readonly number[], chunkShape: readonly number[]): Map<string, Runs> {
  const chunks = new Map<string, Runs>();
  const last = shape.length - 1;
  forEachRow(runs, shape, (start, to, length) => {
    const coordinate = start.slice();
    for (let done = 0; done < length; ) {
      if (last >= 0) coordinate[last] = start[last]! + done;
      const chunk = coordinate.map((at, axis) => Math.floor(at / chunkShape[axis]!));
      const offset = coordinate.reduce((sum, at, axis) => sum * chunkShape[axis]! + (at % chunkShape[axis]!), 0);
      const room = last < 0 ? 1 : chunkShape[last]! - (coordinate[last]! % chunkShape[last]!);
      const part = Math.min(length - done, room);
      runsAt(chunks, chunk.join()).push(offset, to + done, part);
      done += part;
    }
  });
  return chunks;
}

function chunkBoxOf(
  runs: Runs,
  shape: readonly number[],
  chunkShape: readonly number[],
): { start: number[]; end: number[] } {
  const start = shape.map(() => Number.POSITIVE_INFINITY);
  const end = shape.map(() => 0);
  forEachRow(runs, shape, (coordinate, _, length) => {
    for (const [axis, at] of coordinate.entries()) {
      const size = chunkShape[axis]!;
      const final = axis === shape.length - 1 ? at + length - 1 : at;
      start[axis] = Math.min(start[axis]!, Math.floor(at / size));
      end[axis] = Math.max(end[axis]!, Math.floor(final / size) + 1);
    }
  });
  return runs.count === 0 ? { start: shape.map(() => 0), end } : { start, end };
}

/** Visits what lies in a box, with offsets in the box. */
function forEachRunIn(runs: Runs, shape: readonly number[], box: Box, visit: RunVisitor): void {
  const inside = new Runs();
  const last = shape.length - 1;
  forEachRow(runs, shape, (coordinate, to, length) => {
    let offset = 0;
    for (const [axis, at] of coordinate.entries()) {
      const within = at - box.start[axis]!;
      if (axis < last && !(within >= 0 && within < box.shape[axis]!)) return;
      offset = offset * box.shape[axis]! + (axis < last ? within : 0);
    }
    const first = last < 0 ? 0 : coordinate[last]! - box.start[last]!;
    const begin = Math.max(0, first);
    const end = Math.min(last < 0 ? 1 : box.shape[last]!, first + length);
    if (end > begin) inside.push(offset + begin, to + begin - first, end - begin);
  });
  inside.forEach(visit);
}
