import { forEachRun, type Projection, projectChunk, resolveSelection, slice } from "@h5/selection";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GAP_BYTES, projectedCount, WINDOW_BYTES, windowsOf } from "../src/windows.ts";

type Move = readonly [source: number, target: number];

/** Every element a projection moves. */
function moves(projection: Projection, sourceStart: number = 0): Move[] {
  const found: Move[] = [];
  forEachRun(projection, (source, target, length) => {
    for (let i = 0; i < length; i++) found.push([sourceStart + source + i, target + i]);
  });
  return found;
}

/** Bytes between consecutive wanted runs of a window, the largest. */
function largestHole(projection: Projection, elementSize: number): number {
  let [end, hole] = [0, 0];
  for (const [source] of moves(projection).sort(([a], [b]) => a - b)) {
    hole = Math.max(hole, (source - end) * elementSize);
    end = source + 1;
  }
  return hole;
}

/** A selection of a small array whose elements may be large, so that windows have to be cut. */
const cases = fc
  .array(
    fc
      .record({
        length: fc.integer({ min: 1, max: 9 }),
        start: fc.nat(8),
        count: fc.nat(8),
        step: fc.integer({ min: 1, max: 4 }),
      })
      .filter(({ length, start }) => start < length),
    { minLength: 1, maxLength: 4 },
  )
  .chain((dims) =>
    fc.record({ dims: fc.constant(dims), elementSize: fc.constantFrom(1, 8, 40000, 70000, 1500000, 5000000) }),
  );

describe("windowsOf", () => {
  it("covers exactly the projection, in order, in windows of bounded size and without large holes", () => {
    fc.assert(
      fc.property(cases, ({ dims, elementSize }) => {
        const shape = dims.map(({ length }) => length);
        const members = dims.map(({ start, count, step }) => slice(start, start + count + 1, step));
        const selection = resolveSelection(members, shape);
        const projection = projectChunk(
          selection,
          shape.map(() => 0),
          shape,
        )!;
        const windows = [...windowsOf(projection, elementSize)];
        const covered = windows.flatMap((window) => moves(window.projection, window.start / elementSize));
        expect(covered).toEqual(moves(projection));
        for (const { start, end, projection: part } of windows) {
          expect(end - start).toBeLessThanOrEqual(Math.max(WINDOW_BYTES, elementSize));
          const sources = moves(part).map(([source]) => source);
          expect(Math.min(...sources)).toBe(0);
          expect((Math.max(...sources) + 1) * elementSize).toBe(end - start);
          expect(largestHole(part, elementSize)).toBeLessThanOrEqual(GAP_BYTES);
        }
        expect(windows.reduce((sum, { projection: part }) => sum + projectedCount(part), 0)).toBe(
          projectedCount(projection),
        );
      }),
    );
  });

  it("is lazy: a strided selection of millions gives its first window at once", () => {
    const projection = {
      length: 1,
      sourceOffset: 0,
      targetOffset: 0,
      axes: [{ count: 2 ** 40, sourceStride: 2 ** 10, targetStride: 1 }],
    };
    const { value } = windowsOf(projection, 128).next();
    expect(value).toMatchObject({ start: 0, end: 128 });
  });

  it("cuts a long run into pieces of 4 MiB", () => {
    const projection = { length: 5_000_000, sourceOffset: 3, targetOffset: 0, axes: [] };
    expect([...windowsOf(projection, 2)].map(({ start, end }) => [start, end])).toEqual([
      [6, 4194310],
      [4194310, 8388614],
      [8388614, 10000006],
    ]);
  });
});
