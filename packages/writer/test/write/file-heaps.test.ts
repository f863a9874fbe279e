import { encodeValues, int32le, referenceType, vlenStringType, vlenType } from "@h5/datatypes";
import { readGlobalHeapCollection } from "@h5/heap";
import { describe, expect, it } from "vitest";
import { heapPair } from "../../src/data/heap-pair.ts";
import { placeElements } from "../../src/model/placement.ts";
import { FileHeaps } from "../../src/write/file-heaps.ts";
import { type MemorySpace, memorySpace } from "../memory-space.ts";

/** The object a heap id in an element leads to: a count of 4 bytes, then address and index. */
function follow(space: MemorySpace, element: Uint8Array, at: number = 0): Uint8Array {
  const view = new DataView(element.buffer, element.byteOffset + at);
  const address = Number(view.getBigUint64(4, true));
  const { objects } = space.read((context) => readGlobalHeapCollection(context, address));
  return objects.get(view.getUint32(12, true))!.data;
}

describe("FileHeaps", () => {
  it("puts values where the elements that lead to them say", () => {
    const type = vlenStringType();
    const pair = heapPair();
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i} ${"-".repeat(i)}`);
    const elements = encodeValues(type, texts, { store: pair.store });
    const space = memorySpace();
    const heaps = new FileHeaps(pair, space, () => 0);
    placeElements(type, elements, texts.length, heaps);
    heaps.finish();
    texts.forEach((text, i) => {
      const bytes = follow(space, elements, i * 16);
      expect(new TextDecoder().decode(bytes).replace(/\0$/, "")).toBe(text);
    });
    expect(space.file().length).toBeGreaterThan(4096);
  });

  it("places what is inside values too: sequences in sequences, references to objects", () => {
    const type = vlenType(vlenType(referenceType()));
    const pair = heapPair();
    const values = [[[{ kind: "object", address: 7 }]]];
    const elements = encodeValues(type, values, { store: pair.store });
    const space = memorySpace();
    const heaps = new FileHeaps(pair, space, (target) => target * 1000);
    placeElements(type, elements, 1, heaps);
    heaps.finish();
    const inner = follow(space, follow(space, elements));
    expect(new DataView(inner.buffer, inner.byteOffset).getBigUint64(0, true)).toBe(7000n);
  });

  it("lets go of complete collections while values go on coming, and of nothing else", () => {
    const type = vlenType(int32le);
    const pair = heapPair();
    const space = memorySpace();
    const heaps = new FileHeaps(pair, space, () => 0);
    const blocks = Array.from({ length: 50 }, (_, i) => {
      const elements = encodeValues(type, [Int32Array.from({ length: 500 }, (_, j) => i * j)], {
        store: pair.store,
      });
      placeElements(type, elements, 1, heaps);
      heaps.release();
      return elements;
    });
    const held = pair.values.collections.filter(({ image }) => image.length > 0);
    expect(held.length).toBe(1);
    heaps.finish();
    blocks.forEach((elements, i) => {
      const bytes = follow(space, elements).slice();
      expect(new Int32Array(bytes.buffer)).toEqual(Int32Array.from({ length: 500 }, (_, j) => i * j));
    });
  });

  it("cuts the last collection to what it holds, but not below 4,096 bytes", () => {
    const pair = heapPair();
    const space = memorySpace();
    pair.values.store({ bytes: new Uint8Array(10), base: undefined, reference: undefined });
    const heaps = new FileHeaps(pair, space, () => 0);
    heaps.finish();
    expect(space.file().length - 64).toBe(4096);
  });
});
