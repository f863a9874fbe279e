import { describe, expect, it } from "vitest";
import { decodeSharedMessage, encodeSharedMessage, messageFlag, sizeOfSharedMessage } from "../../src/index.ts";
import { hex } from "../hex.ts";
import { fixtureAddresses, messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

describe("decodeSharedMessage", () => {
  const { context, object } = openFixture("shared-messages.h5");

  it("reads version 2, a committed datatype", () => {
    const message = messageOf(object("/committed"), "datatype");
    expect(message.flags & messageFlag.shared).toBe(messageFlag.shared);
    const address = fixtureAddresses()["shared-messages.h5"]!["/type"];
    expect(decodeSharedMessage(message.body, context)).toEqual({ version: 2, type: 2, kind: "committed", address });
  });

  it("reads version 3, a message in the shared heap", () => {
    const shared = decodeSharedMessage(messageOf(object("/b"), "dataspace").body, context);
    expect(shared).toMatchObject({ version: 3, type: 1, kind: "sohm" });
    expect(shared.kind === "sohm" && shared.heapId.length).toBe(8);
  });

  // By hand from H5Oshared.c: releases before 1.6.1 wrote version 1.
  it.each([
    [
      "version 1",
      "01 00 000000000000 0800000000000000 6000000000000000",
      { version: 1, type: 0, kind: "committed", address: 96, nameOffset: 8 },
    ],
    ["version 3, committed", "03 02 6000000000000000", { version: 3, type: 2, kind: "committed", address: 96 }],
  ])("reads and writes %s", (_, text, expected) => {
    const shared = decodeSharedMessage(hex(text), widths);
    expect(shared).toEqual(expected);
    expect(encodeSharedMessage(shared, widths)).toEqual(hex(text));
    expect(sizeOfSharedMessage(shared, widths)).toBe(hex(text).length);
  });

  it.each([
    ["another version", "04 00", /version 4, expected 1 to 3/],
    ["another type", "03 03 0000000000000000", /type 3, expected 1 or 2/],
    ["an undefined address", "02 02 ffffffffffffffff", /address is undefined/],
  ])("refuses %s", (_, text, message) => {
    expect(() => decodeSharedMessage(hex(text), widths)).toThrow(message);
  });
});
