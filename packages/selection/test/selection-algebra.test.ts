import { defaultLimits } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BlockHyperslab,
  boxesOf,
  checkExtent,
  checkSelection,
  clipSelection,
  forEachSelectedRun,
  intersectSelection,
  isUnlimited,
  projectSelection,
  type RegularHyperslab,
  rankOf,
  type Selection,
  selectedCoordinates,
  selectionBounds,
  selectionCount,
  spansOf,
  UNLIMITED,
} from "../src/index.ts";
import { arbitrarySelection } from "./arbitrary.ts";
import { cells, offsetIn } from "./model.ts";
import { errorOf, vectors } from "./vectors.ts";

/** Whether a regular hyperslab's dimension holds an index. */
function holds(slab: RegularHyperslab, axis: number, x: number): boolean {
  const from = x - slab.start[axis]!;
  const [stride, count, block] = [slab.stride[axis]!, slab.count[axis]!, slab.block[axis]!];
  if (from < 0) return false;
  if (count === 1) return from < block;
  return Math.floor(from / stride) < count && from % stride < block;
}

/** The model: every coordinate of the shape, asked one by one. */
function model(selection: Selection, shape: readonly number[]): number[][] {
  if (selection.type === "points") return selection.points.map((point) => [...point]);
  return cells(shape).filter((at) => {
    if (selection.type !== "hyperslab") return selection.type === "all";
    if (selection.form === "regular") return at.every((x, axis) => holds(selection, axis, x));
    return selection.blocks.some(({ start, end }) => at.every((x, i) => x >= start[i]! && x <= end[i]!));
  });
}

const regular = (start: number[], stride: number[], count: number[], block: number[]): RegularHyperslab => ({
  type: "hyperslab",
  form: "regular",
  start,
  stride,
  count,
  block,
});

const blocks = (...list: [number[], number[]][]): BlockHyperslab => ({
  type: "hyperslab",
  form: "blocks",
  blocks: list.map(([start, end]) => ({ start, end })),
});

function runsOf(selection: Selection, shape: readonly number[]): number[][] {
  const runs: number[][] = [];
  forEachSelectedRun(selection, shape, (...run) => runs.push(run));
  return runs;
}

describe("selectedCoordinates, selectionCount and selectionBounds", () => {
  it("agree with the model", () => {
    fc.assert(
      fc.property(arbitrarySelection(), ({ selection, shape }) => {
        const expected = model(selection, shape);
        expect([...selectedCoordinates(selection, shape)]).toEqual(expected);
        expect(selectionCount(selection, shape)).toBe(expected.length);
        const bounds = expected[0] && {
          start: shape.map((_, axis) => Math.min(...expected.map((at) => at[axis]!))),
          end: shape.map((_, axis) => Math.max(...expected.map((at) => at[axis]!))),
        };
        expect(selectionBounds(selection, shape)).toEqual(bounds);
      }),
      { numRuns: 300 },
    );
  });

  it("end unlimited counts and blocks with the shape", () => {
    const tail = fc.record({
      size: fc.integer({ min: 0, max: 20 }),
      start: fc.nat(8),
      block: fc.integer({ min: 1, max: 3 }),
      gap: fc.nat(2),
      ofBlock: fc.boolean(),
    });
    fc.assert(
      fc.property(tail, ({ size, start, block, gap, ofBlock }) => {
        const slab = ofBlock
          ? regular([0, start], [1, 1], [1, 1], [2, UNLIMITED])
          : regular([0, start], [1, block + gap], [1, UNLIMITED], [2, block]);
        const expected = cells([2, size]).filter(([, x]) => holds({ ...slab, stride: [1, block + gap] }, 1, x!));
        expect([...selectedCoordinates(slab, [2, size])]).toEqual(expected);
        expect([...selectedCoordinates(clipSelection(slab, [2, size]), [2, size])]).toEqual(expected);
        expect(isUnlimited(clipSelection(slab, [2, size]))).toBe(false);
        expect(selectionBounds(slab, [2, size])?.end[1]).toBe(expected.at(-1)?.[1]);
      }),
    );
  });

  it("never count an element of overlapping blocks twice", () => {
    const cross = blocks(
      [
        [1, 0],
        [1, 4],
      ],
      [
        [0, 2],
        [4, 2],
      ],
      [
        [1, 0],
        [1, 4],
      ],
    );
    expect(selectionCount(cross, [5, 5])).toBe(9);
    expect([...selectedCoordinates(cross, [5, 5])].slice(0, 3)).toEqual([
      [0, 2],
      [1, 0],
      [1, 1],
    ]);
  });

  it("refuse a count that is not exact", () => {
    expect(selectionCount({ type: "all" }, [2 ** 26, 2 ** 26])).toBe(2 ** 52);
    expect(errorOf(() => selectionCount({ type: "all" }, [2 ** 27, 2 ** 27])).message).toContain("over 2^53-1");
  });

  it("take the one element of an array without dimensions", () => {
    expect([...selectedCoordinates({ type: "all" }, [])]).toEqual([[]]);
    expect(selectionCount({ type: "all" }, [])).toBe(1);
    expect(selectionCount({ type: "none" }, [])).toBe(0);
    expect(boxesOf({ type: "all" }, [])).toEqual([{ start: [], count: [] }]);
    expect(runsOf({ type: "all" }, [])).toEqual([[0, 0, 1]]);
  });
});

