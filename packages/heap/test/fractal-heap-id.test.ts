import { H5Error } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFractalHeapId, encodeFractalHeapId } from "../src/index.ts";
import { heapHeader } from "./fractal-heap.ts";

const widths = { offsetSize: 8, lengthSize: 8 };
const table = { width: 4, startBlockSize: 512, maxDirectSize: 65536, maxHeapBits: 32 };
const header = heapHeader(table, {
  maxManagedSize: 4096,
  statistics: { ...heapHeader(table).statistics, managedSize: 2 ** 20 },
});
const filter = { rootSize: 0, rootFilterMask: 0, pipeline: Uint8Array.of(1) };
/** Decodes an id, and checks that it encodes back. */
const decode = (idLength: number, bytes: number[], changes = {}) => {
  const stored = Uint8Array.from({ length: idLength }, (_, i) => bytes[i] ?? 0);
  const of = { ...header, idLength, ...changes };
  const id = decodeFractalHeapId(stored, of, widths);
  const encoded = encodeFractalHeapId(structuredClone(id), of, widths);
  expect(decodeFractalHeapId(encoded, of, widths)).toEqual(id);
  if (bytes.length < idLength) expect(encoded).toEqual(stored);
  return id;
};
const u64 = (value: number) => [value, 0, 0, 0, 0, 0, 0, 0];

describe("decodeFractalHeapId", () => {
  it("reads offset and length of managed objects, as wide as the heap needs", () => {
    expect(decode(7, [0, 0x13, 1, 0, 0, 0x20, 1])).toEqual({ kind: "managed", offset: 0x113, length: 0x120 });
  });

  it("refuses managed objects that the heap cannot hold", () => {
    expect(() => decode(7, [0, 0, 0, 0, 0, 1, 0])).toThrow(/an offset/);
    expect(() => decode(7, [0, 0, 0, 16, 0, 1, 0])).toThrow(/an offset/);
    expect(() => decode(7, [0, 9, 0, 0, 0, 0, 0])).toThrow(/a length of 1 to 4096/);
    expect(() => decode(7, [0, 9, 0, 0, 0, 1, 16])).toThrow(/a length of 1 to 4096/);
  });

  it("reads huge objects in ids that have room for all of it", () => {
    expect(decode(17, [0x10, ...u64(99), ...u64(7)])).toEqual({ kind: "huge", address: 99, length: 7 });
    const bytes = [0x10, ...u64(99), ...u64(7), 1, 0, 0, 0, ...u64(12)];
    const huge = { kind: "huge", address: 99, length: 7, filterMask: 1, size: 12 };
    expect(decode(29, bytes, { filter })).toEqual(huge);
  });

  it("reads numbers of huge objects in ids that have not", () => {
    expect(decode(8, [0x10, 3, 1])).toEqual({ kind: "indirect", id: 0x103 });
    expect(decode(16, [0x10, 3, 1])).toEqual({ kind: "indirect", id: 0x103 });
    expect(decode(28, [0x10, 3, 1], { filter })).toEqual({ kind: "indirect", id: 0x103 });
  });

  it("reads tiny objects, with a byte more of length in ids above 18 bytes", () => {
    expect(decode(8, [0x22, 1, 2, 3])).toEqual({ kind: "tiny", data: Uint8Array.of(1, 2, 3) });
    expect(decode(18, [0x2f])).toEqual({ kind: "tiny", data: new Uint8Array(16) });
    expect(decode(19, [0x20, 16])).toEqual({ kind: "tiny", data: new Uint8Array(17) });
    expect(() => decode(8, [0x27])).toThrow(/expected 8 bytes, got 7/);
  });

  it("refuses other lengths, versions and kinds", () => {
    expect(() => decodeFractalHeapId(new Uint8Array(7), header, widths)).toThrow(/expected 8 bytes, got 7/);
    expect(() => decode(8, [0x40])).toThrow(/version 0, got 1/);
    expect(() => decode(8, [0x30])).toThrow(/reserved/);
  });

  it("gives an id or a typed error for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.boolean(), (bytes, filtered) => {
        try {
          decode(bytes.length, [...bytes], filtered ? { filter } : {});
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
        }
      }),
    );
  });
});
