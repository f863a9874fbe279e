import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  compoundType,
  type Datatype,
  decodeValues,
  encodeValues,
  type HeapId,
  hasAddresses,
  int8,
  type Reference,
  type ReferenceForm,
  referenceType,
  relocateAddresses,
  relocateHeapObject,
  vlenStringType,
  vlenType,
} from "../../src/index.ts";
import { anyDatatype } from "../arbitrary.ts";

interface Stored {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly base: Datatype | undefined;
  readonly reference: ReferenceForm | undefined;
}

/** A heap whose collection has a stand-in for an address, and where that and the objects' end up. */
function movingHeap(standIn: number, objects: Readonly<Record<number, number>>) {
  const stored: Stored[] = [];
  const place = 4096 + standIn;
  const moves = {
    heap: ({ address, index }: HeapId): HeapId => {
      expect(address).toBe(standIn);
      return { address: place, index };
    },
    object: (address: number): number => objects[address]!,
  };
  return {
    store: (payload: Uint8Array<ArrayBuffer>, base: Datatype | undefined, reference: ReferenceForm | undefined) => ({
      address: standIn,
      index: stored.push({ payload, base, reference }),
    }),
    move: (t: Datatype, bytes: Uint8Array, count: number) => {
      relocateAddresses(t, bytes, count, moves);
      for (const { payload, ...content } of stored) relocateHeapObject(content, payload, moves);
    },
    heap: ({ address, index }: HeapId) => (address === place ? stored[index - 1]?.payload : undefined),
  };
}

function standard(kind: "object2" | "region2" | "attribute"): Datatype {
  return { class: "reference", kind, version: 4, size: 18 };
}

const selection = Uint8Array.of(3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

describe("relocateAddresses", () => {
  it("puts addresses where there were stand-ins", () => {
    const t = compoundType([
      { name: "n", type: int8 },
      { name: "to", type: arrayType([2], referenceType()) },
      { name: "part", type: referenceType("region") },
      { name: "words", type: vlenType(vlenStringType()) },
      { name: "path", type: vlenType(referenceType()) },
    ]);
    const heap = movingHeap(1, { 1: 800, 2: 2 ** 40 });
    const rows = [
      {
        n: 1,
        to: ["/a", null],
        part: { kind: "region", address: 2, selection },
        words: ["x", "", "yz"],
        path: ["/b", "/a"],
      },
      { n: 2, to: ["/b", "/b"], part: null, words: [], path: [] },
    ];
    const reference = (value: unknown): Reference =>
      typeof value === "string" ? { kind: "object", address: value === "/a" ? 1 : 2 } : (value as Reference);
    const bytes = encodeValues(t, rows, { store: heap.store, reference });
    heap.move(t, bytes, 2);
    const [a, b] = [800, 2 ** 40].map((address) => ({ kind: "object", address }));
    expect([...(decodeValues(t, bytes, 2, heap) as Iterable<unknown>)]).toEqual([
      {
        n: 1,
        to: [a, null],
        part: { kind: "region", address: 2 ** 40, selection },
        words: ["x", "", "yz"],
        path: [b, a],
      },
      { n: 2, to: [b, b], part: null, words: [], path: [] },
    ]);
  });

  it("moves references of HDF5 1.12, in elements and in the heap, but for those into other files", () => {
    const t = standard("object2");
    const references: (Reference | null)[] = [
      { kind: "object", address: 1 },
      { kind: "attribute", address: 2, name: "units" },
      { kind: "region", address: 1, selection, rank: 1 },
      { kind: "object", address: 1, file: "other.h5" },
      null,
    ];
    const heap = movingHeap(7, { 1: 96, 2: 4000 });
    const bytes = encodeValues(t, references, heap);
    heap.move(t, bytes, 5);
    const expected = references.map((r) => (r && !r.file ? { ...r, address: r.address === 1 ? 96 : 4000 } : r));
    expect(decodeValues(t, bytes, 5, heap)).toEqual(expected);
  });

  it("leaves references to nothing", () => {
    const nothing = new Uint8Array(16).fill(255, 8);
    relocateAddresses(referenceType(), nothing, 2, { heap: (id) => id, object: () => 96 });
    expect(nothing).toEqual(new Uint8Array(16).fill(255, 8));
  });

  it("touches nothing in values without addresses", () => {
    fc.assert(
      fc.property(anyDatatype, fc.uint8Array({ minLength: 1, maxLength: 16 }), (t, pattern) => {
        if (hasAddresses(t)) return;
        const bytes = new Uint8Array(t.size * 2).map((_, i) => pattern[i % pattern.length]!);
        const before = bytes.slice();
        relocateAddresses(t, bytes, 2, { heap: () => ({ address: 1, index: 1 }), object: () => 1 });
        expect(bytes).toEqual(before);
      }),
    );
  });
});

describe("options.reference", () => {
  it("is asked for all but null, and refuses by undefined", () => {
    const reference = (value: unknown) => (value === "root" ? ({ kind: "object", address: 96 } as const) : undefined);
    const bytes = encodeValues(referenceType(), ["root", null], { reference });
    expect([...new BigUint64Array(bytes.buffer)]).toEqual([96n, 0n]);
    const foreign = { kind: "object", address: 5 };
    expect(() => encodeValues(referenceType(), [foreign], { reference })).toThrow(/does not fit object reference/);
    expect(encodeValues(referenceType(), [foreign])[0]).toBe(5);
    expect(() => encodeValues(referenceType(), ["tree"], { reference })).toThrow(/value "tree" of element 0/);
    expect(() => encodeValues(referenceType("region"), ["root"], { reference })).toThrow(/does not fit region/);
    expect(() => encodeValues(referenceType(), [{}])).toThrow(/does not fit object reference/);
  });
});
