import { describe, expect, it } from "vitest";
import { scaleOffsetDecoder } from "../src/scale-offset.ts";
import { unhex } from "./chunks.ts";

const options = { maxBytes: 1000, address: 32 };
/** Parameters of `count` unsigned little-endian 16-bit integers without a fill value, some of them changed. */
function parameters(count: number, changes: Record<number, number> = {}): number[] {
  return Array.from({ length: 20 }, (_, i) => changes[i] ?? [2, 0, count, 0, 2, 0, 0, 0][i] ?? 0);
}
const header = (bits: string, minimum: string) => `${bits}000000 08 ${minimum}${"00".repeat(14)}`;

describe("the scale-offset decoder", () => {
  it("adds the minimum, wrapping as the C code does", () => {
    const chunk = unhex(`${header("04", "feff")} 0123`);
    expect(scaleOffsetDecoder.decode(chunk, parameters(4), options)).toEqual(unhex("feff ffff 0000 0100"));
    expect(scaleOffsetDecoder.decode(chunk, parameters(4, { 6: 1 }), options)).toEqual(unhex("fffe ffff 0000 0001"));
  });

  it("takes all ones for the fill value, where there is one", () => {
    const chunk = unhex(`${header("04", "0100")} 0f`);
    expect(scaleOffsetDecoder.decode(chunk, parameters(2), options)).toEqual(unhex("0100 1000"));
    expect(scaleOffsetDecoder.decode(chunk, parameters(2, { 7: 1, 8: 0xffff0063 }), options)).toEqual(
      unhex("0100 6300"),
    );
  });

  it("puts them in memory that begins at whole elements", () => {
    const chunk = unhex(`${header("04", "feff")} 0123`);
    const memory = new Uint8Array(10);
    const decode = (into: Uint8Array) => scaleOffsetDecoder.decode(chunk, parameters(4), { ...options, into });
    const [even, odd] = [memory.subarray(2), memory.subarray(1, 9)];
    expect(decode(even)).toBe(even);
    expect(decode(odd)).not.toBe(odd);
    expect(decode(odd)).toEqual(unhex("feff ffff 0000 0100"));
  });

  it("takes a shorter minimum", () => {
    const chunk = unhex(`00000000 01 0502 ${"00".repeat(14)}`);
    expect(scaleOffsetDecoder.decode(chunk, parameters(2), options)).toEqual(unhex("0500 0500"));
  });

  it.each([
    ["too few parameters", [2, 0, 1, 0, 2], "expected 20 parameters, got 5"],
    ["E-scaling", parameters(1, { 0: 1, 3: 1, 4: 4 }), "E-scaling (scale type 1)"],
    ["a float scale type for integers", parameters(1, { 0: 0 }), "scale type 0 for class 0"],
    ["the integer scale type for floats", parameters(1, { 3: 1, 4: 4 }), "scale type 2 for class 1"],
    ["an unknown class", parameters(1, { 3: 2 }), "scale type 2 for class 2"],
    ["an odd integer size", parameters(1, { 4: 3 }), "expected an element size of 1, 2, 4, 8, got 3"],
    ["an odd float size", parameters(1, { 0: 0, 3: 1, 4: 2 }), "expected an element size of 4, 8, got 2"],
    ["an unknown byte order", parameters(1, { 6: 2 }), "expected byte order 0 or 1, got 2"],
    ["too large a scale factor", parameters(1, { 1: 17 }), "expected at most 16 bits, got 17"],
    ["more elements than the limit", parameters(501), "needs 1002, limits.chunkBytes allows 1000"],
    ["more elements than the chunk has", parameters(9), "expected 26 bytes, got 25"],
  ])("refuses %s", (_, params, message) => {
    const chunk = unhex(`${header("04", "0000")} 01234567`);
    expect(() => scaleOffsetDecoder.decode(chunk, params, options)).toThrow(message);
  });

  it("refuses a chunk without its header, or with more bits than an element", () => {
    expect(() => scaleOffsetDecoder.decode(new Uint8Array(20), parameters(1), options)).toThrow(
      "scaleoffset filter: expected a header of 21 bytes, got 20 (at address 32)",
    );
    const chunk = unhex(`${header("11", "0000")} 01234567`);
    expect(() => scaleOffsetDecoder.decode(chunk, parameters(1), options)).toThrow("at most 16 bits a number, got 17");
  });

  it("gives a chunk that was left as it is", () => {
    const chunk = unhex("0102 0304");
    expect(scaleOffsetDecoder.decode(chunk, parameters(2, { 1: 16 }), options)).toBe(chunk);
  });
});
