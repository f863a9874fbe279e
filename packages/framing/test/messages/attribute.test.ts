import { describe, expect, it } from "vitest";
import {
  type AttributeFrame,
  decodeAttribute,
  decodeAttributeInfo,
  decodeSharedMessage,
  encodeAttribute,
  messageType,
  sizeOfAttribute,
} from "../../src/index.ts";
import { hex } from "../hex.ts";
import { fixtureAddresses, messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

function attributeOf(name: string): AttributeFrame {
  const { context, object } = openFixture("attributes.h5");
  const messages = object("/").messages.filter(({ type }) => type === messageType.attribute);
  return messages
    .map(({ body, address }) => decodeAttribute(body, context, address))
    .find((frame) => frame.name === name)!;
}

describe("decodeAttribute", () => {
  it("reads version 1, its parts padded", () => {
    const frame = attributeOf("plain");
    expect(frame).toMatchObject({ version: 1, flags: 0, charset: "ascii", datatypeShared: false });
    // A datatype of 2-byte big-endian unsigned integers, a dataspace of 3 elements with their maximum.
    expect(frame.datatype.slice()).toEqual(hex("10 01 00 00 02000000 0000 1000"));
    expect(frame.dataspace.slice()).toEqual(hex("01 01 01 00 00000000 0300000000000000 0300000000000000"));
    expect(frame.data.slice()).toEqual(hex("0000 0001 0002 0000"));
  });

  it("reads version 2, its datatype shared", () => {
    const frame = attributeOf("committed");
    expect(frame).toMatchObject({ version: 2, flags: 1, datatypeShared: true, dataspaceShared: false });
    const address = fixtureAddresses()["attributes.h5"]!["/type"];
    expect(decodeSharedMessage(frame.datatype, widths)).toMatchObject({ kind: "committed", address });
    expect(frame.data.slice(0, 4)).toEqual(hex("07000000"));
  });

  it("reads version 3 with a UTF-8 name", () => {
    const frame = attributeOf("größe");
    expect(frame).toMatchObject({ version: 3, charset: "utf8" });
    expect(new DataView(frame.data.slice().buffer).getFloat64(0, true)).toBe(2.5);
  });

  it.each(["plain", "committed", "größe"])("gives the addresses of the parts of %s", (name) => {
    const { bytes } = openFixture("attributes.h5");
    const frame = attributeOf(name);
    const at = (address: number, part: Uint8Array): Uint8Array => bytes.slice(address, address + part.length);
    expect(at(frame.datatypeAddress!, frame.datatype)).toEqual(frame.datatype.slice());
    expect(at(frame.dataspaceAddress!, frame.dataspace)).toEqual(frame.dataspace.slice());
    expect(at(frame.dataAddress!, frame.data)).toEqual(frame.data.slice());
    expect(sizeOfAttribute(frame)).toBe(encodeAttribute(frame).length);
  });

  it("takes an empty name", () => {
    expect(decodeAttribute(hex("02 00 0100 0000 0000 00"), widths).name).toBe("");
  });

  it.each([
    ["another version", "04 00 0200 0000 0000", /version 4, expected 1 to 3/],
    ["an unknown flag", "02 04 0200 0000 0000", /unknown flags 0x4/],
    ["a name without its NUL", "02 00 0200 0000 0000 6162", /does not end with byte 2/],
    ["a name that ends too soon", "02 00 0300 0000 0000 610000", /does not end with byte 3/],
    ["a name of no bytes", "02 00 0000 0000 0000", /does not end with byte 0/],
    ["more datatype than there is", "02 00 0200 0900 0000 6100 00", /expected 9 bytes, got 1/],
  ])("refuses %s", (_, text, message) => {
    expect(() => decodeAttribute(hex(text), widths)).toThrow(message);
  });
});

describe("decodeAttributeInfo", () => {
  it("reads dense storage with both indexes", () => {
    const { context, object } = openFixture("attributes-dense.h5");
    const info = decodeAttributeInfo(messageOf(object("/data"), "attributeInfo").body, context);
    expect(info).toEqual({
      flags: 3,
      maxCreationOrder: 2,
      heapAddress: expect.any(Number),
      nameIndexAddress: expect.any(Number),
      orderIndexAddress: expect.any(Number),
    });
  });

  it("reads that there is none", () => {
    const { context, object } = openFixture("header-v2-continuation.h5");
    const info = decodeAttributeInfo(messageOf(object("/data"), "attributeInfo").body, context);
    expect(info).toMatchObject({ maxCreationOrder: 40, heapAddress: undefined, orderIndexAddress: undefined });
  });
});
