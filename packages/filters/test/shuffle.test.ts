import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shuffleDecoder, shuffleEncoder } from "../src/shuffle.ts";

const options = { maxBytes: 1 << 20 };

/** What the filter's documentation says, byte by byte. */
function shuffledSlowly(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size);
  const output = bytes.slice();
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) output[plane * count + i] = bytes[i * size + plane]!;
  }
  return output;
}

/** The same bytes, `shift` bytes into a larger buffer. */
function moved(bytes: Uint8Array, shift: number): Uint8Array {
  const buffer = new Uint8Array(bytes.length + shift);
  buffer.set(bytes, shift);
  return buffer.subarray(shift);
}

describe("shuffle", () => {
  it("puts bytes of one place together, and leaves bytes past the last element", () => {
    const elements = Uint8Array.of(1, 2, 3, 11, 12, 13, 21, 22);
    expect(shuffleEncoder.encode(elements, [3])).toEqual(Uint8Array.of(1, 11, 2, 12, 3, 13, 21, 22));
    expect(shuffleDecoder.decode(Uint8Array.of(1, 11, 2, 12, 3, 13, 21, 22), [3], options)).toEqual(elements);
  });

  it("moves every byte as byte by byte, for every element size, length and alignment, and is undone", () => {
    const sizes = fc.oneof(fc.constantFrom(2, 3, 4, 8, 12, 16), fc.integer({ min: 1, max: 300 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), sizes, fc.nat(3), fc.nat(3), (bytes, size, shift, intoShift) => {
        const shuffled = shuffleEncoder.encode(moved(bytes, shift), [size])!;
        expect(shuffled).toEqual(shuffledSlowly(bytes, size));
        expect(shuffleDecoder.decode(moved(shuffled, shift), [size], options)).toEqual(bytes);
        const into = moved(new Uint8Array(bytes.length).fill(99), intoShift);
        expect(shuffleDecoder.decode(shuffled, [size], { ...options, into })).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it("is undone in memory given for it, if that has the right length", () => {
    const shuffled = shuffledSlowly(
      Uint8Array.from({ length: 40 }, (_, i) => i),
      4,
    );
    const [fits, short] = [new Uint8Array(40), new Uint8Array(39)];
    expect(shuffleDecoder.decode(shuffled, [4], { ...options, into: fits })).toBe(fits);
    expect(shuffleDecoder.decode(shuffled, [4], { ...options, into: short })).toEqual(fits);
    expect(short).toEqual(new Uint8Array(39));
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
