import { describe, expect, it } from "vitest";
import { ByteWriter } from "../src/byte-writer.ts";
import { appendChecksum, lookup3, verifyChecksum } from "../src/lookup3.ts";
import { hex } from "./hex.ts";

// Written by libhdf5: a version 3 superblock, checksum last.
const superblock = hex(
  "894844460d0a1a0a 03080800 0000000000000000 ffffffffffffffff c300000000000000 3000000000000000 061a6137",
);

describe("lookup3", () => {
  const text = new TextEncoder().encode("Four score and seven years ago");

  it("gives the values published with lookup3.c", () => {
    expect(lookup3(new Uint8Array(0))).toBe(0xdeadbeef);
    expect(lookup3(new Uint8Array(0), 0xdeadbeef)).toBe(0xbd5b7dde);
    expect(lookup3(text)).toBe(0x17770551);
    expect(lookup3(text, 1)).toBe(0xcd628161);
  });

  // H5_checksum_lookup3 of libhdf5 1.10.8 over bytes (37 i + 11) mod 256: length, seed 0, seed 12.
  it.each([
    [1, 0xb9c0f036, 0x4f1bc493],
    [2, 0x76ccdd71, 0x9d3149de],
    [3, 0xa71025c3, 0x888b48ef],
    [4, 0x44e1a72e, 0xddc673bc],
    [5, 0xcd53084d, 0x5d75c27c],
    [6, 0x16055da4, 0xbe2bbc58],
    [7, 0x4f96845f, 0x97305bfc],
    [8, 0x39c60a25, 0x8242fd0e],
    [9, 0xa68c01f8, 0x74a0d9da],
    [10, 0x98b8e7c6, 0xff79a7ab],
    [11, 0x37d9d710, 0x8e59d5c9],
    [12, 0x387958f9, 0x9b9389e6],
    [13, 0x0d543670, 0xf0959b66],
    [24, 0x2d9723a7, 0x1a8bccc3],
    [25, 0x43bd1aa6, 0x72435bfc],
    [37, 0x8ed39ebc, 0x35aea54a],
  ])("agrees with libhdf5 at length %i", (length, unseeded, seeded) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 37 + 11);
    expect(lookup3(bytes)).toBe(unseeded);
    expect(lookup3(bytes, 12)).toBe(seeded);
  });

  it("takes a view at an odd offset", () => {
    const shifted = new Uint8Array(text.length + 3);
    shifted.set(text, 3);
    expect(lookup3(shifted.subarray(3))).toBe(0x17770551);
  });
});

describe("verifyChecksum", () => {
  it("accepts what libhdf5 wrote and refuses any changed byte", () => {
    verifyChecksum(superblock, 44, "superblock");
    for (let i = 0; i < superblock.length; i++) {
      const bad = superblock.slice();
      bad[i]! ^= 1;
      expect(() => verifyChecksum(bad, 44, "superblock", 512)).toThrow(
        expect.objectContaining({ code: "INVALID_FIELD", structure: "superblock", address: 512 }),
      );
    }
  });

  it("says expected and got", () => {
    const bad = superblock.slice();
    bad[47] = 0;
    expect(() => verifyChecksum(bad, 44, "superblock")).toThrow("expected checksum 0x37611a06, got 0x00611a06");
  });

  it.each([0, 44, 47])("refuses %i bytes as too few", (length) => {
    expect(() => verifyChecksum(superblock.subarray(0, length), 44, "superblock")).toThrow(
      expect.objectContaining({ code: "UNEXPECTED_EOF" }),
    );
  });
});

describe("appendChecksum", () => {
  it("writes what libhdf5 wrote", () => {
    const writer = new ByteWriter(48, "superblock");
    writer.put(superblock.subarray(0, 44));
    appendChecksum(writer);
    expect(writer.finish()).toEqual(superblock);
  });
});
