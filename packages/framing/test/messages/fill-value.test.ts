import { describe, expect, it } from "vitest";
import {
  decodeFillValue,
  decodeOldFillValue,
  encodeFillValue,
  encodeOldFillValue,
  InvalidArgumentError,
  sizeOfFillValue,
} from "../../src/index.ts";
import { hex } from "../hex.ts";
import { messageOf, openFixture } from "../open-fixture.ts";

describe.each([
  ["fill-values.h5", 2],
  ["fill-values-latest.h5", 3],
])("%s", (file, version) => {
  const { object } = openFixture(file);
  it.each([
    ["/default", { allocationTime: "late", writeTime: "ifset", defined: true, value: undefined }],
    ["/set", { allocationTime: "late", writeTime: "ifset", defined: true, value: new Uint8Array([0xfe, 0xff]) }],
    ["/early", { allocationTime: "early", writeTime: "allocation", defined: true, value: new Uint8Array([7, 0]) }],
    ["/never", { allocationTime: "incremental", writeTime: "never", defined: true, value: undefined }],
    ["/undefined", { allocationTime: "late", writeTime: "ifset", defined: false, value: undefined }],
  ])("%s", (path, expected) => {
    const { body, address } = messageOf(object(path), "fillValue");
    const fill = decodeFillValue(body, address);
    expect({ ...fill, value: fill.value?.slice() }).toEqual({ version, ...expected });
    expect(sizeOfFillValue(fill)).toBe(encodeFillValue(fill).length);
  });
});

describe("the old message", () => {
  it("is what libhdf5 writes beside the new one for old readers", () => {
    const { body, address } = messageOf(openFixture("fill-values.h5").object("/set"), "fillValueOld");
    const fill = decodeOldFillValue(body, address);
    expect(fill).toMatchObject({ version: 0, defined: true });
    expect(fill.value!.slice()).toEqual(new Uint8Array([0xfe, 0xff]));
  });

  it("is undefined when empty", () => {
    const fill = decodeOldFillValue(hex("00000000"));
    expect(fill).toMatchObject({ defined: false, value: undefined });
    expect(encodeOldFillValue(fill)).toEqual(hex("00000000"));
  });

  it("is not written for the new", () => {
    expect(() => encodeFillValue(decodeOldFillValue(hex("00000000")))).toThrow(InvalidArgumentError);
  });
});

describe("version 1", () => {
  // By hand: version 1 has the fields of version 2.
  it("reads and writes", () => {
    const fill = decodeFillValue(hex("01 01 00 01 02000000 0700"));
    expect(fill).toMatchObject({ version: 1, allocationTime: "early", writeTime: "allocation", defined: true });
    expect(encodeFillValue(structuredClone(fill))).toEqual(hex("01 01 00 01 02000000 0700"));
  });
});

describe("decodeFillValue refuses", () => {
  it.each([
    ["another version", "04 00", /version 4, expected 1 to 3/],
    ["a reserved flag", "03 40", /flags 0x40/],
    ["a value that is undefined and there", "03 3a", /flags 0x3a/],
    ["a reserved write time", "03 0e", /write time 3/],
    ["an allocation time", "02 04 00 01", /allocation time 4/],
    ["a boolean of 2", "02 01 00 02", /fill value defined 2/],
    ["more value than there is", "03 2a 05000000 01", /expected 5 bytes, got 1/],
    ["a huge value", "02 01 00 01 ffffffff", /expected 4294967295 bytes, got 0/],
  ])("%s", (_, text, message) => {
    expect(() => decodeFillValue(hex(text))).toThrow(message);
  });
});
