import { fixtureBytes } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesSource,
  type CacheImageEntry,
  decodeCacheImage,
  decodeCacheImageBlock,
  defaultLimits,
  encodeCacheImageBlock,
  isH5Error,
  locateSuperblock,
  messageType,
  readObjectHeader,
  runSync,
} from "../src/index.ts";

const bytes = fixtureBytes("framing/cache-image.h5");
const source = bytesSource(bytes);
const { superblock } = runSync(locateSuperblock(), source);

/** The image's block, as the superblock extension's message points to it. */
function imageBlock(): Uint8Array {
  const header = runSync(
    readObjectHeader({ ...superblock, limits: defaultLimits }, superblock.extensionAddress!),
    source,
  );
  const message = header.messages.find(({ type }) => type === messageType.cacheImage)!;
  const { address, length } = decodeCacheImage(message.body, superblock, message.address);
  return bytes.subarray(address, address! + length);
}

describe("metadata cache image block", () => {
  it("holds the root group's header, which the file has nowhere else", () => {
    const entries = decodeCacheImageBlock(imageBlock(), superblock);
    const root = entries.find(({ address }) => address === superblock.rootAddress)!;
    expect(new TextDecoder().decode(root.bytes.subarray(0, 4))).toBe("OHDR");
    expect(new TextDecoder().decode(bytes.subarray(root.address, root.address + 4))).not.toBe("OHDR");
  });

  it("encodes back to the same bytes", () => {
    const block = imageBlock();
    const entries = structuredClone(decodeCacheImageBlock(block, superblock)) as CacheImageEntry[];
    expect(encodeCacheImageBlock(entries, superblock)).toEqual(new Uint8Array(block));
  });

  it("refuses a changed byte", () => {
    const block = imageBlock().slice();
    block[20]! ^= 1;
    expect(() => decodeCacheImageBlock(block, superblock, 4096)).toThrow(/metadata cache image: expected checksum/);
  });

  it("gives typed errors for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (random) => {
        try {
          decodeCacheImageBlock(random, superblock);
        } catch (error) {
          expect(isH5Error(error)).toBe(true);
        }
      }),
    );
  });
});
