import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader } from "../src/byte-reader.ts";
import { ByteWriter } from "../src/byte-writer.ts";
import { hex } from "./hex.ts";

const widths = { offsetSize: 8, lengthSize: 4 };
const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT", structure: "thing" });

describe("ByteWriter", () => {
  it("writes what ByteReader reads", () => {
    const to = new ByteWriter(36, "thing");
    to.ascii("OHDR");
    to.u8(1);
    to.u16(0x0302);
    to.u32(0x07060504);
    to.align(8);
    to.offsetField(undefined, widths);
    to.lengthField(7, widths);
    to.align(8, 4);
    to.put(hex("aabb"));
    to.skip(2);
    to.lengthField(undefined, widths);
    expect(to.finish()).toEqual(
      hex("4f484452 01 0203 04050607 0000000000 ffffffffffffffff 07000000 aabb 0000 ffffffff"),
    );
  });

  it("writes any integer so that it reads back", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 8 }), (value, width) => {
        const to = new ByteWriter(width, "thing");
        if (BigInt(value) >= 256n ** BigInt(width)) expect(() => to.uint(value, width)).toThrow(invalid);
        else {
          to.uint(value, width);
          expect(new ByteReader(to.finish(), "thing").uint(width)).toBe(value);
        }
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const to = new ByteWriter(8, "thing");
        to.bigU64(value);
        expect(new ByteReader(to.finish(), "thing").bigU64()).toBe(value);
      }),
    );
  });

  it("refuses numbers that do not fit", () => {
    const to = new ByteWriter(8, "thing");
    for (const value of [-1, 256, 1.5, Number.NaN, 2 ** 53]) expect(() => to.u8(value)).toThrow(invalid);
    expect(() => to.u64(2 ** 53)).toThrow(invalid);
    expect(() => to.bigU64(-1n)).toThrow(invalid);
    expect(() => to.bigU64(2n ** 64n)).toThrow(invalid);
    expect(() => to.ascii("é")).toThrow(invalid);
  });

  it("refuses to write past what was measured, or less", () => {
    const to = new ByteWriter(4, "thing");
    to.u8(1);
    expect(() => to.u32(1)).toThrow("thing: measured 4 bytes, needs at least 5");
    expect(() => to.put(new Uint8Array(4))).toThrow(invalid);
    expect(() => to.skip(-1)).toThrow(invalid);
    expect(() => to.finish()).toThrow("thing: measured 4 bytes, wrote 1");
    to.skip(3);
    expect(to.finish()).toEqual(hex("01000000"));
  });
});
