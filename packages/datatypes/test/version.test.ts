import { H5Error } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  checkDatatype,
  complexType,
  compoundType,
  type Datatype,
  decodeDatatype,
  encodeDatatype,
  enumType,
  float32le,
  hasAddresses,
  hasUnusualUnusedBits,
  int16le,
  integerType,
  referenceType,
  vlenStringType,
  vlenType,
  withOffsetSize,
  withVersion,
} from "../src/index.ts";
import { anyDatatype } from "./arbitrary.ts";
import { fixtureDatasets, hex } from "./fixture.ts";

const e = enumType(int16le, [{ name: "A", value: 1 }]);
const a = arrayType([2], int16le);
const INT16 = "100800000200000000001000";
const ENUM1 = `1801000002000000${INT16}41000000000000000100`;
const ENUM2 = `2801000002000000${INT16}41000000000000000100`;
const ENUM3 = `3801000002000000${INT16}41000100`;
const ARRAY2 = `2a00000004000000010000000200000000000000${INT16}`;
const ARRAY3 = `3a000000040000000102000000${INT16}`;
const COMPOUND1 = `1601000002000000${padded("71")}00000000${"00".repeat(28)}${INT16}`;

/** A one-letter name padded as versions 1 and 2 pad it. */
function padded(letter: string): string {
  return letter.padEnd(16, "0");
}

describe("withVersion", () => {
  // Messages as libhdf5 1.10.8 makes them of the same types, at the low bounds earliest and v110.
  it.each([
    ["an array", a, ARRAY2, ARRAY3],
    ["a sequence of arrays", vlenType(a), `2900000010000000${ARRAY2}`, `3900000010000000${ARRAY3}`],
    [
      "an enumeration before an array",
      compoundType([
        { name: "e", type: e },
        { name: "a", type: a },
      ]),
      `2602000006000000${padded("65")}00000000${ENUM2}${padded("61")}02000000${ARRAY2}`,
      `3602000006000000650000${ENUM3}610002${ARRAY3}`,
    ],
    [
      "an array before an enumeration",
      compoundType([
        { name: "a", type: a },
        { name: "e", type: e },
      ]),
      `2602000006000000${padded("61")}00000000${ARRAY2}${padded("65")}04000000${ENUM1}`,
      `3602000006000000610000${ARRAY3}650004${ENUM3}`,
    ],
    [
      "a sequence, an array and a compound",
      compoundType([
        { name: "v", type: vlenType(int16le) },
        { name: "a", type: a },
        { name: "n", type: compoundType([{ name: "q", type: int16le }]) },
      ]),
      `2603000016000000${padded("76")}000000001900000010000000${INT16}${padded("61")}10000000${ARRAY2}${padded("6e")}14000000${COMPOUND1}`,
      `36030000160000007600001900000010000000${INT16}610010${ARRAY3}6e00143601000002000000710000${INT16}`,
    ],
    [
      "an array of compounds",
      arrayType([2], compoundType([{ name: "q", type: int16le }])),
      `2a00000004000000010000000200000000000000${COMPOUND1}`,
      `3a0000000400000001020000003601000002000000710000${INT16}`,
    ],
  ] as const)("writes %s as libhdf5 does", (_, t, earliest, v110) => {
    expect(Buffer.from(encodeDatatype(withVersion(t, "earliest"))).toString("hex")).toBe(earliest);
    expect(Buffer.from(encodeDatatype(withVersion(t, "v110"))).toString("hex")).toBe(v110);
    // Whatever versions it had.
    expect(withVersion(withVersion(t, "v200"), "earliest")).toEqual(withVersion(t, "earliest"));
  });

  it.each([
    ["structured", "earliest"],
    ["heap", "earliest"],
    ["structured-latest", "v110"],
    ["heap-latest", "v110"],
  ] as const)("leaves the types of %s, written at %s, as they are", (name, low) => {
    for (const { dataset, datatype } of fixtureDatasets(name)) {
      expect(withVersion(datatype, low), dataset).toEqual(datatype);
      expect(() => checkDatatype(datatype), dataset).not.toThrow();
    }
  });

  it("turns the dimensions of a version 1 member into an array", () => {
    const old = decodeDatatype(
      hex(
        "16010000 0c000000 6100000000000000 00000000 02000000 00000000 00000000 02000000 03000000 00000000 00000000" +
          "10080000 02000000 00001000",
      ),
    );
    const type = arrayType([2, 3], int16le);
    expect(withVersion(old, "earliest")).toEqual(compoundType([{ name: "a", type }]));
  });

  it("refuses what the bound's release cannot read", () => {
    const reference: Datatype = { class: "reference", kind: "object2", version: 4, size: 18 };
    expect(() => withVersion(vlenType(reference), "v110")).toThrow(/version 4 needs a low bound of v112, got v110/);
    expect(withVersion(reference, "v112").version).toBe(4);
    expect(() => withVersion(complexType(float32le), "v114")).toThrow(/version 5 needs a low bound of v200/);
    expect(withVersion(compoundType([{ name: "z", type: complexType(float32le) }]), "v200").version).toBe(5);
  });

  it("keeps the elements and gives what can be read back", () => {
    fc.assert(
      fc.property(anyDatatype, fc.constantFrom("earliest" as const, "v110" as const, "v200" as const), (t, low) => {
        let written: Datatype;
        try {
          written = withVersion(t, low);
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
          return;
        }
        checkDatatype(written);
        expect(written.size).toBe(t.size);
        expect(decodeDatatype(encodeDatatype(written))).toEqual(written);
      }),
    );
  });
});

describe("withOffsetSize", () => {
  const t = compoundType([
    { name: "text", type: vlenStringType("utf8", 4) },
    { name: "n", type: int16le },
    { name: "refs", type: arrayType([2], referenceType("region", 4)) },
    { name: "m", type: int16le },
  ]);

  it("moves members behind what grows", () => {
    const wide = withOffsetSize({ ...t, size: t.size + 3 }, 8) as typeof t;
    expect(wide.members.map(({ offset, type }) => [offset, type.size])).toEqual([
      [0, 16],
      [16, 2],
      [18, 24],
      [42, 2],
    ]);
    expect(wide.size).toBe(47);
    expect(withOffsetSize(wide, 4)).toEqual({ ...t, size: t.size + 3 });
    checkDatatype(wide);
    expect(() => checkDatatype(t)).toThrow(/member "text": .*string of 12 bytes, expected 16/);
    checkDatatype(t, { offsetSize: 4 });
  });

  it("leaves what has no addresses", () => {
    fc.assert(
      fc.property(anyDatatype, (any) => {
        if (!hasAddresses(any)) expect(withOffsetSize(any, 4)).toEqual(any);
        expect(withOffsetSize(withOffsetSize(any, 4), 8)).toEqual(any);
      }),
    );
  });
});

describe("hasUnusualUnusedBits", () => {
  it("finds numbers that use less than half of their bits", () => {
    const few = { ...integerType(4, true), precision: 15 };
    expect(hasUnusualUnusedBits(few)).toBe(true);
    expect(hasUnusualUnusedBits(compoundType([{ name: "x", type: vlenType(few) }]))).toBe(true);
    expect(hasUnusualUnusedBits({ ...few, offset: 1 })).toBe(false);
    expect(hasUnusualUnusedBits({ ...integerType(1, true), precision: 1 })).toBe(false);
  });
});
