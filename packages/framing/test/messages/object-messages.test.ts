import { describe, expect, it } from "vitest";
import {
  decodeComment,
  decodeContinuation,
  decodeExternalFiles,
  decodeModificationTime,
  decodeOldModificationTime,
  decodeReferenceCount,
  encodeComment,
  encodeOldModificationTime,
  InvalidArgumentError,
  InvalidFieldError,
  sizeOfComment,
  sizeOfExternalFiles,
} from "../../src/index.ts";
import { hex } from "../hex.ts";
import { messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };
const TIME = 981173106; // 2001-02-03 04:05:06 UTC

describe("modification time", () => {
  it("is in a version 1 header's message", () => {
    const { body } = messageOf(openFixture("times.h5").object("/data"), "modificationTime");
    expect(decodeModificationTime(body)).toBe(TIME);
  });

  it("refuses another version", () => {
    expect(() => decodeModificationTime(hex("02"))).toThrow(/version 2, expected 1/);
  });

  // By hand from the specification: releases before 1.6 wrote it.
  it("was once written as digits", () => {
    const text = new TextEncoder().encode("20010203040506\0\0");
    expect(decodeOldModificationTime(text)).toBe(TIME);
    expect(encodeOldModificationTime(TIME)).toEqual(text);
  });

  it.each(["20011303040506", "20010230040506", "2001020304050x", "-0010203040506", "20010203240506"])(
    "refuses %s",
    (digits) => {
      expect(() => decodeOldModificationTime(new TextEncoder().encode(`${digits}\0\0`))).toThrow(InvalidFieldError);
    },
  );

  it("has no digits for the year 10000", () => {
    expect(() => encodeOldModificationTime(253402300800)).toThrow(InvalidArgumentError);
  });
});

describe("comment", () => {
  it.each(["times.h5", "times-latest.h5"])("of %s", (file) => {
    expect(decodeComment(messageOf(openFixture(file).object("/data"), "comment").body)).toBe("a comment: größer");
  });

  it("is measured in bytes and ends with a NUL", () => {
    expect(encodeComment("ö")).toEqual(hex("c3b600"));
    expect(sizeOfComment("ö")).toBe(3);
    expect(() => decodeComment(hex("6162"))).toThrow(/comment has no terminating NUL/);
  });
});

describe("external data files", () => {
  it("list their pieces, the last one unlimited", () => {
    const { context, object } = openFixture("layouts.h5");
    const { body, address } = messageOf(object("/external"), "externalFiles");
    const files = decodeExternalFiles(body, context, address);
    expect(files.slots).toMatchObject([
      { offset: 16, size: 8 },
      { offset: 0, size: undefined },
    ]);
    expect(files).toMatchObject({ allocatedSlots: 2, heapAddress: expect.any(Number) });
    expect(sizeOfExternalFiles(files, context)).toBe(body.length);
  });

  it.each([
    ["another version", "02 000000", /version 2, expected 1/],
    ["no slots", "01 000000 0000 0000", /0 of 0 slots used/],
    ["more used than allocated", "01 000000 0100 0200", /2 of 1 slots used/],
    ["an undefined heap", `01 000000 0100 0000 ${"ff".repeat(8)}`, /local heap address is undefined/],
    ["fewer slots than used", `01 000000 ffff ffff ${"00".repeat(8)}`, /expected 8 bytes, got 0/],
  ])("refuse %s", (_, text, message) => {
    expect(() => decodeExternalFiles(hex(text), widths)).toThrow(message);
  });
});

describe("reference count and continuation", () => {
  it("refuse what makes no sense", () => {
    expect(() => decodeReferenceCount(hex("01 00000000"))).toThrow(/version 1, expected 0/);
    expect(() => decodeContinuation(hex("ff".repeat(16)), widths)).toThrow(/address is undefined/);
    expect(() => decodeContinuation(hex(`60${"00".repeat(15)}`), widths)).toThrow(/empty block/);
  });
});
