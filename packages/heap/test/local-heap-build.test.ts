import { encodeText, InvalidArgumentError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildLocalHeap, localHeapBytes, localHeapString, readLocalHeap } from "../src/index.ts";
import { memorySpace } from "./memory-space.ts";

describe("buildLocalHeap", () => {
  const build = (strings: readonly Uint8Array[], widths?: { offsetSize: number; lengthSize: number }) => {
    const space = memorySpace(64, widths);
    const { address, offsets } = buildLocalHeap(space, strings);
    return { heap: space.read((context) => readLocalHeap(context, address)), offsets, file: space.file() };
  };

  it("keeps the empty string at 0, and each string with its NUL at a multiple of 8", () => {
    const { heap, offsets, file } = build(["a", "1234567", "12345678", "a", "é"].map(encodeText));
    expect(offsets).toEqual([8, 16, 24, 40, 48]);
    expect([0, ...offsets].map((at) => localHeapString(heap, at))).toEqual(["", "a", "1234567", "12345678", "a", "é"]);
    expect(heap).toMatchObject({ address: 64, dataAddress: 96, dataSize: 56, freeList: undefined, free: [] });
    expect(file).toHaveLength(96 + 56);
  });

  it("leaves room behind a header that is no multiple of 8, as libhdf5 does", () => {
    const { heap } = build([encodeText("name")], { offsetSize: 4, lengthSize: 4 });
    expect(heap).toMatchObject({ address: 64, dataAddress: 88, dataSize: 16 });
  });

  it("reads back any strings", () => {
    const string = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 0));
    fc.assert(
      fc.property(fc.array(string, { maxLength: 60 }), (strings) => {
        const { heap, offsets } = build(strings);
        expect(offsets.map((at) => [...localHeapBytes(heap, at)])).toEqual(strings.map((bytes) => [...bytes]));
      }),
    );
  });

  it("refuses a string with a NUL", () => {
    expect(() => build([encodeText("a\0b")])).toThrow(InvalidArgumentError);
  });
});
