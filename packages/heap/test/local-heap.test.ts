import { decodeSymbolTableMessage, H5Error, messageType, readObjectHeader } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeLocalHeapFreeList,
  encodeLocalHeapHeader,
  encodeLocalHeapSegment,
  localHeapString,
  readLocalHeap,
} from "../src/index.ts";
import { body, fixtureJson, openFixture } from "./fixture.ts";

const contents = fixtureJson("heap/contents.json") as Record<
  string,
  Record<string, { readonly header: number; readonly links: Record<string, string> }>
>;

describe.each(["local-heap.h5", "local-heap-four-byte-widths.h5"])("%s", (file) => {
  const { bytes, context, run } = openFixture(`heap/${file}`);
  const { header, links } = contents[file]!["grown"]!;
  const message = body(run(readObjectHeader(context, header)).messages, messageType.symbolTable)!;
  const heap = run(readLocalHeap(context, decodeSymbolTableMessage(message, context).heapAddress));

  it("holds the names and targets, at multiples of 8", () => {
    const strings = new Set<string>();
    for (let at = 0; at < heap.data.length; at += 8) strings.add(localHeapString(heap, at));
    for (const name of Object.keys(links)) expect(strings).toContain(name);
    expect(strings).toContain("/somewhere/else");
  });

  it("has its holes where the links were removed", () => {
    expect(heap.free.length).toBeGreaterThan(2);
    for (const { offset, size } of heap.free) expect(offset + size).toBeLessThanOrEqual(heap.dataSize);
    expect(heap.dataAddress).not.toBe(heap.address + 32);
  });

  it("encodes back to its bytes", () => {
    const copy = structuredClone(heap);
    const stored = bytes.slice(heap.address, heap.address + 8 + 2 * context.lengthSize + context.offsetSize);
    expect(encodeLocalHeapHeader(copy, context)).toEqual(stored);
    const segment = bytes.slice(heap.dataAddress, heap.dataAddress + heap.dataSize);
    expect(encodeLocalHeapSegment(copy, context)).toEqual(segment);
  });

  it("refuses strings outside the segment or without an end", () => {
    expect(() => localHeapString(heap, heap.dataSize)).toThrow(/offset/);
    const full = { ...heap, data: new Uint8Array(8).fill(65) };
    expect(() => localHeapString(full, 0)).toThrow(/no terminating NUL/);
  });
});

describe("decodeLocalHeapFreeList", () => {
  const widths = { offsetSize: 8, lengthSize: 2 };
  const list = (bytes: number[], freeList: number) =>
    decodeLocalHeapFreeList(Uint8Array.from(bytes), { dataSize: bytes.length, freeList, dataAddress: 0 }, widths);

  it("follows the list", () => {
    expect(list([0, 0, 0, 0, 1, 0, 4, 0, 4, 0, 4, 0], 8)).toEqual([
      { offset: 8, size: 4 },
      { offset: 4, size: 4 },
    ]);
  });

  it("refuses cycles, blocks that are too long, and a next block 0", () => {
    expect(() => list([0, 0, 0, 0, 4, 0, 4, 0], 4)).toThrow(/comes back/);
    expect(() => list([0, 0, 0, 0, 1, 0, 5, 0], 4)).toThrow(/5 bytes, 4 are left/);
    expect(() => list([0, 0, 0, 0, 0, 0, 4, 0], 4)).toThrow(/next free block 0/);
    expect(() => list([0, 0, 0, 0], 2)).toThrow(H5Error);
  });

  it("ends on any bytes, with a typed error or without", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(63), (bytes, freeList) => {
        try {
          decodeLocalHeapFreeList(bytes, { dataSize: bytes.length, freeList, dataAddress: 0 }, widths);
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
        }
      }),
    );
  });
});
