import { describe, expect, it } from "vitest";
import {
  decodeAttribute,
  decodeAttributeInfo,
  decodeBtreeK,
  decodeCacheImage,
  decodeComment,
  decodeContinuation,
  decodeContinuationV2,
  decodeDriverInfo,
  decodeExternalFiles,
  decodeFileSpaceInfo,
  decodeFillValue,
  decodeGroupInfo,
  decodeLayout,
  decodeLink,
  decodeLinkInfo,
  decodeMessagesV1,
  decodeMessagesV2,
  decodeModificationTime,
  decodeObjectHeaderV1Prefix,
  decodeObjectHeaderV2Prefix,
  decodeOldFillValue,
  decodeReferenceCount,
  decodeSharedMessage,
  decodeSharedMessageTable,
  decodeSuperblock,
  decodeSymbolTableMessage,
  encodeAttribute,
  encodeAttributeInfo,
  encodeBtreeK,
  encodeCacheImage,
  encodeComment,
  encodeContinuation,
  encodeContinuationV2,
  encodeDriverInfo,
  encodeExternalFiles,
  encodeFileSpaceInfo,
  encodeFillValue,
  encodeGroupInfo,
  encodeLayout,
  encodeLink,
  encodeLinkInfo,
  encodeMessagesV1,
  encodeModificationTime,
  encodeObjectHeaderV1,
  encodeObjectHeaderV2,
  encodeOldFillValue,
  encodeReferenceCount,
  encodeSharedMessage,
  encodeSharedMessageTable,
  encodeSuperblock,
  encodeSymbolTableMessage,
  type HeaderMessage,
  messageFlag,
  messageType as type,
  type Widths,
} from "../src/index.ts";
import { fixtureAddresses, type OpenFixture, openFixture } from "./open-fixture.ts";

/** Decodes a body, clones what came of it as a worker would, and encodes that. */
type RoundTrip = (body: Uint8Array, widths: Widths) => Uint8Array;

const roundTrips: Record<number, RoundTrip> = {
  [type.linkInfo]: (body, widths) => encodeLinkInfo(structuredClone(decodeLinkInfo(body, widths)), widths),
  [type.fillValueOld]: (body) => encodeOldFillValue(structuredClone(decodeOldFillValue(body))),
  [type.fillValue]: (body) => encodeFillValue(structuredClone(decodeFillValue(body))),
  [type.link]: (body, widths) => encodeLink(structuredClone(decodeLink(body, widths)), widths),
  [type.externalFiles]: (body, widths) =>
    encodeExternalFiles(structuredClone(decodeExternalFiles(body, widths)), widths),
  [type.layout]: (body, widths) => encodeLayout(structuredClone(decodeLayout(body, widths)), widths),
  [type.groupInfo]: (body) => encodeGroupInfo(structuredClone(decodeGroupInfo(body))),
  [type.attribute]: (body, widths) => encodeAttribute(structuredClone(decodeAttribute(body, widths))),
  [type.comment]: (body) => encodeComment(decodeComment(body)),
  [type.sharedMessageTable]: (body, widths) =>
    encodeSharedMessageTable(structuredClone(decodeSharedMessageTable(body, widths)), widths),
  [type.continuation]: (body, widths) => encodeContinuation(structuredClone(decodeContinuation(body, widths)), widths),
  [type.symbolTable]: (body, widths) =>
    encodeSymbolTableMessage(structuredClone(decodeSymbolTableMessage(body, widths)), widths),
  [type.modificationTime]: (body) => encodeModificationTime(decodeModificationTime(body)),
  [type.btreeK]: (body) => encodeBtreeK(structuredClone(decodeBtreeK(body))),
  [type.driverInfo]: (body) => encodeDriverInfo(structuredClone(decodeDriverInfo(body))),
  [type.attributeInfo]: (body, widths) =>
    encodeAttributeInfo(structuredClone(decodeAttributeInfo(body, widths)), widths),
  [type.referenceCount]: (body) => encodeReferenceCount(decodeReferenceCount(body)),
  [type.fileSpaceInfo]: (body, widths) =>
    encodeFileSpaceInfo(structuredClone(decodeFileSpaceInfo(body, widths)), widths),
  [type.cacheImage]: (body, widths) => encodeCacheImage(structuredClone(decodeCacheImage(body, widths)), widths),
};

