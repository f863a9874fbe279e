import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coalesce, sliceBack } from "../src/coalesce.ts";
import { patternBytes } from "./bytes.ts";

const BLOCK = 65536;
const at = (...starts: number[]) => starts.map((start) => ({ start, end: start + 100 }));
const spans = (extents: readonly { start: number; end: number }[]) => extents.map(({ start, end }) => [start, end]);

describe("coalesce", () => {
  it("merges ranges up to a block apart, in address order", () => {
    const extents = coalesce(at(200 + BLOCK, 1000000, 100));
    expect(extents).toEqual([
      { start: 100, end: 300 + BLOCK, members: [2, 0] },
      { start: 1000000, end: 1000100, members: [1] },
    ]);
    expect(spans(coalesce(at(0, 101 + BLOCK)))).toEqual([
      [0, 100],
      [101 + BLOCK, 201 + BLOCK],
    ]);
  });

  it("takes overlapping, contained and equal ranges", () => {
    const ranges = [
      { start: 10, end: 1000000 },
      { start: 20, end: 30 },
      { start: 10, end: 1000000 },
      { start: 999999, end: 1000001 },
    ];
    expect(spans(coalesce(ranges))).toEqual([[10, 1000001]]);
    expect(coalesce([])).toEqual([]);
  });

  it("keeps 32 extents as they are, and widens the gap for more, up to eight times", () => {
    const every = (step: number, count: number) => at(...Array.from({ length: count }, (_, i) => i * step));
    expect(coalesce(every(2 * BLOCK, 32))).toHaveLength(32);
    expect(coalesce(every(2 * BLOCK, 33), { maxBytes: Number.POSITIVE_INFINITY })).toHaveLength(1);
    expect(coalesce(every(9 * BLOCK, 100))).toHaveLength(100);
  });

  it("widens only as far as it takes", () => {
    // 31 holes of seven blocks part 32 groups, each with a hole of two blocks.
    const ranges = Array.from({ length: 32 }, (_, i) => at(i * 10 * BLOCK, i * 10 * BLOCK + 2 * BLOCK)).flat();
    expect(coalesce(ranges)).toHaveLength(32);
  });

  it("does not join neighbours to more than maxBytes", () => {
    expect(spans(coalesce(at(0, 100, 200, 300), { maxBytes: 200 }))).toEqual([
      [0, 200],
      [200, 400],
    ]);
    expect(spans(coalesce([{ start: 0, end: 1000 }, ...at(1000)], { maxBytes: 200 }))).toEqual([
      [0, 1000],
      [1000, 1100],
    ]);
  });
});

describe("sliceBack", () => {
  it("gives every range its own bytes, cut at the end of the source", () => {
    const bytes = patternBytes(5000);
    const ranges = fc.array(fc.tuple(fc.nat(6000), fc.nat(500)).map(([start, n]) => ({ start, end: start + n })));
    fc.assert(
      fc.property(ranges, fc.nat(100), fc.integer({ min: 1, max: 2000 }), (ranges, gap, maxBytes) => {
        const extents = coalesce(ranges, { gap, maxBytes });
        const answers = extents.map(({ start, end }) => bytes.subarray(start, end));
        expect(sliceBack(ranges, extents, answers)).toEqual(ranges.map(({ start, end }) => bytes.subarray(start, end)));
      }),
    );
  });
});
