import { describe, expect, it } from "vitest";
import {
  collectHeapIds,
  compoundType,
  decodeValues,
  encodeValues,
  type HeapId,
  type HeapUse,
  int8,
  int16be,
  type Reference,
  referenceType,
  relocateHeapIds,
  type StructArray,
  vlenStringType,
  vlenType,
} from "../../src/index.ts";

const type = compoundType([
  { name: "number", type: int8 },
  { name: "text", type: vlenStringType() },
  { name: "list", type: vlenType(int16be) },
]);
const rows = [
  { number: 1, text: "one", list: [1] },
  { number: 2, text: "", list: [] },
  { number: 3, text: "three", list: [1, 2, 3] },
];

function heapOf(objects: Uint8Array[], address: number) {
  return {
    store: (bytes: Uint8Array): HeapId => ({ address, index: objects.push(bytes) - 1 }),
    heap: (id: HeapId): Uint8Array | undefined => (id.address === address ? objects[id.index] : undefined),
  };
}

describe("relocateHeapIds", () => {
  it("moves what elements keep in one heap to another", () => {
    const from = heapOf([], 4096);
    const to = heapOf([new Uint8Array(0)], 2 ** 40 + 1);
    const bytes = encodeValues(type, rows, from);
    relocateHeapIds(type, bytes, 3, {}, (use) => to.store(new Uint8Array(from.heap(use)!)));
    const found: number[] = [];
    collectHeapIds(type, bytes, 3, {}, ({ address }) => found.push(address));
    // What is empty is in no heap.
    expect(found).toEqual(new Array(4).fill(2 ** 40 + 1));
    const values = decodeValues(type, bytes, 3, to) as { column(name: string): ArrayLike<unknown> };
    expect(Array.from(values.column("text"))).toEqual(["one", "", "three"]);
    expect(Array.from(values.column("list"))).toEqual([Int16Array.of(1), new Int16Array(0), Int16Array.of(1, 2, 3)]);
  });
});

describe("references of several files", () => {
  const pair = compoundType([
    { name: "one", type: referenceType() },
    { name: "all", type: vlenType(referenceType()) },
  ]);
  const [a, b] = [
    { kind: "object", address: 800 },
    { kind: "object", address: 1600 },
  ] as const;

  it("have the file they were read in, are numbered in their places, and come back", () => {
    const { store, heap } = heapOf([], 4096);
    const bytes = encodeValues(pair, [{ one: a, all: [a, null, b] }], { store });
    const kept: Reference[] = [];
    const objects: Uint8Array[] = [];
    const numberOf = (reference: Reference): number => kept.push(reference);
    const options = { heap, from: "other.h5" };
    const move = (use: HeapUse): HeapId => {
      const object = new Uint8Array(heap(use)!);
      relocateHeapIds(use.base!, object, use.count, options, move, numberOf);
      return { address: 1, index: objects.push(object) - 1 };
    };
    relocateHeapIds(pair, bytes, 1, options, move, numberOf);
    const numbered = (number: number): Reference => kept[number - 1]!;
    const [row] = decodeValues(pair, bytes, 1, { heap: ({ index }) => objects[index], numbered }) as StructArray;
    const [there, further] = [
      { ...a, from: "other.h5" },
      { ...b, from: "other.h5" },
    ];
    expect(row).toMatchObject({ one: there, all: [there, null, further] });
  });

  it("are not written into a file they do not count from", () => {
    expect(() => encodeValues(referenceType(), [{ ...a, from: "other.h5" }])).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});

describe("an address beyond 2^53-1", () => {
  const far = new Uint8Array(8).fill(0xff, 0, 7);

  it("is what foldAddress makes of it, else leads a reference nowhere", () => {
    const foldAddress = (address: bigint): number => Number(address >> 40n);
    expect(decodeValues(referenceType(), far, 1, { foldAddress })).toEqual([{ kind: "object", address: 65535 }]);
    expect(decodeValues(referenceType(), far, 1)).toEqual([{ kind: "object", address: 2 ** 56 }]);
  });
});
