import { describe, expect, it } from "vitest";
import { decodeSymbolTableEntry, encodeSymbolTableEntry, sizeOfSymbolTableEntry } from "../src/index.ts";
import { hex } from "./hex.ts";

const zeros = (count: number): string => "00".repeat(count);

describe("symbol table entry", () => {
  // The nodes of superblock-0.h5 and widths-4.h5, and the root group's entry in superblock-0.h5.
  it.each([
    ["nothing cached", 8, `0800000000000000 2002000000000000 ${zeros(24)}`, { nameOffset: 8, headerAddress: 544 }],
    [
      "a soft link",
      4,
      `18000000 ffffffff 02000000 ${zeros(4)} 20000000 ${zeros(12)}`,
      { nameOffset: 24, linkOffset: 32 },
    ],
    [
      "a cached group",
      8,
      `${zeros(8)} 6000000000000000 01000000 ${zeros(4)} 8800000000000000 a801000000000000`,
      { nameOffset: 0, headerAddress: 96, btreeAddress: 136, heapAddress: 424 },
    ],
  ])("reads and writes %s", (_, width, text, expected) => {
    const widths = { offsetSize: width, lengthSize: width };
    const bytes = hex(text);
    const entry = decodeSymbolTableEntry(bytes, widths);
    expect(entry).toMatchObject(expected);
    expect(encodeSymbolTableEntry(structuredClone(entry), widths)).toEqual(bytes);
    expect(sizeOfSymbolTableEntry(widths)).toBe(bytes.length);
  });

  it("gives a soft link no object header", () => {
    const bytes = hex(`18000000 ffffffff 02000000 ${zeros(4)} 20000000 ${zeros(12)}`);
    const entry = decodeSymbolTableEntry(bytes, { offsetSize: 4, lengthSize: 4 });
    expect(entry).toMatchObject({ cacheType: 2, headerAddress: undefined });
  });

  it("refuses another cache type and a cut", () => {
    const widths = { offsetSize: 2, lengthSize: 2 };
    const bytes = hex(`0800 1234 03000000 ${zeros(20)}`);
    expect(() => decodeSymbolTableEntry(bytes, widths)).toThrow(/expected cache type 0, 1 or 2, got 3/);
    bytes[4] = 0;
    expect(() => decodeSymbolTableEntry(bytes.subarray(0, 27), widths)).toThrow(/expected 16 bytes, got 15/);
  });
});
