import fc from "fast-check";
import type { HyperslabBlock, Selection } from "../src/index.ts";

export interface Case {
  selection: Selection;
  shape: number[];
}

const axis = fc.record({
  start: fc.nat(4),
  gap: fc.nat(2),
  count: fc.integer({ min: 1, max: 3 }),
  block: fc.integer({ min: 1, max: 3 }),
  spare: fc.nat(2),
});

const regular: fc.Arbitrary<Case> = fc.array(axis, { minLength: 1, maxLength: 3 }).map((axes) => ({
  selection: {
    type: "hyperslab",
    form: "regular",
    start: axes.map((a) => a.start),
    stride: axes.map((a) => a.block + a.gap),
    count: axes.map((a) => a.count),
    block: axes.map((a) => a.block),
  },
  shape: axes.map((a) => a.start + (a.count - 1) * (a.block + a.gap) + a.block + a.spare),
}));

const shapes = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 });

function coordinate(shape: readonly number[]): fc.Arbitrary<number[]> {
  return fc.tuple(...shape.map((size) => fc.nat(size - 1)));
}

function block(shape: readonly number[]): fc.Arbitrary<HyperslabBlock> {
  return fc.tuple(coordinate(shape), coordinate(shape)).map(([a, b]) => ({
    start: a.map((x, i) => Math.min(x, b[i]!)),
    end: a.map((x, i) => Math.max(x, b[i]!)),
  }));
}

const blocks: fc.Arbitrary<Case> = shapes.chain((shape) =>
  fc.array(block(shape), { minLength: 1, maxLength: 6 }).map((list) => ({
    selection: { type: "hyperslab", form: "blocks", blocks: list },
    shape,
  })),
);

const points: fc.Arbitrary<Case> = shapes.chain((shape) =>
  fc.array(coordinate(shape), { minLength: 1, maxLength: 12 }).map((list) => ({
    selection: { type: "points", points: list },
    shape,
  })),
);

const whole: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom("none" as const, "all" as const), shapes)
  .map(([type, shape]) => ({ selection: { type }, shape }));

/** A selection of any kind that fits its small shape. */
export function arbitrarySelection(): fc.Arbitrary<Case> {
  return fc.oneof(regular, blocks, blocks, points, whole);
}