describe("boxesOf", () => {
  it("decomposes into boxes that do not overlap and hold just the selection", () => {
    fc.assert(
      fc.property(arbitrarySelection(), ({ selection, shape }) => {
        const inside = boxesOf(selection, shape).flatMap(({ start, count }) =>
          cells(count).map((at) => at.map((x, i) => x + start[i]!)),
        );
        const expected = model(selection, shape);
        expect(inside.map(String).sort()).toEqual(expected.map(String).sort());
      }),
    );
  });

  it("gives libhdf5's own blocks of an irregular hyperslab", () => {
    for (const { decoded, dims } of vectors) {
      if (decoded.type !== "hyperslab" || decoded.form !== "blocks") continue;
      const boxes = boxesOf(decoded, dims).map(({ start, count }) => ({
        start,
        end: start.map((x, i) => x + count[i]! - 1),
      }));
      expect(boxes).toEqual(decoded.blocks);
    }
  });

  it("does not clip to the shape, whose rank must match", () => {
    expect(boxesOf(regular([5], [3], [2], [2]), [4])).toEqual([
      { start: [5], count: [2] },
      { start: [8], count: [2] },
    ]);
    expect(errorOf(() => boxesOf(regular([5], [3], [2], [2]), [4, 4])).message).toContain("rank 2, got 1");
  });

  it("keeps the order and duplicates of points", () => {
    expect(boxesOf({ type: "points", points: [[3], [1], [3]] }, [4])).toEqual(
      [3, 1, 3].map((x) => ({ start: [x], count: [1] })),
    );
  });

  it("refuses an unlimited selection, and more boxes than the limit", () => {
    expect(errorOf(() => boxesOf(regular([0], [3], [UNLIMITED], [2]), [9])).message).toContain("unlimited");
    const many = regular([0, 0], [2, 2], [100_000, 100_000], [1, 1]);
    expect(errorOf(() => boxesOf(many, [1, 1]))).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "selectionBlocks" });
  });
});

