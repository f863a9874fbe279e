import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaleOffsetDecoder } from "../src/scale-offset.ts";
import { scaleOffsetEncoder } from "../src/scale-offset-encode.ts";

const options = { maxBytes: 1 << 16 };

function parameters(changes: Record<number, number>): number[] {
  return Array.from({ length: 20 }, (_, i) => changes[i] ?? 0);
}

/** Parameters of integers: bits or 0, size, signed, big-endian, fill value. */
function integers(count: number, bits: number, size: number, signed: number, order: number, fill?: number): number[] {
  return parameters({
    0: 2,
    1: bits,
    2: count,
    4: size,
    5: signed,
    6: order,
    7: fill === undefined ? 0 : 1,
    8: fill ?? 0,
  });
}

describe("the scale-offset encoder", () => {
  it("keeps integers of every type, with and without a fill value", () => {
    const types = fc.tuple(
      fc.constantFrom(1, 2, 4, 8),
      fc.nat(1),
      fc.nat(1),
      fc.option(fc.nat(255), { nil: undefined }),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.nat(3)).map((few) => Uint8Array.from(few)),
    );
    fc.assert(
      fc.property(types, bytes, ([size, signed, order, fill], made) => {
        const count = Math.floor(made.length / size);
        const chunk = made.slice(0, count * size);
        const params = integers(count, 0, size, signed, order, fill);
        const encoded = scaleOffsetEncoder.encode(chunk, params)!;
        expect(scaleOffsetDecoder.decode(encoded, params, options)).toEqual(chunk);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps floating-point numbers to half a unit of the last digit", () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.integer({ min: -2, max: 5 }), (values, digits) => {
        const chunk = new Uint8Array(Float64Array.from(values).buffer);
        const params = parameters({ 1: digits >>> 0, 2: values.length, 3: 1, 4: 8 });
        const encoded = scaleOffsetEncoder.encode(chunk, params)!;
        const decoded = scaleOffsetDecoder.decode(encoded, params, options);
        const kept = new Float64Array(decoded.slice().buffer);
        for (const [i, given] of values.entries()) {
          expect(Math.abs(kept[i]! - given)).toBeLessThanOrEqual(0.5 * 10 ** -digits * (1 + 1e-6) + 1e-9);
        }
      }),
    );
  });

  it("gives nothing where a number does not fit the bits asked for", () => {
    const chunk = Uint8Array.of(10, 17);
    expect(scaleOffsetEncoder.encode(chunk, integers(2, 3, 1, 0, 0))).toHaveLength(22);
    expect(scaleOffsetEncoder.encode(chunk, integers(2, 2, 1, 0, 0))).toBeUndefined();
    // The fill value takes one of the codes.
    expect(scaleOffsetEncoder.encode(chunk, integers(2, 3, 1, 0, 0, 99))).toBeUndefined();
    expect(scaleOffsetEncoder.encode(chunk, integers(2, 8, 1, 0, 0))).toBe(chunk);
  });

  it.each([
    ["not a number", [1, Number.NaN]],
    ["infinite", [1, Number.NEGATIVE_INFINITY]],
  ])("refuses numbers that are %s", (_, values) => {
    const chunk = new Uint8Array(Float64Array.from(values).buffer);
    const params = parameters({ 1: 2, 2: values.length, 3: 1, 4: 8 });
    expect(() => scaleOffsetEncoder.encode(chunk, params)).toThrow("cannot be scaled");
  });

  it("refuses a chunk of another size, and parameters the decoder refuses", () => {
    expect(() => scaleOffsetEncoder.encode(new Uint8Array(3), integers(2, 0, 2, 0, 0))).toThrow(
      "expected 4 bytes, got 3",
    );
    expect(() => scaleOffsetEncoder.encode(new Uint8Array(3), [])).toThrow("expected 20 parameters, got 0");
    expect(() => scaleOffsetEncoder.encode(new Uint8Array(4), parameters({ 0: 1, 3: 1, 4: 4 }))).toThrow("E-scaling");
  });
});
