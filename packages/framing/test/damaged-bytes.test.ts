import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesSource,
  decodeAttribute,
  decodeAttributeInfo,
  decodeBtreeK,
  decodeCacheImage,
  decodeComment,
  decodeContinuation,
  decodeContinuationV2,
  decodeDriverInfo,
  decodeDriverInfoBlock,
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
  decodeOldModificationTime,
  decodeReferenceCount,
  decodeSharedMessage,
  decodeSharedMessageTable,
  decodeSuperblock,
  decodeSymbolTableEntry,
  decodeSymbolTableMessage,
  defaultLimits,
  H5Error,
  locateSuperblock,
  readObjectHeader,
  runSync,
  type Widths,
} from "../src/index.ts";
import { fixtureAddresses, openFixture } from "./open-fixture.ts";

const decoders: Record<string, (bytes: Uint8Array, widths: Widths) => unknown> = {
  decodeAttribute,
  decodeAttributeInfo,
  decodeBtreeK: (bytes) => decodeBtreeK(bytes),
  decodeCacheImage,
  decodeComment: (bytes) => decodeComment(bytes),
  decodeContinuation,
  decodeContinuationV2: (bytes) => decodeContinuationV2(bytes, 4, 0),
  decodeDriverInfo: (bytes) => decodeDriverInfo(bytes),
  decodeDriverInfoBlock: (bytes) => decodeDriverInfoBlock(bytes),
  decodeExternalFiles,
  decodeFileSpaceInfo,
  decodeFillValue: (bytes) => decodeFillValue(bytes),
  decodeGroupInfo: (bytes) => decodeGroupInfo(bytes),
  decodeLayout,
  decodeLink,
  decodeLinkInfo,
  decodeMessagesV1: (bytes) => decodeMessagesV1(bytes, 0),
  decodeMessagesV2: (bytes) => decodeMessagesV2(bytes, 0, 0),
  decodeModificationTime: (bytes) => decodeModificationTime(bytes),
  decodeObjectHeaderV1Prefix: (bytes) => decodeObjectHeaderV1Prefix(bytes),
  decodeObjectHeaderV2Prefix: (bytes) => decodeObjectHeaderV2Prefix(bytes),
  decodeOldFillValue: (bytes) => decodeOldFillValue(bytes),
  decodeOldModificationTime: (bytes) => decodeOldModificationTime(bytes),
  decodeReferenceCount: (bytes) => decodeReferenceCount(bytes),
  decodeSharedMessage,
  decodeSharedMessageTable,
  decodeSuperblock: (bytes) => decodeSuperblock(bytes),
  decodeSymbolTableEntry,
  decodeSymbolTableMessage,
  locateSuperblock: (bytes) => runSync(locateSuperblock(), bytesSource(bytes)),
  readObjectHeader: (bytes, widths) =>
    runSync(readObjectHeader({ ...widths, limits: defaultLimits }, 0), bytesSource(bytes)),
};

/** Small numbers first, so that versions, flags and sizes are often ones that mean something. */
const byte = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 255 }));
const bytes = fc.array(byte, { maxLength: 120 }).map((values) => Uint8Array.from(values));
const width = fc.constantFrom(2, 4, 8);

function onlyH5Errors(decode: () => unknown): void {
  try {
    decode();
  } catch (error) {
    expect(error).toBeInstanceOf(H5Error);
  }
}

describe("bytes at random", () => {
  it.each(Object.entries(decoders))("%s throws nothing but H5Errors", (_, decode) => {
    const property = fc.property(bytes, width, width, (input, offsetSize, lengthSize) => {
      onlyH5Errors(() => decode(input, { offsetSize, lengthSize }));
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe("headers with one byte changed", () => {
  it.each(["header-v1-continuation.h5", "links.h5", "layouts-latest.h5", "attributes.h5"])("of %s", (name) => {
    const { bytes: good, context } = openFixture(name);
    const addresses = Object.values(fixtureAddresses()[name]!);
    const property = fc.property(
      fc.constantFrom(...addresses),
      fc.nat(300),
      fc.integer({ min: 1, max: 255 }),
      (address, at, change) => {
        const damaged = good.slice();
        damaged[address + at]! ^= change;
        onlyH5Errors(() => runSync(readObjectHeader(context, address), bytesSource(damaged)));
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});
