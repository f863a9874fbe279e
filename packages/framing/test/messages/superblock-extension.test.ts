import { describe, expect, it } from "vitest";
import {
  decodeBtreeK,
  decodeCacheImage,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  decodeFileSpaceInfo,
  decodeSharedMessageTable,
  encodeDriverInfoBlock,
  encodeFileSpaceInfo,
  type HeaderMessage,
  type messageType,
  sizeOfDriverInfoBlock,
} from "../../src/index.ts";
import { hex } from "../hex.ts";
import { messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

function extensionMessage(file: string, type: keyof typeof messageType): HeaderMessage {
  const { superblock, header } = openFixture(file);
  return messageOf(header(superblock.extensionAddress!), type);
}

describe("messages of the superblock extension", () => {
  it("B-tree K values", () => {
    const { body } = extensionMessage("superblock-2-btree-k.h5", "btreeK");
    expect(decodeBtreeK(body)).toEqual({ chunkInternalK: 20, groupInternalK: 16, groupLeafK: 4 });
  });

  it("file space info of a paged file that keeps its free space", () => {
    const info = decodeFileSpaceInfo(extensionMessage("file-space-paged.h5", "fileSpaceInfo").body, widths);
    expect(info).toMatchObject({ version: 1, strategy: 1, threshold: 3, pageSize: 512 });
    expect(info.managerAddresses).toHaveLength(12);
  });

  it("file space info of a file that does not", () => {
    const info = decodeFileSpaceInfo(extensionMessage("file-space-none.h5", "fileSpaceInfo").body, widths);
    expect(info).toMatchObject({ version: 1, strategy: 3, pageSize: 512, managerAddresses: undefined });
  });

  // By hand from H5Ofsinfo.c: only 1.10.0 and its forerunners wrote version 0.
  it.each([
    ["00 02 0100000000000000", { version: 0, strategy: 2, threshold: 1 }],
    [`00 01 0100000000000000 ${"ff".repeat(48)}`, { managerAddresses: Array(6).fill(undefined) }],
  ])("file space info, version 0: %s", (text, expected) => {
    const info = decodeFileSpaceInfo(hex(text), widths);
    expect(info).toMatchObject(expected);
    expect(encodeFileSpaceInfo(structuredClone(info), widths)).toEqual(hex(text));
  });

  it("driver info", () => {
    const info = decodeDriverInfo(extensionMessage("family-message-0.member", "driverInfo").body);
    expect(info.name).toBe("NCSAfami");
    expect(info.data.slice()).toEqual(hex("0008000000000000"));
  });

  it("shared message table", () => {
    const table = decodeSharedMessageTable(extensionMessage("shared-messages.h5", "sharedMessageTable").body, widths);
    const { bytes } = openFixture("shared-messages.h5");
    expect(table).toMatchObject({ version: 0, indexCount: 1 });
    expect(new TextDecoder().decode(bytes.slice(table.address, table.address + 4))).toBe("SMTB");
  });

  it("metadata cache image", () => {
    const image = decodeCacheImage(extensionMessage("cache-image.h5", "cacheImage").body, widths);
    const { bytes } = openFixture("cache-image.h5");
    expect(new TextDecoder().decode(bytes.slice(image.address, image.address! + 4))).toBe("MDCI");
    expect(image.address! + image.length).toBe(bytes.length);
  });

  it.each([
    ["B-tree K", () => decodeBtreeK(hex("01 000000000000"))],
    ["driver info", () => decodeDriverInfo(hex("01"))],
    ["file space info", () => decodeFileSpaceInfo(hex("02 00"), widths)],
    ["shared message table", () => decodeSharedMessageTable(hex("01"), widths)],
    ["cache image", () => decodeCacheImage(hex("01"), widths)],
  ])("another version of %s is unsupported", (_, decode) => {
    expect(decode).toThrow(/version \d, expected/);
  });

  it("a strategy or boolean out of range is refused", () => {
    expect(() => decodeFileSpaceInfo(hex("00 00"), widths)).toThrow(/strategy 0, expected 1 to 4/);
    expect(() => decodeFileSpaceInfo(hex("01 04"), widths)).toThrow(/strategy 4, expected 0 to 3/);
    expect(() => decodeFileSpaceInfo(hex("01 01 02"), widths)).toThrow(/free space kept 2/);
  });
});

describe("driver information block", () => {
  it("says the same for superblock 0", () => {
    const { superblock, bytes } = openFixture("family-block-0.member");
    const at = superblock.driverInfoAddress!;
    const info = decodeDriverInfoBlock(bytes.subarray(at), at);
    expect(info.name).toBe("NCSAfami");
    expect(info.data.slice()).toEqual(hex("0008000000000000"));
    const encoded = encodeDriverInfoBlock(structuredClone(info));
    expect(encoded).toEqual(bytes.slice(at, at + sizeOfDriverInfoBlock(info)));
  });
});