const sharedRoundTrip: RoundTrip = (body, widths) =>
  encodeSharedMessage(structuredClone(decodeSharedMessage(body, widths)), widths);

/** All headers of a file: the objects' and the superblock extension's; none where they are in a cache image. */
function headerAddresses(name: string, { superblock }: OpenFixture): number[] {
  const objects = name === "cache-image.h5" ? [] : Object.values(fixtureAddresses()[name] ?? {});
  return superblock.extensionAddress === undefined ? objects : [...objects, superblock.extensionAddress];
}

const files = [...Object.keys(fixtureAddresses()), "family-block-0.member", "family-message-0.member"];

describe.each(files)("%s", (name) => {
  const file = openFixture(name);
  const { superblock, context, bytes } = file;

  it("encodes its superblock to the same bytes", () => {
    const encoded = encodeSuperblock(structuredClone(decodeSuperblock(bytes)));
    expect(encoded).toEqual(bytes.slice(0, encoded.length));
    expect(superblock).toEqual(decodeSuperblock(bytes));
  });

  it("encodes the first block of every header to the same bytes", () => {
    for (const address of headerAddresses(name, file)) {
      const encoded = superblock.version < 2 ? headerV1(bytes, address) : headerV2(bytes, address);
      expect(encoded).toEqual(bytes.slice(address, address + encoded.length));
    }
  });

  it("encodes every continuation block to the same bytes", () => {
    for (const address of headerAddresses(name, file)) {
      const header = file.header(address);
      for (const message of header.messages.filter((one) => one.type === type.continuation)) {
        const { address: at, length } = decodeContinuation(message.body, context);
        const block = bytes.slice(at, at + length);
        const encoded =
          header.version === 1
            ? encodeMessagesV1(structuredClone(decodeMessagesV1(block, at)))
            : encodeContinuationV2({
                ...structuredClone(decodeContinuationV2(block, header.flags!, at)),
                flags: header.flags!,
              });
        expect(encoded).toEqual(block);
      }
    }
  });

  it("encodes every message to the same bytes", () => {
    for (const address of headerAddresses(name, file)) {
      for (const message of file.header(address).messages) checkMessage(message, context);
    }
  });
});

function headerV1(bytes: Uint8Array, address: number): Uint8Array {
  const prefix = decodeObjectHeaderV1Prefix(bytes.subarray(address), address);
  const start = address + prefix.byteLength;
  const messages = decodeMessagesV1(bytes.subarray(start, start + prefix.chunkSize), start);
  return encodeObjectHeaderV1(structuredClone({ ...prefix, messages }));
}

function headerV2(bytes: Uint8Array, address: number): Uint8Array {
  const prefix = decodeObjectHeaderV2Prefix(bytes.subarray(address), address);
  const start = address + prefix.byteLength;
  const block = decodeMessagesV2(bytes.subarray(start, start + prefix.chunkSize), prefix.flags, start);
  return encodeObjectHeaderV2(structuredClone({ ...prefix, ...block }));
}

/** What is left of a body is the padding of a header, or room the message once needed. */
function checkMessage(message: HeaderMessage, widths: Widths): void {
  const roundTrip = message.flags & messageFlag.shared ? sharedRoundTrip : roundTrips[message.type];
  if (!roundTrip) return;
  const encoded = roundTrip(message.body, widths);
  const expected = new Uint8Array(message.body.length);
  expected.set(encoded);
  expect(expected).toEqual(message.body.slice());
}
