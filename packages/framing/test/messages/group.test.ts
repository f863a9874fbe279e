import { describe, expect, it } from "vitest";
import { decodeGroupInfo, decodeLinkInfo, decodeSymbolTableMessage } from "../../src/index.ts";
import { hex } from "../hex.ts";
import { messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

describe("group messages", () => {
  const { context, object } = openFixture("links.h5");

  it("read what is not the default", () => {
    expect(decodeGroupInfo(messageOf(object("/ordered"), "groupInfo").body)).toEqual({
      linkPhaseChange: { maxCompact: 20, minDense: 10 },
      estimate: { entries: 9, nameLength: 30 },
    });
    expect(decodeGroupInfo(messageOf(object("/"), "groupInfo").body)).toEqual({});
  });

  it("read where the links are", () => {
    expect(decodeLinkInfo(messageOf(object("/plain"), "linkInfo").body, context)).toMatchObject({
      flags: 0,
      maxCreationOrder: undefined,
      heapAddress: undefined,
    });
    expect(decodeLinkInfo(messageOf(object("/ordered"), "linkInfo").body, context)).toMatchObject({
      flags: 3,
      maxCreationOrder: 6,
      heapAddress: undefined,
    });
    expect(decodeLinkInfo(messageOf(object("/dense"), "linkInfo").body, context)).toMatchObject({
      flags: 1,
      maxCreationOrder: 1,
      heapAddress: expect.any(Number),
      nameIndexAddress: expect.any(Number),
      orderIndexAddress: undefined,
    });
  });

  it("read an old-style group's tree and heap, which its entry caches", () => {
    const file = openFixture("superblock-0.h5");
    const { btreeAddress, heapAddress } = file.superblock.rootEntry!;
    const { body } = messageOf(file.object("/"), "symbolTable");
    expect(decodeSymbolTableMessage(body, file.context)).toEqual({ btreeAddress, heapAddress });
  });

  it.each([
    ["link info version", () => decodeLinkInfo(hex("01 00"), widths), /version 1, expected 0/],
    ["link info flags", () => decodeLinkInfo(hex("00 04"), widths), /unknown flags 0x4/],
    ["group info version", () => decodeGroupInfo(hex("01 00")), /version 1, expected 0/],
    ["group info flags", () => decodeGroupInfo(hex("00 04")), /unknown flags 0x4/],
    ["undefined tree", () => decodeSymbolTableMessage(hex("ff".repeat(16)), widths), /B-tree address is undefined/],
  ])("refuse %s", (_, decode, message) => {
    expect(decode).toThrow(message);
  });
});
