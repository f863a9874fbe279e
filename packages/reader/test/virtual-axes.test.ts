import type { Axis } from "@h5/selection";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meetAxes } from "../src/virtual-axes.ts";

const axis = fc.record({
  start: fc.nat(30),
  step: fc.integer({ min: 1, max: 12 }),
  count: fc.integer({ min: 1, max: 9 }),
});

function positions({ start, step, count }: Axis): number[] {
  return Array.from({ length: count }, (_, i) => start + i * step);
}

describe("meetAxes", () => {
  it("finds the positions that two choices share", () => {
    fc.assert(
      fc.property(axis, axis, (requested, mapped) => {
        const shared = positions(requested).filter((at) => positions(mapped).includes(at));
        const [found] = meetAxes([requested], [mapped]) ?? [];
        const from = (first = 0, step = 0) => Array.from({ length: found?.count ?? 0 }, (_, i) => first + i * step);
        expect(from(found?.mapped, found?.mappedStep).map((k) => positions(mapped)[k])).toEqual(shared);
        expect(from(found?.requested, found?.requestedStep).map((k) => positions(requested)[k])).toEqual(shared);
      }),
    );
  });

  it("does not search for them", () => {
    const requested = { start: 1, step: 2 ** 50, count: 4 };
    expect(meetAxes([requested], [{ start: 0, step: 3, count: 2 ** 51 }])).toEqual([
      { mapped: (2 ** 51 + 1) / 3, mappedStep: 2 ** 50, requested: 2, requestedStep: 3, count: 1 },
    ]);
    expect(meetAxes([requested], [{ start: 0, step: 2, count: 2 ** 51 }])).toBeUndefined();
  });
});
