import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AxisSelection,
  chunkBoxOf,
  copyChunk,
  copyRuns,
  elementCount,
  fillChunk,
  fillRuns,
  forEachRun,
  projectChunk,
  projectSelection,
  resolveSelection,
  type Sel,
  selectedCoordinates,
  slice,
} from "../src/index.ts";
import { arbitrarySelection } from "./arbitrary.ts";
import { cells, offsetIn } from "./model.ts";

interface Case {
  shape: number[];
  chunkShape: number[];
  selection: Sel[];
}

const dimension = fc.record({
  size: fc.integer({ min: 1, max: 9 }),
  chunk: fc.integer({ min: 1, max: 10 }),
  start: fc.integer({ min: 0, max: 9 }),
  stop: fc.integer({ min: 0, max: 10 }),
  step: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom("slice", "slice", "index", "all"),
});

const cases = fc.array(dimension, { minLength: 0, maxLength: 4 }).map((dimensions): Case => {
  const selection = dimensions.map(({ kind, start, stop, step, size }): Sel => {
    if (kind === "all") return null;
    return kind === "index" ? start % size : slice(start, stop, step);
  });
  return { shape: dimensions.map((d) => d.size), chunkShape: dimensions.map((d) => d.chunk), selection };
});

/** Value of the element at a coordinate, as bytes; never zero. */
function element(at: readonly number[], size: number): number[] {
  return Array.from({ length: size }, (_, i) => 1 + ((at.reduce((sum, x) => sum * 11 + x, 7) * (i + 3)) % 255));
}

/** Bytes of one whole chunk. */
function chunkBytes(coordinate: readonly number[], chunkShape: readonly number[], size: number): Uint8Array {
  const inside = cells(chunkShape).map((at) => at.map((x, i) => x + coordinate[i]! * chunkShape[i]!));
  return Uint8Array.from(inside.flatMap((at) => element(at, size)));
}

/** Coordinates of a selection in the order of the result. */
function selected({ axes }: AxisSelection): number[][] {
  return cells(axes.map((axis) => axis.count)).map((at) => at.map((i, d) => axes[d]!.start + i * axes[d]!.step));
}

/** Chunk coordinates of a box. */
function chunksOf(resolved: AxisSelection, chunkShape: readonly number[]): number[][] {
  const { start, end } = chunkBoxOf(resolved, chunkShape);
  return cells(end.map((stop, i) => stop - start[i]!)).map((at) => at.map((x, i) => x + start[i]!));
}

describe("copyChunk", () => {
  it.each([1, 2, 3, 4, 8, 12, 40])("assembles any selection of elements of %i bytes from its chunks", (size) => {
    fc.assert(
      fc.property(cases, ({ shape, chunkShape, selection }) => {
        const resolved = resolveSelection(selection, shape);
        const target = new Uint8Array(elementCount(resolved.shape) * size);
        for (const coordinate of chunksOf(resolved, chunkShape)) {
          const projection = projectChunk(resolved, coordinate, chunkShape);
          if (projection) copyChunk(projection, chunkBytes(coordinate, chunkShape, size), target, size);
        }
        expect(Array.from(target)).toEqual(selected(resolved).flatMap((at) => element(at, size)));
      }),
      { numRuns: 60 },
    );
  });

  it("copies between arrays that are not aligned to the element", () => {
    const resolved = resolveSelection([slice(null, null, 2)], [6]);
    const bytes = Uint8Array.from({ length: 49 }, (_, i) => i);
    for (const [from, to] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [2, 2],
      [1, 3],
    ] as const) {
      const target = new Uint8Array(to + 24);
      copyChunk(projectChunk(resolved, [0], [6])!, bytes.subarray(from, from + 48), target.subarray(to), 8);
      const expected = [0, 16, 32].flatMap((at) => Array.from(bytes.subarray(from + at, from + at + 8)));
      expect(Array.from(target.subarray(to))).toEqual(expected);
    }
  });
});

