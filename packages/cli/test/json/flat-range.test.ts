import { resolveSelection } from "@h5/selection";
import { shapes } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatSelections } from "../../src/json/flat-range.ts";

/** Row-major flat indexes of what a selection takes. */
function flatIndexes(
  selection: ReturnType<typeof flatSelections>[number]["selection"],
  shape: readonly number[],
): number[] {
  const { axes } = resolveSelection(selection, shape);
  let indexes = [0];
  for (const [i, { start, step, count }] of axes.entries()) {
    const places = Array.from({ length: count }, (_, k) => start + k * step);
    indexes = indexes.flatMap((index) => places.map((place) => index * shape[i]! + place));
  }
  return indexes;
}

describe("flatSelections", () => {
  it("together take exactly the range, in order", () => {
    const ranges = shapes(4, 300).chain((shape) => {
      const total = shape.reduce((product, length) => product * length, 1);
      return fc.record({ shape: fc.constant(shape), start: fc.nat(total), length: fc.nat(total) }).map((range) => ({
        ...range,
        length: Math.min(range.length, total - range.start),
      }));
    });
    fc.assert(
      fc.property(ranges, ({ shape, start, length }) => {
        const parts = flatSelections(shape, start, length);
        expect(parts.flatMap(({ selection }) => flatIndexes(selection, shape))).toEqual(
          Array.from({ length }, (_, i) => start + i),
        );
        expect(parts.map(({ selection, count }) => flatIndexes(selection, shape).length === count)).not.toContain(
          false,
        );
        expect(parts.length).toBeLessThanOrEqual(2 * shape.length);
      }),
    );
  });

  it("take everything at once, and a scalar as an array of one", () => {
    expect(flatSelections([3, 4], 0, 12).length).toBe(1);
    expect(flatSelections([], 0, 1)).toEqual([{ selection: null, count: 1 }]);
  });
});
