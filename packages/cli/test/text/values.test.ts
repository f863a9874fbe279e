import {
  arrayType,
  complexType,
  compoundType,
  type Datatype,
  enumType,
  fixedStringType,
  float32le,
  float64le,
  int16le,
  opaqueType,
  referenceType,
  uint8,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { describe, expect, it } from "vitest";
import { textOf } from "../../src/text/values.ts";

const colours = enumType(uint8, [
  { name: "RED", value: 0 },
  { name: "GREEN", value: 1 },
]);

describe("textOf", () => {
  it.each<[string, Datatype, unknown, string]>([
    ["a number", int16le, -5, "-5"],
    ["a float32, no longer than it takes to tell it", float32le, Math.fround(0.1), "0.1"],
    ["a float32 that takes nine digits", float32le, Math.fround(16777.217), "16777.217"],
    ["a float64 of the same value, in full", float64le, Math.fround(0.1), "0.10000000149011612"],
    ["a number beyond what JSON holds", float64le, "Infinity", "Infinity"],
    ["text, quoted", vlenStringType(), 'say "å"\n', '"say \\"å\\"\\n"'],
    ["text that is none", fixedStringType(2), { hex: "fffe" }, "0xfffe"],
    ["an enumeration's member", colours, 1, "GREEN"],
    ["an enumeration's value that is no member", colours, 7, "7"],
    ["opaque bytes", opaqueType(2), { hex: "0a0b" }, "0x0a0b"],
    ["a sequence", vlenType(colours), [0, 1], "[RED, GREEN]"],
    [
      "an array",
      arrayType([2, 2], int16le),
      [
        [1, 2],
        [3, 4],
      ],
      "[[1, 2], [3, 4]]",
    ],
    ["a complex number", complexType(float64le), [1.5, -2], "1.5-2i"],
    ["another", complexType(float64le), [0, "NaN"], "0+NaNi"],
    ["null", referenceType("object"), null, "null"],
    ["an object reference", referenceType("object"), { ref: "/a" }, "-> /a"],
    ["one to nowhere", referenceType("object"), { ref: null, dangling: true }, "-> (unknown)"],
    ["an attribute reference", referenceType("object"), { attrref: "/a", attr: "b" }, "-> /a@b"],
    ["a region", referenceType("region"), { regionref: "/a", points: [[1]] }, '-> /a {"points":[[1]]}'],
  ])("%s", (_, type, value, text) => {
    expect(textOf(type, value)).toBe(text);
  });

  it("a compound, by member", () => {
    const type = compoundType([
      { name: "n", type: int16le },
      { name: "c", type: colours },
    ]);
    expect(textOf(type, { n: 1, c: 0 })).toBe("{n: 1, c: RED}");
  });
});