describe("copyRuns and fillRuns", () => {
  it.each([1, 3, 8, 100])("read any selection of elements of %i bytes through its chunks", (size) => {
    fc.assert(
      fc.property(
        arbitrarySelection(),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 3 }),
        (one, sizes) => {
          const { selection, shape } = one;
          const chunkShape = sizes.slice(0, shape.length);
          const expected = [...selectedCoordinates(selection, shape)];
          const target = new Uint8Array(expected.length * size);
          const filled = new Uint8Array(expected.length * size);
          const value = Uint8Array.from({ length: size }, (_, i) => i + 1);
          for (const { coordinate, forEachRun } of projectSelection(selection, shape, chunkShape)) {
            copyRuns(forEachRun, chunkBytes(coordinate, chunkShape, size), target, size);
            fillRuns(forEachRun, value, filled);
          }
          expect(Array.from(target)).toEqual(expected.flatMap((at) => element(at, size)));
          expect(Array.from(filled)).toEqual(expected.flatMap(() => Array.from(value)));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a source or target that is too short", () => {
  const rows = projectChunk(resolveSelection([null, slice(2)], [4, 6]), [0, 0], [4, 6])!;
  const whole = projectChunk(resolveSelection(null, [40, 6]), [0, 0], [40, 6])!;

  it("is refused, not read as zeros", () => {
    expect(() => copyChunk(rows, new Uint8Array(19), new Uint8Array(8), 1)).toThrow(
      "a source of at least 20 bytes, got 19",
    );
    expect(() => copyChunk(rows, new Uint8Array(24), new Uint8Array(7), 1)).toThrow(
      "a target of at least 8 bytes, got 7",
    );
    expect(() => copyChunk(whole, new Uint8Array(239), new Uint8Array(240), 1)).toThrow(
      "a source of at least 240 bytes",
    );
    expect(() => fillChunk(rows, new Uint8Array(1), new Uint8Array(7))).toThrow("a target of at least 8 bytes, got 7");
  });
});

describe("fillChunk", () => {
  it.each([1, 3, 4, 16])("fills just what the chunk would have given, with %i bytes", (size) => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ shape, chunkShape, selection }, uniform) => {
        const resolved = resolveSelection(selection, shape);
        const value = Uint8Array.from({ length: size }, (_, i) => (uniform ? 9 : 9 + i));
        const [missing, ...others] = chunksOf(resolved, chunkShape);
        if (!missing) return;
        const target = new Uint8Array(elementCount(resolved.shape) * size);
        for (const coordinate of others) {
          const projection = projectChunk(resolved, coordinate, chunkShape);
          if (projection) copyChunk(projection, chunkBytes(coordinate, chunkShape, size), target, size);
        }
        const projection = projectChunk(resolved, missing, chunkShape);
        if (projection) fillChunk(projection, value, target);
        const isMissing = (at: number[]): boolean => at.every((x, i) => Math.floor(x / chunkShape[i]!) === missing[i]);
        expect(Array.from(target)).toEqual(
          selected(resolved).flatMap((at) => (isMissing(at) ? Array.from(value) : element(at, size))),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe("projectChunk", () => {
  const runsOf = (selection: Sel[] | null, shape: number[], coordinate: number[], chunkShape: number[]): number[][] => {
    const runs: number[][] = [];
    const projection = projectChunk(resolveSelection(selection, shape), coordinate, chunkShape);
    if (projection) forEachRun(projection, (...run) => runs.push(run));
    return runs;
  };

  it("gives a contiguous whole as one run", () => {
    expect(runsOf(null, [4, 5, 6], [0, 0, 0], [4, 5, 6])).toEqual([[0, 0, 120]]);
    expect(runsOf([slice(1, 3), null, null], [4, 5, 6], [0, 0, 0], [4, 5, 6])).toEqual([[30, 0, 60]]);
    expect(runsOf(null, [8, 6], [1, 0], [4, 6])).toEqual([[0, 24, 24]]);
    expect(runsOf([2, slice(1, 3), null], [4, 5, 6], [0, 0, 0], [4, 5, 6])).toEqual([[66, 0, 12]]);
    expect(runsOf([], [], [], [])).toEqual([[0, 0, 1]]);
  });

  it("clips an edge chunk by the selection, in a chunk of full size", () => {
    expect(runsOf(null, [3, 5], [0, 1], [2, 3])).toEqual([
      [0, 3, 2],
      [3, 8, 2],
    ]);
    expect(runsOf(null, [3, 5], [1, 1], [2, 3])).toEqual([[0, 13, 2]]);
  });

  it("gives maximal runs, each element of the result once and in order", () => {
    fc.assert(
      fc.property(cases, ({ shape, chunkShape, selection }) => {
        const resolved = resolveSelection(selection, shape);
        for (const coordinate of chunksOf(resolved, chunkShape)) {
          const runs = runsOf(selection, shape, coordinate, chunkShape);
          const pairs = runs.flatMap(([from, to, length]) =>
            Array.from({ length: length! }, (_, i) => [from! + i, to! + i]),
          );
          const expected = selected(resolved).flatMap((at, index) => {
            if (!at.every((x, i) => Math.floor(x / chunkShape[i]!) === coordinate[i])) return [];
            return [
              [
                offsetIn(
                  chunkShape,
                  at.map((x, i) => x % chunkShape[i]!),
                ),
                index,
              ],
            ];
          });
          expect(pairs).toEqual(expected);
          runs.slice(1).forEach(([from, to], i) => {
            const [lastFrom, lastTo, length] = runs[i]!;
            expect(from === lastFrom! + length! && to === lastTo! + length!).toBe(false);
          });
        }
      }),
    );
  });

  it("tells that a chunk between two steps holds nothing", () => {
    expect(projectChunk(resolveSelection([slice(null, null, 6)], [12]), [1], [2])).toBeUndefined();
    expect(chunkBoxOf(resolveSelection([slice(2, 2)], [12]), [2])).toEqual({ start: [1], end: [1] });
  });

  it("refuses a chunk shape that does not fit", () => {
    const resolved = resolveSelection(null, [4]);
    expect(() => chunkBoxOf(resolved, [])).toThrow("expected a chunk shape of 1 positive members, got []");
    expect(() => projectChunk(resolved, [0], [0])).toThrow("positive members, got [0]");
  });
});