describe("intersectSelection and clipSelection", () => {
  it("agree with the model", () => {
    const corners = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(arbitrarySelection(), corners, ({ selection, shape }, ends) => {
        const start = shape.map((_, i) => Math.min(...ends[i]!));
        const end = shape.map((size, i) => Math.min(size, Math.max(...ends[i]!)));
        const part = intersectSelection(selection, { start, end });
        const expected = model(selection, shape).filter((at) => at.every((x, i) => x >= start[i]! && x < end[i]!));
        checkSelection(part);
        expect([...selectedCoordinates(part, shape)]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("keep a hyperslab regular where it can be", () => {
    expect(clipSelection(regular([1], [4], [UNLIMITED], [2]), [12])).toEqual(regular([1], [4], [3], [2]));
    expect(clipSelection(regular([1], [3], [UNLIMITED], [3]), [12])).toEqual(regular([1], [1], [1], [11]));
    expect(clipSelection(regular([1], [1], [1], [UNLIMITED]), [12])).toEqual(regular([1], [1], [1], [11]));
    expect(clipSelection(regular([1], [4], [UNLIMITED], [2]), [10])).toEqual(
      blocks([[1], [2]], [[5], [6]], [[9], [9]]),
    );
    expect(clipSelection(regular([5], [1], [1], [UNLIMITED]), [5])).toEqual({ type: "none" });
  });

  it("keep the order of points", () => {
    const points: Selection = { type: "points", points: [[7], [2], [7], [9]] };
    expect(clipSelection(points, [8])).toEqual({ type: "points", points: [[7], [2], [7]] });
    expect(clipSelection(points, [2])).toEqual({ type: "none" });
  });
});

describe("forEachSelectedRun", () => {
  it("visits maximal contiguous runs, each selected element once and in HDF5's order", () => {
    fc.assert(
      fc.property(arbitrarySelection(), ({ selection, shape }) => {
        const runs = runsOf(selection, shape);
        const offsets = runs.flatMap(([from, , length]) => Array.from({ length: length! }, (_, i) => from! + i));
        expect(offsets).toEqual(model(selection, shape).map((at) => offsetIn(shape, at)));
        let position = 0;
        let end = -1;
        for (const [from, to, length] of runs) {
          expect(to).toBe(position);
          expect(from).not.toBe(end);
          position += length!;
          end = from! + length!;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("gives whole arrays, whole rows and neighbouring blocks as one run", () => {
    expect(runsOf({ type: "all" }, [4, 5, 6])).toEqual([[0, 0, 120]]);
    expect(runsOf(regular([1, 0], [1, 5], [1, 1], [2, 5]), [4, 5])).toEqual([[5, 0, 10]]);
    expect(runsOf(regular([0], [2], [4], [2]), [9])).toEqual([[0, 0, 8]]);
    expect(runsOf(regular([0], [2], [UNLIMITED], [2]), [9])).toEqual([[0, 0, 9]]);
    expect(runsOf(blocks([[0], [1]], [[2], [4]]), [9])).toEqual([[0, 0, 5]]);
    expect(
      runsOf(
        {
          type: "points",
          points: [
            [0, 3],
            [0, 4],
            [1, 0],
            [0, 1],
          ],
        },
        [2, 5],
      ),
    ).toEqual([
      [3, 0, 3],
      [1, 3, 1],
    ]);
  });

  it("walks a huge regular selection without materialising it", () => {
    const size = 10_000;
    const slab = regular([0, 0], [3, 3], [3333, 3333], [2, 2]);
    let runs = 0;
    let elements = 0;
    forEachSelectedRun(slab, [size, size], (_, __, length) => {
      runs++;
      elements += length;
    });
    expect(runs).toBe(6666 * 3333);
    expect(elements).toBe(6666 * 6666);
    expect(selectionCount(slab, [size, size])).toBe(elements);
  });
});

describe("projectSelection", () => {
  it("finds the chunks and for each the runs in it, all of the selection once", () => {
    const chunks = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(arbitrarySelection(), chunks, ({ selection, shape }, sizes) => {
        const chunkShape = sizes.slice(0, shape.length);
        const expected = model(selection, shape).map((at, position) => {
          const chunk = at.map((x, i) => Math.floor(x / chunkShape[i]!));
          return `${chunk}/${offsetIn(
            chunkShape,
            at.map((x, i) => x % chunkShape[i]!),
          )}/${position}`;
        });
        const parts = projectSelection(selection, shape, chunkShape);
        const got = parts.flatMap(({ coordinate, forEachRun }) => {
          const inside: string[] = [];
          forEachRun((from, to, length) => {
            for (let i = 0; i < length; i++) inside.push(`${coordinate}/${from + i}/${to + i}`);
          });
          expect(inside.length).toBeGreaterThan(0);
          return inside;
        });
        expect(got.sort()).toEqual(expected.sort());
        expect(new Set(parts.map((part) => String(part.coordinate))).size).toBe(parts.length);
      }),
      { numRuns: 300 },
    );
  });

  it("touches the chunks of far-apart blocks alone", () => {
    const far = blocks(
      [
        [0, 0],
        [0, 0],
      ],
      [
        [10 ** 12, 10 ** 12],
        [10 ** 12, 10 ** 12],
      ],
    );
    const parts = projectSelection(far, [10 ** 13, 10 ** 13], [10, 10]);
    expect(parts.map((part) => part.coordinate)).toEqual([
      [0, 0],
      [10 ** 11, 10 ** 11],
    ]);
  });

  it("gives a chunk that is wholly selected as one run", () => {
    const runs: number[][] = [];
    projectSelection({ type: "all" }, [8, 6], [4, 6])[1]!.forEachRun((...run) => runs.push(run));
    expect(runs).toEqual([[0, 24, 24]]);
  });

  it("refuses more chunks than the limit, and a chunk shape of another rank", () => {
    const limits = { ...defaultLimits, selectionBlocks: 10 };
    const tooMany = { code: "LIMIT_EXCEEDED", limit: "selectionBlocks" };
    expect(errorOf(() => projectSelection({ type: "all" }, [100], [1], { limits }))).toMatchObject(tooMany);
    expect(errorOf(() => projectSelection({ type: "all" }, [2 ** 50], [1]))).toMatchObject(tooMany);
    expect(errorOf(() => projectSelection({ type: "all" }, [100], [1, 1])).code).toBe("INVALID_ARGUMENT");
  });
});

describe("limits", () => {
  it("end the union of blocks that overlap everywhere", () => {
    const nested = blocks(
      ...Array.from({ length: 3000 }, (_, i): [number[], number[]] => [
        [i, i],
        [6000 - i, 6000 - i],
      ]),
    );
    const limits = { ...defaultLimits, nodes: 100_000 };
    const error = errorOf(() => spansOf(nested, [6001, 6001], { limits }));
    expect(error).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "nodes" });
  });

  it("end blocks cut off in each of 32 dimensions, without walking every one", () => {
    const all = (value: number): number[] => new Array<number>(32).fill(value);
    const slab = regular(all(0), all(3), all(2), all(2));
    const tooMany = { code: "LIMIT_EXCEEDED", limit: "selectionBlocks" };
    expect(errorOf(() => clipSelection(slab, all(4)))).toMatchObject(tooMany);
    expect(errorOf(() => boxesOf(slab, all(4)))).toMatchObject(tooMany);
  });

  it("are not met by many blocks that do not overlap", () => {
    const grid = blocks(
      ...cells([150, 150]).map((at): [number[], number[]] => [at.map((x) => x * 3), at.map((x) => x * 3 + 1)]),
    );
    expect(selectionCount(grid, [450, 450])).toBe(300 * 300);
    const nested = blocks(...Array.from({ length: 20_000 }, (_, i): [number[], number[]] => [[i], [40_000 - i]]));
    expect(selectionCount(nested, [40_001])).toBe(40_001);
  });
});

describe("shapes and boxes", () => {
  const slab = regular([5], [3], [UNLIMITED], [2]);

  it.each([[-3], [1.5], [Number.NaN], [Infinity], [2 ** 53]])("of a size of %d are refused", (size) => {
    for (const selection of [slab, { type: "all" }, { type: "points", points: [[0]] }] as const) {
      for (const use of [selectionCount, selectionBounds, clipSelection, checkExtent]) {
        expect(errorOf(() => use(selection, [size])).message).toContain(`got ${size}`);
      }
    }
    expect(errorOf(() => intersectSelection(slab, { start: [size], end: [9] })).code).toBe("INVALID_ARGUMENT");
  });

  it("have the rank of the selection, on both sides", () => {
    expect(errorOf(() => intersectSelection(slab, { start: [], end: [9] })).message).toContain("rank 0, got 1");
    expect(errorOf(() => intersectSelection({ type: "all" }, { start: [0], end: [9, 9] })).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("without dimensions leave what is selected as it is", () => {
    expect(clipSelection({ type: "all" }, [])).toEqual({ type: "all" });
    expect(clipSelection({ type: "none" }, [])).toEqual({ type: "none" });
  });

  it("are refused where offsets in them would not be exact", () => {
    const huge = [2 ** 40, 70_001];
    const corner = regular([2 ** 40 - 1, 69_998], [1, 1], [1, 1], [1, 1]);
    const points: Selection = { type: "points", points: [[2 ** 40 - 1, 69_998]] };
    for (const selection of [corner, points]) {
      expect(errorOf(() => runsOf(selection, huge)).message).toContain("over 2^53-1 elements");
      expect(errorOf(() => projectSelection(selection, huge, huge)).message).toContain("over 2^53-1 elements");
      const [part] = projectSelection(selection, huge, [1024, 1024]);
      part!.forEachRun((...run) => expect(run).toEqual([1023 * 1024 + (69_998 % 1024), 0, 1]));
      expect(part!.coordinate).toEqual([2 ** 30 - 1, Math.floor(69_998 / 1024)]);
    }
  });
});

describe("checkExtent", () => {
  it("wants the rank of the shape, and every element within it", () => {
    const slab = regular([1], [4], [3], [2]);
    checkExtent(slab, [11]);
    expect(errorOf(() => checkExtent(slab, [10])).message).toBe(
      "selection: element 10 is outside dimension 0 of size 10",
    );
    expect(errorOf(() => checkExtent(slab, [11, 1])).message).toBe("selection: expected a selection of rank 2, got 1");
    expect(errorOf(() => checkExtent({ type: "points", points: [[4]] }, [4])).code).toBe("INVALID_ARGUMENT");
    expect(errorOf(() => checkExtent(blocks([[2], [4]]), [4])).code).toBe("INVALID_ARGUMENT");
    checkExtent(regular([9], [3], [UNLIMITED], [2]), [4]);
    checkExtent({ type: "all" }, [4]);
    expect(rankOf({ type: "none" })).toBeUndefined();
  });
});
