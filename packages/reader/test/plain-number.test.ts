import * as datatypes from "@h5/datatypes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainNumber } from "../src/plain-number.ts";

const { decodeValues, scalarOf } = datatypes;

const usual = {
  int8: datatypes.int8,
  uint8: datatypes.uint8,
  int16be: datatypes.int16be,
  uint16le: datatypes.uint16le,
  int32le: datatypes.int32le,
  uint32be: datatypes.uint32be,
  float32le: datatypes.float32le,
  float32be: datatypes.float32be,
  float64le: datatypes.float64le,
  float64be: datatypes.float64be,
};

describe("a number of a usual kind", () => {
  it.each(Object.entries(usual))("%s is what decodeValues gives", (_, type) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: type.size, maxLength: type.size }), (bytes) => {
        expect(plainNumber(type, bytes)).toEqual(scalarOf(type, decodeValues(type, bytes, 1), 0));
      }),
    );
  });
});

it.each([
  ["an integer of 8 bytes", datatypes.int64le],
  ["half precision", datatypes.float16le],
  ["a boolean", datatypes.bool],
  ["a part of the bits of an integer", { ...datatypes.uint32le, precision: 12, offset: 3 }],
])("%s is left to decodeValues", (_, type) => {
  expect(plainNumber(type, new Uint8Array(type.size))).toBeUndefined();
});
