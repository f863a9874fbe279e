import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveSelection, type Sel, type Slice, slice } from "../src/index.ts";

/** Python's slice of [0, size), element by element. */
function model({ start, stop, step }: Slice, size: number): number[] {
  const from = start === null ? 0 : start < 0 ? Math.max(0, start + size) : start;
  const to = stop === null ? size : stop < 0 ? stop + size : Math.min(stop, size);
  const indices: number[] = [];
  for (let i = from; i < to; i += step ?? 1) indices.push(i);
  return indices;
}

describe("slice", () => {
  it("takes a stop, a start and stop, or all three", () => {
    expect(slice(5)).toEqual({ start: null, stop: 5, step: null });
    expect(slice(null)).toEqual({ start: null, stop: null, step: null });
    expect(slice(2, 5)).toEqual({ start: 2, stop: 5, step: null });
    expect(slice(2, null, 3)).toEqual({ start: 2, stop: null, step: 3 });
  });
});

describe("resolveSelection", () => {
  it("takes everything where nothing is said", () => {
    const all = { axes: [{ start: 0, step: 1, count: 4 }], shape: [4] };
    expect(resolveSelection(null, [4])).toEqual(all);
    expect(resolveSelection(undefined, [4])).toEqual(all);
    expect(resolveSelection([null], [4])).toEqual(all);
    expect(resolveSelection([slice(null)], [4])).toEqual(all);
    expect(resolveSelection([], [])).toEqual({ axes: [], shape: [] });
  });

  it("drops the dimensions of integers, which count from the end where negative", () => {
    const { axes, shape } = resolveSelection([-1, slice(1, -1), 0], [4, 5, 6]);
    expect(axes).toEqual([
      { start: 3, step: 1, count: 1 },
      { start: 1, step: 1, count: 3 },
      { start: 0, step: 1, count: 1 },
    ]);
    expect(shape).toEqual([3]);
  });

  it("slices as Python does", () => {
    const bound = fc.option(fc.integer({ min: -14, max: 14 }), { nil: null });
    const step = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
    fc.assert(
      fc.property(bound, bound, step, fc.integer({ min: 0, max: 9 }), (start, stop, by, size) => {
        const { axes, shape } = resolveSelection([slice(start, stop, by)], [size]);
        const taken = Array.from({ length: axes[0]!.count }, (_, i) => axes[0]!.start + i * axes[0]!.step);
        expect(taken).toEqual(model(slice(start, stop, by), size));
        expect(shape).toEqual([taken.length]);
      }),
    );
  });

  it.each<[string, Sel[], string]>([
    ["too few members", [0], "expected a selection of 2 members, got 1"],
    ["too many members", [0, 0, 0], "of 2 members, got 3"],
    ["a pair in place of a slice", [[1, 3] as never, 0], "expected a slice along dimension 0, got [1,3]"],
    ["nothing in place of null", [undefined as never, 0], "along dimension 0, got undefined"],
    ["an index past the end", [0, 6], "index 6 is outside dimension 1 of size 6"],
    ["an index before the start", [-5, 0], "index -5 is outside dimension 0 of size 4"],
    ["a fraction", [0.5, 0], "expected an integer along dimension 0, got 0.5"],
    ["NaN", [slice(Number.NaN, 1), 0], "expected an integer"],
    ["a bigint", [1n as unknown as Sel, 0], "a number, null or a slice along dimension 0, got 1"],
    ["a string", [0, "1" as unknown as Sel], "a number, null or a slice along dimension 1, got 1"],
    ["a step of 0", [slice(0, 1, 0), 0], "step of at least 1 along dimension 0, got 0"],
    ["a negative step", [0, slice(null, null, -1)], "step of at least 1 along dimension 1, got -1"],
  ])("refuses %s", (_, selection, message) => {
    expect(() => resolveSelection(selection, [4, 6])).toThrow(message);
  });
});
