import { ByteReader, decodeLayout, H5Error, messageType, readObjectHeader, UnexpectedEofError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeGlobalHeapCollection,
  decodeGlobalHeapSpans,
  encodeGlobalHeapCollection,
  globalHeapObject,
  globalHeapSpan,
  readGlobalHeapCollection,
  sizeOfGlobalHeapHeader,
  sizeOfGlobalHeapObject,
} from "../src/index.ts";
import { body, fixtureJson, openFixture } from "./fixture.ts";

const contents = fixtureJson("heap/contents.json") as Record<
  string,
  Record<string, { readonly header: number; readonly strings: string[] }>
>;
const widths = { offsetSize: 8, lengthSize: 8 };

describe("global-heap.h5", () => {
  const { bytes, context, run } = openFixture("heap/global-heap.h5");
  const datasets = contents["global-heap.h5"]!;

  /** The elements of a contiguous dataset of strings: length, collection, index. */
  const descriptors = (header: number) => {
    const layout = decodeLayout(body(run(readObjectHeader(context, header)).messages, messageType.layout)!, context);
    if (layout.class !== "contiguous") throw new Error(layout.class);
    const size = Number(layout.size);
    const reader = new ByteReader(bytes.subarray(layout.address!, layout.address! + size), "elements");
    return Array.from({ length: size / 16 }, () => ({
      length: reader.u32(),
      address: reader.u64(),
      index: reader.u32(),
    }));
  };

  it.each(Object.keys(datasets))("holds the strings of %s", (name) => {
    const { header, strings } = datasets[name]!;
    const values = descriptors(header).map(({ length, address, index }) => {
      if (address === 0) return "";
      const object = globalHeapObject(run(readGlobalHeapCollection(context, address)), index);
      return new TextDecoder().decode(object.subarray(0, length));
    });
    expect(values).toEqual(strings);
  });

  it("encodes every collection back to its bytes, free space aside", () => {
    const addresses = Object.values(datasets).flatMap(({ header }) =>
      descriptors(header).map(({ address }) => address),
    );
    for (const address of new Set(addresses)) {
      if (address === 0) continue;
      const collection = structuredClone(run(readGlobalHeapCollection(context, address)));
      const used = [...collection.objects.values()].reduce(
        (sum, { data }) => sum + sizeOfGlobalHeapObject(data.length, context),
        sizeOfGlobalHeapHeader(context),
      );
      // The free space keeps what once stood there; its header is part of the format.
      const end = Math.min(collection.size, used + sizeOfGlobalHeapObject(0, context));
      const encoded = encodeGlobalHeapCollection(collection, context);
      expect(encoded).toHaveLength(collection.size);
      expect(encoded.slice(0, end)).toEqual(bytes.slice(address, address + end));
    }
  });

  it("throws for an object that is not there", () => {
    const { address } = descriptors(datasets["strings"]!.header)[0]!;
    const collection = run(readGlobalHeapCollection(context, address));
    expect(() => globalHeapObject(collection, 0)).toThrow(/no object 0/);
    expect(() => globalHeapObject(collection, 65535)).toThrow(/no object 65535/);
  });
});

describe("decodeGlobalHeapCollection", () => {
  const object = (references: number, text: string) => ({ references, data: new TextEncoder().encode(text) });
  const encode = (size: number) =>
    encodeGlobalHeapCollection({ address: 0, size, objects: new Map([[3, object(1, "three")]]) }, widths);

  it("accepts collections below 4096 bytes, and ones too full for a free space object", () => {
    for (const size of [40, 48, 56, 64]) {
      const { objects } = decodeGlobalHeapCollection(encode(size), widths);
      expect([...objects.keys()]).toEqual([3]);
    }
  });

  it("refuses a second object of one index, and free space that is not all that is left", () => {
    const twice = encode(64);
    twice.copyWithin(40, 16, 40);
    expect(() => decodeGlobalHeapCollection(twice, widths)).toThrow(/second object 3/);
    const short = encode(64);
    short[48] = 16;
    expect(() => decodeGlobalHeapCollection(short, widths)).toThrow(/free space of 16 bytes, 24 are left/);
  });

  it("refuses bytes that end before the collection", () => {
    expect(() => decodeGlobalHeapCollection(encode(64).subarray(0, 63), widths)).toThrow(UnexpectedEofError);
  });

  it("gives an H5Error or a collection for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 48 }), fc.nat(47), (noise, keep) => {
        const bytes = encode(64);
        bytes.set(noise.subarray(keep), 16 + keep);
        try {
          decodeGlobalHeapCollection(bytes, widths);
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
        }
      }),
    );
  });
});

describe("decodeGlobalHeapSpans", () => {
  const data = (text: string) => ({ references: 1, data: new TextEncoder().encode(text) });
  const encode = (indexes: readonly number[]): Uint8Array =>
    encodeGlobalHeapCollection(
      { address: 0, size: 256, objects: new Map(indexes.map((index) => [index, data(`object ${index}`)])) },
      widths,
    );

  it.each([[[1, 2, 3]], [[2, 1, 3]], [[1, 2, 9]], [[65535]]])("finds the objects %j", (indexes) => {
    const spans = decodeGlobalHeapSpans(encode(indexes), widths);
    for (const index of indexes) {
      const { bytes, start, end } = globalHeapSpan(spans, index);
      expect(new TextDecoder().decode(bytes.subarray(start, end))).toBe(`object ${index}`);
    }
    for (const index of [0, 4, 70000]) expect(() => globalHeapSpan(spans, index)).toThrow(`no object ${index}`);
  });

  it("refuses a second object of an index", () => {
    const twice = encode([1, 2]);
    const at = twice.indexOf(2, 16);
    twice[at] = 1;
    expect(() => decodeGlobalHeapSpans(twice, widths)).toThrow(/second object 1/);
  });
});
