import { describe, expect, it } from "vitest";
import {
  compoundType,
  datatypeOfArray,
  describeDatatype,
  enumType,
  fixedStringType,
  float64be,
  float64le,
  int8,
  int32le,
  uint8,
  vlenStringType,
  vlenType,
} from "../src/index.ts";

describe("describeDatatype", () => {
  it.each([
    [int32le, "int32"],
    [float64be, "float64 (big-endian)"],
    [vlenStringType(), "string (utf-8, variable)"],
    [fixedStringType(8, "ascii", "spacepad"), "string (ascii, 8 bytes, space-padded)"],
    [
      compoundType([
        { name: "x", type: int32le },
        { name: "y", type: float64le },
      ]),
      "compound {x: int32, y: float64}",
    ],
    [
      enumType(int8, [
        { name: "A", value: 0 },
        { name: "B", value: 1 },
      ]),
      "enum int8 {A=0, B=1}",
    ],
    [vlenType(uint8), "vlen of uint8"],
  ])("%#", (t, text) => expect(describeDatatype(t)).toBe(text));

  it("elides long lists", () => {
    const t = compoundType(Array.from({ length: 20 }, (_, i) => ({ name: `m${i}`, type: uint8 })));
    expect(describeDatatype(t)).toMatch(/m7: uint8, …}$/);
  });
});

describe("datatypeOfArray", () => {
  it("names the elements of a typed array", () => {
    expect(datatypeOfArray(new Int32Array(1))).toBe(int32le);
    expect(() => datatypeOfArray(new DataView(new ArrayBuffer(1)))).toThrow(/typed array/);
  });
});
