import fc from "fast-check";
import { expect, it } from "vitest";
import { forEachRunBetween, forEachSelectedRun, type SpanSelection, spansOf } from "../src/index.ts";

const regular = fc
  .array(
    fc.record({
      start: fc.nat(3),
      block: fc.integer({ min: 1, max: 3 }),
      gap: fc.nat(2),
      count: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((axes): { selection: SpanSelection; shape: number[] } => ({
    selection: {
      type: "hyperslab",
      form: "regular",
      start: axes.map(({ start }) => start),
      stride: axes.map(({ block, gap }) => block + gap),
      count: axes.map(({ count }) => count),
      block: axes.map(({ block }) => block),
    },
    shape: axes.map(({ start, block, gap, count }) => start + (block + gap) * count + 1),
  }));

const blocks = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 4 })
  .map((boxes): { selection: SpanSelection; shape: number[] } => ({
    selection: {
      type: "hyperslab",
      form: "blocks",
      blocks: boxes.map(([y, x, height, width]) => ({ start: [y, x], end: [y + height, x + width] })),
    },
    shape: [8, 8],
  }));

const whole = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
  .map((shape): { selection: SpanSelection; shape: number[] } => ({ selection: { type: "all" }, shape }));

/** Offsets of elements by their positions, from runs. */
function elements(visitRuns: (visit: (source: number, target: number, length: number) => void) => void): number[] {
  const offsets: number[] = [];
  visitRuns((source, target, length) => {
    for (let i = 0; i < length; i++) offsets[target + i] = source + i;
  });
  return offsets;
}

it("visits the elements that visiting all of them does, and no others", () => {
  fc.assert(
    fc.property(fc.oneof(regular, blocks, whole), fc.nat(), fc.nat(), ({ selection, shape }, a, b) => {
      const all = elements((visit) => forEachSelectedRun(selection, shape, visit));
      const position = a % all.length;
      const length = b % (all.length - position + 1);
      const some = elements((visit) =>
        forEachRunBetween(spansOf(selection, shape), shape, position, length, (source, target, own) =>
          visit(source, target - position, own),
        ),
      );
      expect(some).toEqual(all.slice(position, position + length));
    }),
  );
});

it("takes rows that are whole as one run", () => {
  const runs: number[][] = [];
  const shape = [4, 5];
  const spans = spansOf({ type: "all" }, shape);
  forEachRunBetween(spans, shape, 3, 14, (...run) => runs.push(run));
  expect(runs).toEqual([[3, 3, 14]]);
});
