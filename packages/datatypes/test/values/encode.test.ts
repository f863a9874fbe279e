import { InvalidArgumentError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  complexType,
  compoundType,
  decodeValues,
  encodeValues,
  fixedStringType,
  float16le,
  float32le,
  float64be,
  floatType,
  int16be,
  int32le,
  type StructArray,
  uint8,
  vlenStringType,
} from "../../src/index.ts";
import { anyInteger } from "../arbitrary.ts";
import { fixtureDatasets } from "../fixture.ts";

describe("encodeValues", () => {
  it.each(["integers", "floats", "strings", "structured", "structured-latest"])("writes %s back as stored", (name) => {
    for (const { dataset, datatype, stored, count } of fixtureDatasets(name)) {
      // Doubles hold less than these, whose bytes therefore differ.
      if (dataset === "quad" || dataset === "x87" || dataset.startsWith("fp8")) continue;
      // nullterm drops what is after the NUL; NaN payloads are not kept through a number.
      if (dataset === "nullterm" || dataset === "spacepad") continue;
      const bytes = encodeValues(datatype, decodeValues(datatype, stored, count) as ArrayLike<unknown>);
      if (datatype.class === "compound" || datatype.class === "float") {
        expect(decodedAgain(datatype, bytes, count), dataset).toEqual(decodedAgain(datatype, stored, count));
      } else expect(bytes, dataset).toEqual(new Uint8Array(stored));
    }
  });

  function decodedAgain(t: Parameters<typeof decodeValues>[0], bytes: Uint8Array, count: number): unknown[] {
    return [...(decodeValues(t, bytes, count) as Iterable<unknown>)];
  }

  it("gives back any integer of any type", () => {
    fc.assert(
      fc.property(anyInteger, fc.bigInt(), (t, value) => {
        const fits = t.signed ? BigInt.asIntN(t.precision, value) : BigInt.asUintN(t.precision, value);
        const [read] = decodeValues(t, encodeValues(t, [fits]), 1) as ArrayLike<number | bigint> as [number | bigint];
        expect(BigInt(read)).toBe(fits);
      }),
    );
  });

  it("rounds to nearest in any format, ties to even", () => {
    fc.assert(
      fc.property(fc.float(), (value) => {
        const asFloat32 = floatType(4, 8);
        const generic = { ...asFloat32, size: 5, precision: 32 };
        const [read] = decodeValues(generic, encodeValues(generic, [value]), 1) as Float64Array;
        expect(read).toBe(value);
      }),
    );
    const halves = decodeValues(
      float16le,
      encodeValues(float16le, [1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -25, 65519]),
      4,
    );
    expect([...(halves as Float32Array)]).toEqual([1, 1 + 2 ** -9, 0, 65504]);
  });

  it.each([
    ["2^40 in int32", int32le, [1, 2 ** 40], /value 1099511627776 of element 1 does not fit int32/],
    ["a fraction in an integer", int16be, [0.5], /value 0.5/],
    ["a string in an integer", uint8, ["1"], /value "1"/],
    ["a long string", fixedStringType(3), ["abcd"], /value "abcd" of element 0/],
    ["infinity out of a finite number", float32le, [1e39], /value 1e\+39/],
    ["too much for a half", float16le, [65520], /value 65520/],
    ["a list of another length", arrayType([3], uint8), [[1, 2]], /expected 3 values/],
    ["a row without a member", compoundType([{ name: "x", type: uint8 }]), [{ y: 1 }], /no member "x" in row 0/],
  ] as const)("refuses %s", (_, t, values, error) => {
    expect(() => encodeValues(t, values)).toThrow(error);
    expect(() => encodeValues(t, values)).toThrow(InvalidArgumentError);
  });

  it("takes records, columns and StructArrays", () => {
    const t = compoundType([
      { name: "x", type: int32le },
      { name: "z", type: complexType(float64be) },
    ]);
    const rows = [
      { x: 1, z: [1, 2] },
      { x: -1, z: [0, -1] },
    ];
    const bytes = encodeValues(t, rows);
    expect(encodeValues(t, { x: Int32Array.of(1, -1), z: { re: [1, 0], im: [2, -1] } })).toEqual(bytes);
    expect(encodeValues(t, decodeValues(t, bytes, 2) as StructArray)).toEqual(bytes);
    expect([...(decodeValues(t, bytes, 2) as StructArray)]).toEqual(rows);
  });

  it("stores strings in the heap, the empty one as nil", () => {
    const stored: Uint8Array[] = [];
    const bytes = encodeValues(vlenStringType(), ["é", ""], {
      store: (payload) => {
        stored.push(payload);
        return { address: 0x1_0000_0002, index: 7 };
      },
    });
    expect(Buffer.from(bytes).toString("hex")).toBe(`02000000020000000100000007000000${"00".repeat(16)}`);
    expect(stored).toEqual([Uint8Array.of(0xc3, 0xa9)]);
    expect(() => encodeValues(vlenStringType(), ["a"])).toThrow(/options.store/);
    expect(() => encodeValues(vlenStringType(), ["a\0b"], { store: () => ({ address: 1, index: 1 }) })).toThrow(/fit/);
  });
});
