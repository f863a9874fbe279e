import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader } from "../src/byte-reader.ts";
import { hex } from "./hex.ts";

const eof = expect.objectContaining({ code: "UNEXPECTED_EOF" });
const widths = { offsetSize: 8, lengthSize: 4 };
const reader = (text: string, address?: number): ByteReader => new ByteReader(hex(text), "thing", address);

describe("ByteReader", () => {
  it("reads little-endian integers of every width", () => {
    const from = reader("01 0203 04050607 08090a0b0c0d0e00 010203 0102030405060708");
    expect([from.u8(), from.u16(), from.u32()]).toEqual([1, 0x0302, 0x07060504]);
    expect(from.u64()).toBe(0x0e0d0c0b0a0908);
    expect(from.uint(3)).toBe(0x030201);
    expect(from.bigU64()).toBe(0x0807060504030201n);
    expect(from.remaining).toBe(0);
  });

  it("takes a u64 up to 2^53-1 and refuses more, at its address", () => {
    expect(reader("ffffffffffff1f00").u64()).toBe(Number.MAX_SAFE_INTEGER);
    for (const more of ["0000000000002000", "0100000000002000", "ffffffffffffffff"]) {
      expect(() => reader(more, 100).u64("number of bytes")).toThrow(
        expect.objectContaining({
          code: "INVALID_FIELD",
          address: 100,
          message: expect.stringContaining("number of bytes"),
        }),
      );
      expect(reader(more).bigU64()).toBeGreaterThan(2n ** 53n - 1n);
    }
  });

  it("reads any width as a bigint would", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 8 }), (bytes) => {
        const value = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
        const read = (): number => new ByteReader(bytes, "thing").uint(bytes.length);
        if (value > BigInt(Number.MAX_SAFE_INTEGER)) expect(read).toThrow();
        else expect(BigInt(read())).toBe(value);
      }),
    );
  });

  it("gives all ones as undefined, in each width", () => {
    expect(reader("ffffffffffffffff").offsetField(widths)).toBeUndefined();
    expect(reader("ffff").offsetField({ offsetSize: 2, lengthSize: 2 })).toBeUndefined();
    expect(reader("ffffffff").lengthOrUndefined(widths)).toBeUndefined();
    expect(reader("feffffff").lengthOrUndefined(widths)).toBe(0xfffffffe);
    expect(reader("ffffffff").lengthField(widths)).toBe(0xffffffff);
  });

  it("refuses an undefined address where one must be", () => {
    const from = reader("00 ffffffffffffffff", 10);
    from.u8();
    expect(() => from.definedOffset(widths, "heap address")).toThrow(
      expect.objectContaining({
        code: "INVALID_FIELD",
        address: 11,
        message: "thing: heap address is undefined (at address 11)",
      }),
    );
  });

  it("never reads past the end, and says where", () => {
    const reads: ((from: ByteReader) => unknown)[] = [
      (from) => from.u32(),
      (from) => from.u64(),
      (from) => from.bigU64(),
      (from) => from.uint(3),
      (from) => from.offsetField(widths),
      (from) => from.lengthOrUndefined(widths),
      (from) => from.take(3),
      (from) => from.skip(3),
      (from) => from.skip(Number.NaN),
      (from) => from.take(-1),
      (from) => from.signature("OHDR"),
    ];
    for (const read of reads) {
      const from = reader("00ffff", 40);
      from.u8();
      expect(() => read(from)).toThrow(
        expect.objectContaining({ code: "UNEXPECTED_EOF", structure: "thing", address: 41 }),
      );
    }
    expect(() => new ByteReader(hex("00"), "thing", 0, 5).u8()).toThrow(eof);
  });

  it("aligns from the start and from an origin", () => {
    const from = reader("00".repeat(32));
    from.align(8);
    expect(from.offset).toBe(0);
    from.skip(3);
    from.align(8);
    expect(from.offset).toBe(8);
    from.skip(1);
    from.align(8, 4);
    expect(from.offset).toBe(12);
  });

  it("checks signatures", () => {
    reader("4f484452").signature("OHDR");
    expect(() => reader("4f4844ff", 8).signature("OHDR")).toThrow('expected signature "OHDR", got "OHDÿ"');
  });

  it("takes text up to its NUL", () => {
    const from = reader("c3a900 00 61");
    expect([from.nulTerminated("name"), from.nulTerminated("name")]).toEqual(["é", ""]);
    expect(() => from.nulTerminated("name")).toThrow("thing: name has no terminating NUL");
  });

  it("gives views, and works on one", () => {
    const all = hex("00 0102 03");
    const from = new ByteReader(all.subarray(1, 3), "thing");
    expect(from.take(2).buffer).toBe(all.buffer);
    expect(() => from.u8()).toThrow(eof);
  });
});
