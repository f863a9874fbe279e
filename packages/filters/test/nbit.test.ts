import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nbitDecoder, nbitEncoder } from "../src/nbit.ts";
import { unhex } from "./chunks.ts";
import { nbitType } from "./nbit-type.ts";

const options = { maxBytes: 1000, address: 32 };
const counted = (...rest: number[]) => [rest.length + 1, ...rest];

describe("the nbit decoder", () => {
  it("puts packed bits where the number has them, either order", () => {
    // Three numbers of 10 bits at bit 3 of 2 bytes: 0x2aa, 0x155, 0x3ff.
    const packed = unhex("aa 95 5f fc");
    expect(nbitDecoder.decode(packed, counted(0, 3, 1, 2, 0, 10, 3), options)).toEqual(unhex("5015 a80a f81f"));
    expect(nbitDecoder.decode(packed, counted(0, 3, 1, 2, 1, 10, 3), options)).toEqual(unhex("1550 0aa8 1ff8"));
  });

  it("gives the bytes as they are where nothing is packed", () => {
    const bytes = unhex("0102");
    expect(nbitDecoder.decode(bytes, [3, 1, 1], options)).toBe(bytes);
  });

  it.each([
    ["no parameters", [], "the first telling how many"],
    ["a wrong number of parameters", [9, 0, 1, 1, 4, 0, 8, 0], "the first telling how many"],
    ["no datatype", counted(0, 1), "goes on past the 3 parameters"],
    ["a datatype cut short", counted(0, 1, 1, 4, 0), "goes on past the 6 parameters"],
    ["an unknown datatype", counted(0, 1, 5, 4), "expected datatype 1 to 4, got 5"],
    ["a datatype of no bytes", counted(0, 1, 1, 0, 0, 0, 0), "a datatype of no bytes"],
    [
      "more bits than the number has",
      counted(0, 1, 1, 2, 0, 10, 7),
      "precision 10 and offset 7 in a number of 2 bytes",
    ],
    ["no bits", counted(0, 1, 1, 2, 0, 0, 0), "without stored bits"],
    ["an array of arrays of nothing", counted(0, 1, 2, 8, 2, 1, 1, 2, 0, 10, 0), "without stored bits"],
    ["a compound without members", counted(0, 1, 3, 8, 0), "without stored bits"],
    ["a member outside its compound", counted(0, 1, 3, 4, 1, 2, 4, 3), "a member at 2 of 3 bytes in a compound of 4"],
    ["an array of huge datatypes", counted(0, 1, 2, 8, 4, 4294967295), "expected 64 packed bits, got 32"],
  ])("refuses %s", (_, params, message) => {
    expect(() => nbitDecoder.decode(unhex("01020304"), params, options)).toThrow(message);
  });

  it("refuses more elements than there are bits, and more than the limit", () => {
    const params = (count: number) => counted(0, count, 1, 2, 0, 3, 0);
    expect(nbitDecoder.decode(unhex("01020304"), params(10), options)).toHaveLength(20);
    expect(() => nbitDecoder.decode(unhex("01020304"), params(11), options)).toThrow("expected 33 packed bits, got 32");
    expect(() => nbitDecoder.decode(unhex("01020304"), params(501), options)).toThrow("needs 1002, limits.chunkBytes");
    const huge = counted(0, 4294967295, 4, 4294967295);
    expect(() => nbitDecoder.decode(unhex("01020304"), huge, options)).toThrow("limits.chunkBytes");
  });

  it("refuses deep nesting", () => {
    const params = counted(0, 1, ...Array.from({ length: 100 }, () => [2, 4]).flat(), 4, 4);
    expect(() => nbitDecoder.decode(unhex("01020304"), params, options)).toThrow("nested more than 64 deep");
  });
});

describe("the nbit encoder", () => {
  it("keeps the significant bits of any datatype and clears the others", () => {
    const chunks = fc.tuple(nbitType, fc.uint8Array({ minLength: 1, maxLength: 400 }));
    fc.assert(
      fc.property(chunks, ([{ params, size }, noise]) => {
        const count = Math.ceil(noise.length / size);
        const elements = new Uint8Array(count * size);
        elements.set(noise);
        const all = [params.length + 3, 0, count, ...params];
        const once = nbitDecoder.decode(nbitEncoder.encode(elements, all)!, all, { maxBytes: 10000 });
        expect(once).toHaveLength(elements.length);
        expect(once.every((byte, i) => (byte & ~elements[i]!) === 0)).toBe(true);
        const packed = nbitEncoder.encode(once, all)!;
        expect(nbitDecoder.decode(packed, all, { maxBytes: 10000 })).toEqual(once);
        expect(packed).toEqual(nbitEncoder.encode(elements, all));
      }),
    );
  });

  it("gives nothing where libhdf5 would lose bits, and the bytes where nothing is packed", () => {
    const pair = [3, 12, 2, 0, 2, 8, 2, 4, 1, 4, 0, 7, 0, 8, 1, 4, 0, 7, 0];
    expect(nbitEncoder.encode(new Uint8Array(12), counted(0, 1, ...pair))).toBeUndefined();
    const alone = [3, 8, 1, 0, 2, 8, 2, 4, 1, 4, 0, 7, 0];
    expect(nbitEncoder.encode(new Uint8Array(8), counted(0, 1, ...alone))).toHaveLength(2);
    const bytes = new Uint8Array(4);
    expect(nbitEncoder.encode(bytes, [3, 1, 4])).toBe(bytes);
  });

  it("refuses a chunk of another size", () => {
    const run = () => nbitEncoder.encode(new Uint8Array(3), counted(0, 2, 1, 2, 0, 10, 3));
    expect(run).toThrow("nbit filter: expected 4 bytes, got 3");
  });
});
