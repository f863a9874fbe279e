import { defaultLimits, H5Error, LimitExceededError, UnexpectedEofError, UnsupportedFeatureError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  compoundType,
  type Datatype,
  decodeDatatype,
  encodeDatatype,
  enumType,
  float32le,
  floatType,
  int16be,
  integerType,
  opaqueType,
  sizeOfDatatype,
  vlenStringType,
  vlenType,
} from "../src/index.ts";
import { anyDatatype } from "./arbitrary.ts";
import { fixtureDatasets, hex } from "./fixture.ts";

const names = [
  "integers",
  "odd-integers",
  "floats",
  "strings",
  "structured",
  "structured-latest",
  "heap",
  "heap-latest",
];

describe("decodeDatatype", () => {
  it.each(names)("re-encodes every message of %s to its bytes after structuredClone", (name) => {
    for (const { message, datatype } of fixtureDatasets(name)) {
      const size = sizeOfDatatype(datatype);
      expect(encodeDatatype(structuredClone(datatype))).toEqual(new Uint8Array(message.subarray(0, size)));
      expect(message.subarray(size).every((byte) => byte === 0)).toBe(true);
    }
  });

  it("reads the dimensions of a version 1 member as an array", () => {
    // One member "a" of 2×3 int16, as releases before 1.4 wrote it.
    const message = hex(
      "16010000 0c000000 6100000000000000 00000000 02000000 00000000 00000000 02000000 03000000 00000000 00000000" +
        "10080000 02000000 00001000",
    );
    const t = decodeDatatype(message);
    expect(t).toMatchObject({
      class: "compound",
      members: [{ name: "a", offset: 0, type: { class: "array", dims: [2, 3], size: 12, base: { size: 2 } } }],
    });
    expect(encodeDatatype(structuredClone(t))).toEqual(message);
  });

  it("reads the complex numbers of HDF5 2.0", () => {
    const message = hex("5b010000 08000000 11201f00 04000000 00002000 17080017 7f000000");
    expect(decodeDatatype(message)).toMatchObject({ class: "complex", version: 5, size: 8, base: float32le });
    expect(encodeDatatype(decodeDatatype(message))).toEqual(message);
    expect(() => decodeDatatype(hex("5b030000 08000000 11201f00"))).toThrow(UnsupportedFeatureError);
  });

  it("takes VAX order from bits 0 and 6 and version 3 on only", () => {
    const fields = "00002000 17080017 81000000";
    expect(decodeDatatype(hex(`31611f00 04000000 ${fields}`))).toMatchObject({ order: "VAX" });
    const old = decodeDatatype(hex(`11611f00 04000000 ${fields}`));
    expect(old).toMatchObject({ order: "BE", reserved: 0x40 });
    expect(encodeDatatype(old)).toEqual(hex(`11611f00 04000000 ${fields}`));
    expect(() => decodeDatatype(hex(`31601f00 04000000 ${fields}`))).toThrow(/byte order/);
  });

  it.each([
    ["version 0", "00080000 04000000 00002000", /version 0/],
    ["a size of 0", "10080000 00000000 00002000", /size 0/],
    ["bits outside the element", "10080000 04000000 01002000", /bits \[1, 33\)/],
    ["a precision of 0", "10080000 04000000 00000000", /precision 0/],
    ["an exponent over the mantissa", "11201f00 04000000 00002000 16080017 7f000000", /overlap/],
    ["a mantissa outside the element", "11201f00 04000000 00002000 17081917 7f000000", /mantissa in bits/],
    ["an unaligned tag", "15050000 04000000 0000000000", /multiple of 8/],
    ["a compound without members", "36000000 04000000", /0 members/],
    ["a member outside", "36010000 04000000 6100 01 10080000 04000000 00002000", /member "a" in bytes \[1, 5\)/],
    [
      "two members of one name",
      "36020000 04000000 6100 00 10080000 02000000 00001000 6100 02 10080000 02000000 00001000",
      /two members/,
    ],
    [
      "overlapping members",
      "36020000 04000000 6100 00 10080000 04000000 00002000 6200 02 10080000 02000000 00001000",
      /overlap/,
    ],
    ["an enumeration of floats", "38000000 04000000 11201f00 04000000 00002000 17080017 7f000000", /class float/],
    ["an enumeration of another size", "38000000 04000000 10080000 02000000 00001000", /base of 2/],
    ["reference type 5", "17050000 08000000", /reference type 5/],
    ["variable-length type 2", "19020000 10000000", /variable-length type 2/],
    ["an array of another size", "3a000000 10000000 01 03000000 10080000 04000000 00002000", /expected 12/],
    ["an array dimension of 0", "3a000000 10000000 01 00000000 10080000 04000000 00002000", /dimension of 0/],
    ["string padding 3", "13030000 08000000", /string padding 3/],
  ])("refuses %s", (_, message, error) => {
    expect(() => decodeDatatype(hex(message), { address: 96 })).toThrow(error);
  });

  it("names what is not known and where bytes end", () => {
    expect(() => decodeDatatype(hex("60080000 04000000 00002000"))).toThrow(UnsupportedFeatureError);
    expect(() => decodeDatatype(hex("1c080000 04000000"), { address: 512 })).toThrow(/class 12 \(at address 512\)/);
    expect(() => decodeDatatype(hex("10080000 04000000 0000"))).toThrow(UnexpectedEofError);
  });

  it("bounds the nesting", () => {
    let t: Datatype = int16be;
    for (let i = 0; i < 64; i++) t = vlenType(t);
    const message = encodeDatatype(t);
    expect(() => decodeDatatype(message)).toThrow(LimitExceededError);
    expect(decodeDatatype(message, { limits: { ...defaultLimits, datatypeDepth: 65 } })).toEqual(t);
  });

  it("gives back any type it encodes", () => {
    fc.assert(
      fc.property(anyDatatype, (t) => {
        expect(decodeDatatype(encodeDatatype(t))).toEqual(t);
      }),
    );
  });

  it("throws nothing but typed errors for any bytes", () => {
    const start = fc.tuple(fc.integer({ min: 0x10, max: 0x5b }), fc.uint8Array({ maxLength: 80 }));
    fc.assert(
      fc.property(start, ([first, rest]) => {
        try {
          const t = decodeDatatype(Uint8Array.of(first, ...rest));
          expect(encodeDatatype(t).length).toBe(sizeOfDatatype(t));
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("encodeDatatype", () => {
  it("writes what libhdf5 writes for the same types", () => {
    const message = (name: string, dataset: string) => {
      const { message, datatype } = fixtureDatasets(name).find((found) => found.dataset === dataset)!;
      return new Uint8Array(message.subarray(0, sizeOfDatatype(datatype)));
    };
    expect(encodeDatatype(integerType(8, true, "BE"))).toEqual(message("integers", "i8be"));
    expect(encodeDatatype(floatType(2, 8))).toEqual(message("floats", "bfloat16"));
    expect(encodeDatatype(vlenStringType())).toEqual(message("heap", "vlen_str"));
    expect(encodeDatatype(vlenType(integerType(4, true, "BE")))).toEqual(message("heap", "vlen_i4"));
    expect(encodeDatatype(opaqueType(3))).toEqual(message("structured", "opaque"));
  });

  it("refuses a value its enumeration cannot hold", () => {
    expect(() => encodeDatatype(enumType(int16be, [{ name: "BIG", value: 40000 }]))).toThrow(/BIG = 40000/);
  });

  it("keeps array types in compounds at version 2", () => {
    const t = compoundType([{ name: "m", type: arrayType([2, 2], int16be) }]);
    expect(t.version).toBe(2);
    expect(decodeDatatype(encodeDatatype(t))).toEqual(t);
  });
});
