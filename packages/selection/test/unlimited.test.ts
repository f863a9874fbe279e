import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clipUnlimited,
  selectedCoordinates,
  sizeOfSlices,
  slicesWithin,
  type UnlimitedHyperslab,
  unlimitedBlock,
  unlimitedOf,
} from "../src/index.ts";

const slab = (start: number, stride: number, count: number, block: number): UnlimitedHyperslab =>
  unlimitedOf({
    type: "hyperslab",
    form: "regular",
    start: [2, start],
    stride: [3, stride],
    count: [2, count],
    block: [1, block],
  })!;

/** Blocks without end, apart or touching, and a block without end. */
const slabs = fc
  .record({ start: fc.nat(5), block: fc.integer({ min: 1, max: 4 }), gap: fc.nat(3), endless: fc.boolean() })
  .map(({ start, block, gap, endless }) =>
    endless ? slab(start, 1, 1, Infinity) : slab(start, block + gap, Infinity, block),
  );

/** Positions along the unlimited dimension, one by one. */
function positions(unlimited: UnlimitedHyperslab, size: number): number[] {
  return [...new Set([...selectedCoordinates(unlimited.slab, [6, size])].map(([, at]) => at!))];
}

describe("unlimitedOf", () => {
  it("finds the dimension, and no other selections", () => {
    expect(slab(0, 2, Infinity, 1).axis).toBe(1);
    expect(slab(0, 1, 1, Infinity).axis).toBe(1);
    expect(unlimitedOf({ type: "all" })).toBeUndefined();
    expect(unlimitedOf({ type: "points", points: [[1]] })).toBeUndefined();
    expect(
      unlimitedOf({ type: "hyperslab", form: "regular", start: [0], stride: [1], count: [2], block: [1] }),
    ).toBeUndefined();
  });
});

describe("slices of an unlimited selection", () => {
  it("within a size are as many as its positions", () => {
    fc.assert(
      fc.property(slabs, fc.nat(30), (unlimited, size) => {
        expect(slicesWithin(unlimited, size)).toBe(positions(unlimited, size).length);
      }),
    );
  });

  it("take the least size that has them, or with the gap all up to the next one", () => {
    fc.assert(
      fc.property(slabs, fc.nat(20), (unlimited, slices) => {
        const size = sizeOfSlices(unlimited, slices, false);
        expect(slicesWithin(unlimited, size)).toBe(slices);
        if (size > 0) expect(slicesWithin(unlimited, size - 1)).toBe(slices - 1);
        const wide = sizeOfSlices(unlimited, slices, true);
        expect(slicesWithin(unlimited, wide)).toBe(slices);
        expect(slicesWithin(unlimited, wide + 1)).toBe(slices + 1);
      }),
    );
  });
});

describe("clipUnlimited", () => {
  it("leaves what is within the size", () => {
    fc.assert(
      fc.property(slabs, fc.nat(30), (unlimited, size) => {
        const clipped = clipUnlimited(unlimited, size);
        expect([...selectedCoordinates(clipped, [6, 30])]).toEqual([...selectedCoordinates(unlimited.slab, [6, size])]);
      }),
    );
  });
});

describe("unlimitedBlock", () => {
  it("gives the blocks one after the other", () => {
    const unlimited = slab(1, 5, Infinity, 2);
    const coordinates = [0, 1, 2].flatMap((i) => [...selectedCoordinates(unlimitedBlock(unlimited, i), [6, 30])]);
    expect(coordinates.map(([, at]) => at)).toEqual([1, 2, 1, 2, 6, 7, 6, 7, 11, 12, 11, 12]);
  });
});
