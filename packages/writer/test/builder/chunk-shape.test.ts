import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guessChunkShape } from "../../src/builder/chunk-shape.ts";

describe("guessChunkShape", () => {
  it("is the whole of what is small", () => {
    expect(guessChunkShape([10, 20], [10, 20], 8)).toEqual([10, 20]);
    expect(guessChunkShape([0, 20], [Infinity, 20], 8)).toEqual([1024, 20]);
    expect(guessChunkShape([0], [5], 8)).toEqual([5]);
  });

  it("has elements, fits the shape, and is of at most 256 KiB where elements are not larger", () => {
    const axis = fc.record({ size: fc.oneof(fc.nat(5), fc.nat(2 ** 40)), room: fc.constantFrom(0, 1, Infinity) });
    fc.assert(
      fc.property(
        fc.array(axis, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 100000 }),
        (axes, elementSize) => {
          const shape = axes.map(({ size }) => size);
          const maxShape = axes.map(({ size, room }) => size + room);
          const chunk = guessChunkShape(shape, maxShape, elementSize);
          expect(chunk.length).toBe(shape.length);
          for (const [d, size] of chunk.entries()) {
            expect(Number.isSafeInteger(size) && size >= 1).toBe(true);
            if (shape[d]! > 0) expect(size).toBeLessThanOrEqual(shape[d]!);
          }
          expect(chunk.reduce((product, size) => product * size, elementSize)).toBeLessThanOrEqual(256 * 1024);
        },
      ),
    );
  });
});
