import { int32le, vlenStringType } from "@h5/datatypes";
import { decodeGlobalHeapCollection } from "@h5/heap";
import { describe, expect, it } from "vitest";
import { WIDTHS } from "../../src/data/heap-pair.ts";
import { SMALLEST_COLLECTION, ValueHeap } from "../../src/data/value-heap.ts";
import { encodeCollection } from "../../src/write/placed-heap.ts";

const payload = (length: number, first: number = 0, base = int32le) => ({
  bytes: Uint8Array.from({ length }, (_, i) => first + i),
  base,
  reference: undefined,
});

describe("ValueHeap", () => {
  it("keeps equal payloads once, however their types are made, unless there are addresses in them", () => {
    const heap = new ValueHeap();
    const id = heap.store(payload(8));
    expect(id).toEqual({ address: 1, index: 1 });
    expect(heap.store({ ...payload(8), base: { ...int32le } })).toEqual(id);
    expect(heap.store(payload(8, 1))).toEqual({ address: 1, index: 2 });
    const text = vlenStringType();
    const leads = heap.store({ ...payload(16), base: text });
    expect(heap.store({ ...payload(16), base: text })).toEqual(leads);
    expect(heap.store({ ...payload(16), base: vlenStringType() })).not.toEqual(leads);
  });

  it("opens collections of 4,096 bytes or more, and larger ones for larger objects", () => {
    const heap = new ValueHeap();
    for (let i = 0; i < 200; i++) heap.store(payload(100, i));
    heap.store(payload(200000));
    expect(heap.collections[0]!.size).toBe(SMALLEST_COLLECTION);
    expect(heap.collections.at(-1)!.size).toBe(16 + 16 + 200000);
    heap.collections.forEach((collection) => {
      const { used, size, count } = collection;
      expect(used).toBeLessThanOrEqual(size);
      const { objects } = decodeGlobalHeapCollection(
        encodeCollection(collection, size, () => {}),
        WIDTHS,
      );
      expect(objects.size).toBe(count);
      const taken = [...objects.values()].reduce((sum, { data }) => sum + 16 + Math.ceil(data.length / 8) * 8, 16);
      expect(taken).toBe(used);
    });
  });

  it("takes back what was stored", () => {
    const heap = new ValueHeap();
    const kept = heap.store(payload(8));
    const before = structuredClone(heap.collections);
    const undo = heap.undo();
    for (let i = 0; i < 200; i++) heap.store(payload(100, i));
    heap.store(payload(8));
    undo();
    expect(heap.collections).toEqual(before);
    expect(heap.store(payload(8))).toEqual(kept);
    expect(heap.store(payload(100, 5))).toEqual({ address: 1, index: 2 });
  });

  it("forgets what was released", () => {
    const heap = new ValueHeap();
    heap.store(payload(5000));
    heap.store(payload(5000, 1));
    heap.release(1);
    expect(heap.collections[0]!.image.length).toBe(0);
    expect(heap.store(payload(5000))).not.toEqual({ address: 1, index: 1 });
  });
});
