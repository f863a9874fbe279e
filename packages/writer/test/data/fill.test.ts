import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filled, isFilled } from "../../src/data/fill.ts";

const elements = fc.uint8Array({ minLength: 1, maxLength: 9 });

describe("filled", () => {
  it("repeats the fill value", () => {
    fc.assert(
      fc.property(elements, fc.nat(40), (fill, count) => {
        expect([...filled(count, fill.length, fill)]).toEqual(Array.from({ length: count }, () => [...fill]).flat());
      }),
    );
  });

  it("gives zeros where there is none", () => {
    expect(filled(3, 2, undefined)).toEqual(new Uint8Array(6));
  });
});

describe("isFilled", () => {
  it("holds for the fill value alone", () => {
    fc.assert(
      fc.property(
        elements,
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (fill, count, at, flip) => {
          const bytes = filled(count, fill.length, fill);
          expect(isFilled(bytes, fill.length, fill)).toBe(true);
          bytes[at % bytes.length]! ^= flip;
          expect(isFilled(bytes, fill.length, fill)).toBe(false);
        },
      ),
    );
  });

  it("takes zeros for the fill value where there is none", () => {
    expect(isFilled(new Uint8Array(8), 4, undefined)).toBe(true);
    expect(isFilled(Uint8Array.of(0, 0, 0, 1), 4, undefined)).toBe(false);
  });
});
