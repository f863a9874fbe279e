import { InvalidArgumentError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  checkDatatype,
  type Datatype,
  enumType,
  fixedStringType,
  float32le,
  int8,
  int16le,
  opaqueType,
  uint8,
  vlenType,
} from "../src/index.ts";
import { anyDatatype } from "./arbitrary.ts";
import { fixtureDatasets } from "./fixture.ts";

function member(name: string, offset: number, type: Datatype = int16le) {
  return { name, offset, type };
}

function compound(...members: ReturnType<typeof member>[]): Datatype {
  return { class: "compound", version: 1, size: 4, members };
}

describe("checkDatatype", () => {
  it("takes every type libhdf5 wrote", () => {
    for (const name of ["integers", "odd-integers", "floats", "strings", "structured", "structured-latest", "heap"]) {
      for (const { datatype, dataset } of fixtureDatasets(name)) {
        expect(() => checkDatatype(datatype), dataset).not.toThrow();
      }
    }
  });

  it("takes any type that can be read back", () => {
    fc.assert(fc.property(anyDatatype, (t) => checkDatatype(t)));
  });

  let deep: Datatype = int8;
  for (let i = 0; i < 64; i++) deep = vlenType(deep);

  it.each<[string, Datatype, RegExp]>([
    ["nesting", deep, /too deep/],
    ["an empty string", fixedStringType(0), /element size 0/],
    ["a size that is no number", fixedStringType(Number.NaN), /element size NaN/],
    ["bits outside the element", { ...int16le, offset: 9, precision: 8 }, /bit offset 9, expected 0 to 8/],
    ["no bits", { ...int16le, precision: 0 }, /precision 0/],
    ["a byte order of floats", { ...int16le, order: "VAX" as "LE" }, /byte order VAX, expected LE, BE/],
    ["fields that overlap", { ...float32le, mantissaSize: 24 }, /mantissa and exponent overlap/],
    ["a field of no bits", { ...float32le, exponentSize: 0 }, /exponent of 0 bits/],
    ["words of three bytes", { ...float32le, order: "VAX", size: 5 }, /whole 16-bit words/],
    ["a long tag", opaqueType(1, "x".repeat(249)), /tag .* of 249 bytes/],
    ["a tag with NUL", opaqueType(1, "a\0b"), /no NUL/],
    ["a tag cut short", { ...opaqueType(1, "abc"), tagSize: 0 }, /tag size 0, expected 3/],
    ["a compound without members", compound(), /number of members 0/],
    ["a member without a name", compound(member("", 0)), /member named ""/],
    ["a member with NUL in its name", compound(member("a\0", 0)), /member named/],
    ["two members of a name", compound(member("a", 0), member("a", 2)), /two members named "a"/],
    ["members that overlap", compound(member("a", 0), member("b", 1)), /members "a" and "b" overlap/],
    ["a member outside", compound(member("a", 3)), /member "a" in bytes \[3, 5\)/],
    ["a member at no offset", compound(member("a", 0.5)), /member "a" in bytes/],
    ["a member that is wrong", compound(member("a", 0, compound(member("b", 0, fixedStringType(0))))), /"a": .*"b": /],
    ["an enumeration without members", enumType(int8, []), /number of members 0/],
    ["a value beyond the base", enumType(int8, [{ name: "A", value: 128 }]), /value 128 of A/],
    ["a fraction", enumType(int8, [{ name: "A", value: 0.5 }]), /value 0.5 of A/],
    [
      "two names",
      enumType(
        int8,
        ["A", "A"].map((name, value) => ({ name, value })),
      ),
      /two members named "A"/,
    ],
    [
      "two values",
      enumType(
        int8,
        ["A", "B"].map((name) => ({ name, value: 1 })),
      ),
      /"A" and "B" are both 1/,
    ],
    ["an enumeration of another size", { ...enumType(int8, [{ name: "A", value: 1 }]), size: 2 }, /of 2 bytes over/],
    ["an array without dimensions", arrayType([], uint8), /number of dimensions 0/],
    ["an array of 33 dimensions", arrayType(new Array(33).fill(1), uint8), /number of dimensions 33/],
    ["a dimension of 0", { ...arrayType([1], uint8), dims: [0] }, /dimension 0/],
    ["an array of another size", { ...arrayType([2], uint8), size: 3 }, /array of 3 bytes, expected 2/],
    ["a class of no release", { class: "quaternion", version: 1, size: 1 } as unknown as Datatype, /class quaternion/],
  ])("refuses %s", (_, t, error) => {
    expect(() => checkDatatype(t)).toThrow(error);
    expect(() => checkDatatype(t)).toThrow(InvalidArgumentError);
  });
});
