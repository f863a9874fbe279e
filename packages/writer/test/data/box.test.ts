import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyBox, type ElementBox, intersectBoxes } from "../../src/data/box.ts";

const axis = fc.record({ start: fc.nat(6), size: fc.integer({ min: 1, max: 5 }) });
const boxes = fc
  .integer({ min: 0, max: 4 })
  .chain((rank) => fc.tuple(...[0, 1].map(() => fc.array(axis, { minLength: rank, maxLength: rank }).map(boxOf))));

function boxOf(axes: readonly { readonly start: number; readonly size: number }[]): ElementBox {
  return { start: axes.map(({ start }) => start), shape: axes.map(({ size }) => size) };
}

/** Coordinates of a box's elements, row-major. */
function elements({ start, shape }: ElementBox): string[] {
  const all = shape.reduce<number[][]>(
    (outer, size, d) => outer.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, start[d]! + i])),
    [[]],
  );
  return all.map((at) => at.join());
}

function tagged(box: ElementBox, elementSize: number, first: number) {
  const bytes = Uint8Array.from({ length: elements(box).length * elementSize }, (_, i) => first + i);
  return { ...box, bytes };
}

describe("intersectBoxes", () => {
  it("gives the box of the elements that both have", () => {
    fc.assert(
      fc.property(boxes, ([a, b]) => {
        const part = intersectBoxes(a!, b!);
        const both = elements(a!).filter((at) => elements(b!).includes(at));
        expect(part === undefined ? [] : elements(part)).toEqual(both);
      }),
    );
  });
});

describe("copyBox", () => {
  it("copies each element of the part to its place and touches no other", () => {
    fc.assert(
      fc.property(boxes, fc.constantFrom(1, 3, 8), ([a, b], elementSize) => {
        const [source, target] = [tagged(a!, elementSize, 0), tagged(b!, elementSize, 100)];
        const part = intersectBoxes(source, target);
        if (part === undefined) return;
        const before = target.bytes.slice();
        copyBox(part, source, target, elementSize);
        const inside = elements(part);
        for (const [i, at] of elements(target).entries()) {
          const from = inside.includes(at) ? elements(source).indexOf(at) * elementSize : undefined;
          const got = target.bytes.subarray(i * elementSize, (i + 1) * elementSize);
          const expected =
            from === undefined
              ? before.subarray(i * elementSize, (i + 1) * elementSize)
              : source.bytes.subarray(from, from + elementSize);
          expect(got).toEqual(expected);
        }
      }),
    );
  });
});
