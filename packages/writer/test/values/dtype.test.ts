import {
  arrayType,
  bool,
  complexType,
  type Datatype,
  describeDatatype,
  encodeDatatype,
  float32le,
  int32le,
  opaqueType,
  referenceType,
  vlenStringType,
  vlenType,
  withVersion,
} from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { type DtypeOption, datatypeOf } from "../../src/values/dtype.ts";
import { checkSequences, storedDatatype } from "../../src/values/stored-datatype.ts";

const FLOAT32 = "11201f000400000000002000170800177f000000";
const FLOAT64BE = "11213f000800000000004000340b0034ff030000";

/** A member of a version 1 compound up to its type. */
function member(letter: string, offset: string): string {
  return `${letter.padEnd(16, "0")}${offset}${"00".repeat(31)}`;
}

describe("datatypeOf", () => {
  // Messages as h5py over HDF5 1.10.8 makes them of the same names.
  it.each<[DtypeOption, string]>([
    ["<i4", "100800000400000000002000"],
    ["int32", "100800000400000000002000"],
    [">i2", "100900000200000000001000"],
    ["|u1", "100000000100000000000800"],
    ["u8", "100000000800000000004000"],
    [">f8", FLOAT64BE],
    ["float16", "11200f0002000000000010000a05000a0f000000"],
    ["<f4", FLOAT32],
    ["|S10", "130100000a000000"],
    ["bool", "180200000100000010080000010000000000080046414c534500000054525545000000000001"],
    ["|V3", "1500000003000000"],
    ["complex64", `1602000008000000${member("72", "00")}${FLOAT32}${member("69", "04")}${FLOAT32}`],
    [">c16", `1602000010000000${member("72", "00")}${FLOAT64BE}${member("69", "08")}${FLOAT64BE}`],
    ["string", "1901010010000000100000000100000000000800"],
    ["string:10", "131100000a000000"],
    ["reference", "1700000008000000"],
    ["region", "170100000c000000"],
    [
      { x: "float32", y: "int16" },
      `1602000006000000${member("78", "00")}${FLOAT32}${member("79", "04")}100800000200000000001000`,
    ],
  ])("takes %j as h5py does", (option, message) => {
    const t = withVersion(datatypeOf(option), "earliest");
    expect(Buffer.from(encodeDatatype(t)).toString("hex")).toBe(message);
  });

  it("takes datatypes, in compounds too", () => {
    const list = vlenType(int32le);
    expect(datatypeOf(list)).toBe(list);
    const t = datatypeOf({ list, at: { x: "f4", class: "bool", size: "u1" } });
    expect(describeDatatype(t)).toBe(
      "compound {list: vlen of int32, at: compound {x: float32, class: bool, size: uint8}}",
    );
  });

  it("makes complex numbers of HDF5 2.0 for it", () => {
    expect(datatypeOf("complex64", { libver: "v200" })).toEqual(complexType(float32le));
    expect(datatypeOf("?")).toEqual(bool);
  });

  it.each([
    ["int7"],
    ["int128"],
    ["i3"],
    ["float80"],
    ["complex32"],
    ["b4"],
    ["<U5"],
    ["S0"],
    ["string:0"],
    ["constructor"],
    [""],
    [{}],
    [{ x: "double" }],
    [7 as unknown as string],
    [null as unknown as string],
  ])("refuses %j", (option) => {
    expect(() => datatypeOf(option)).toThrow(InvalidArgumentError);
  });
});

describe("storedDatatype", () => {
  it("widens the addresses of types from other files", () => {
    expect(storedDatatype(vlenStringType("ascii", 4))).toEqual(vlenStringType("ascii"));
    expect(storedDatatype(arrayType([2], int32le)).version).toBe(3);
    expect(storedDatatype(arrayType([2], int32le), "earliest").version).toBe(2);
  });

  it.each<[string, Datatype, RegExp]>([
    ["numbers with bits unused", { ...int32le, precision: 7 }, /bits unused/],
    ["what is wrong in itself", opaqueType(0), /element size 0/],
  ])("refuses %s", (_, t, error) => {
    expect(() => storedDatatype(t, "earliest")).toThrow(error);
  });
});

describe("checkSequences", () => {
  it("refuses sequences of region references", () => {
    expect(() => checkSequences(vlenType(arrayType([1], referenceType("region"))))).toThrow(/region references/);
    expect(() => checkSequences(vlenType(referenceType("object")))).not.toThrow();
    expect(() => checkSequences(arrayType([1], referenceType("region")))).not.toThrow();
  });
});
