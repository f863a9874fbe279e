import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shuffleDecoder, shuffleEncoder } from "../src/shuffle.ts";

const options = { maxBytes: 1 << 20 };

describe("shuffle", () => {
  it("puts bytes of one place together, and leaves bytes past the last element", () => {
    const elements = Uint8Array.of(1, 2, 3, 11, 12, 13, 21, 22);
    expect(shuffleEncoder.encode(elements, [3])).toEqual(Uint8Array.of(1, 11, 2, 12, 3, 13, 21, 22));
    expect(shuffleDecoder.decode(Uint8Array.of(1, 11, 2, 12, 3, 13, 21, 22), [3], options)).toEqual(elements);
  });

  it("is undone for every element size, length and alignment", () => {
    const sizes = fc.oneof(fc.constantFrom(2, 4, 8, 12, 16), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), sizes, fc.nat(3), (bytes, size, shift) => {
        const shuffled = shuffleEncoder.encode(bytes, [size])!;
        const moved = new Uint8Array(shuffled.length + shift);
        moved.set(shuffled, shift);
        expect(shuffleDecoder.decode(moved.subarray(shift), [size], options)).toEqual(bytes);
      }),
      { numRuns: 1000 },
    );
  });

  it("changes nothing with single bytes or a single element", () => {
    const bytes = Uint8Array.of(5, 6, 7);
    expect(shuffleDecoder.decode(bytes, [1], options)).toBe(bytes);
    expect(shuffleDecoder.decode(bytes, [2], options)).toBe(bytes);
    expect(shuffleDecoder.decode(bytes, [4294967295], options)).toBe(bytes);
  });

  it.each([[[]], [[0]], [[4, 4]]])("refuses parameters %j", (params) => {
    const bytes = new Uint8Array(8);
    expect(() => shuffleDecoder.decode(bytes, params, options)).toThrow("shuffle filter: expected one parameter");
    expect(() => shuffleEncoder.encode(bytes, params)).toThrow("expected one parameter");
  });
});
