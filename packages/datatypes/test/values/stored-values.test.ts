import { describe, expect, it } from "vitest";
import {
  compoundType,
  type Datatype,
  decodeValues,
  encodeValues,
  float64le,
  type HeapId,
  int16le,
  type Reference,
  referenceType,
  type StoredValues,
  transferValues,
  vlenStringType,
  vlenType,
  withOffsetSize,
} from "../../src/index.ts";

/** A heap of one collection. */
function heapAt(address: number) {
  const objects: Uint8Array<ArrayBuffer>[] = [];
  return {
    store: (bytes: Uint8Array<ArrayBuffer>): HeapId => ({ address, index: objects.push(bytes) }),
    heap: ({ address: at, index }: HeapId) => (at === address ? objects[index - 1] : undefined),
  };
}

const same = (reference: Reference): Reference => reference;

/** Values as a file with addresses of a width stores them. */
function stored(t: Datatype, values: readonly unknown[], width: number): StoredValues {
  const { store, heap } = heapAt(512);
  const datatype = withOffsetSize(t, width);
  const bytes = encodeValues(datatype, values, { store, offsetSize: width });
  return { datatype, bytes, count: values.length, decoding: { heap, offsetSize: width } };
}

describe("transferValues", () => {
  const t = compoundType([
    { name: "text", type: vlenStringType() },
    { name: "lists", type: vlenType(vlenType(int16le)) },
    { name: "object", type: referenceType("object") },
    { name: "region", type: referenceType("region") },
  ]);
  const rows = [
    { text: "one", lists: [[1, 2], [], [3]], object: { kind: "object", address: 96 }, region: null },
    {
      text: "",
      lists: [],
      object: null,
      region: { kind: "region", address: 128, selection: Uint8Array.of(1, 2, 3) },
    },
  ];

  it.each([2, 4, 8])("gives values of addresses of %i bytes to a file of 8", (width) => {
    const target = heapAt(4096);
    const reference = (found: Reference): Reference => ({ ...found, address: found.address + 1000 });
    const bytes = transferValues(stored(t, rows, width), { store: target.store, reference });
    const read = [...(decodeValues(withOffsetSize(t, 8), bytes, 2, { heap: target.heap }) as Iterable<object>)];
    expect(JSON.parse(JSON.stringify(read))).toEqual(
      JSON.parse(
        JSON.stringify([
          {
            ...rows[0],
            lists: [Int16Array.of(1, 2), new Int16Array(0), Int16Array.of(3)],
            object: { kind: "object", address: 1096 },
          },
          { ...rows[1], region: { ...rows[1]!.region, address: 1128 } },
        ]),
      ),
    );
  });

  it("leaves every other byte as it is: padding, and text behind a NUL", () => {
    const padded: Datatype = {
      ...compoundType([
        { name: "x", type: float64le },
        { name: "text", type: vlenStringType() },
      ]),
      size: 28,
    };
    const source = heapAt(512);
    const bytes = new Uint8Array(28).fill(0xee);
    const view = new DataView(bytes.buffer);
    view.setUint32(8, 5, true);
    view.setBigUint64(12, 512n, true);
    view.setUint32(20, source.store(Uint8Array.of(97, 0, 98, 99, 0)).index, true);
    const target = heapAt(4096);
    const values = { datatype: padded, bytes, count: 1, decoding: { heap: source.heap } };
    const transferred = transferValues(values, { store: target.store, reference: same });
    const expected = bytes.slice();
    new DataView(expected.buffer).setBigUint64(12, 4096n, true);
    expect(transferred).toEqual(expected);
    expect(target.heap({ address: 4096, index: 1 })).toEqual(Uint8Array.of(97, 0, 98, 99, 0));
  });

  it("clears what is empty, whatever ID it has, and references that are to lead nowhere", () => {
    const [text, object] = [vlenStringType(), referenceType("object")];
    const empty = new Uint8Array(16).fill(9).fill(0, 0, 4);
    const options = { store: heapAt(1).store, reference: () => null };
    expect(transferValues({ datatype: text, bytes: empty, count: 1, decoding: {} }, options)).toEqual(
      new Uint8Array(16),
    );
    const address = Uint8Array.of(96, 0, 0, 0, 0, 0, 0, 0);
    expect(transferValues({ datatype: object, bytes: address, count: 1, decoding: {} }, options)).toEqual(
      new Uint8Array(8),
    );
  });

  it("copies values without addresses", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    const copy = transferValues({ datatype: int16le, bytes, count: 2, decoding: {} }, { reference: same });
    expect(copy).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(copy.buffer).not.toBe(bytes.buffer);
    const tooFew = { datatype: int16le, bytes, count: 3, decoding: {} };
    expect(() => transferValues(tooFew, { reference: same })).toThrow(/elements/);
  });
});
