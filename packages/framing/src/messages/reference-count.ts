import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";

const STRUCTURE = "object reference count message";

/** Bytes of the message. */
export function sizeOfReferenceCount(): number {
  return 5;
}

/**
 * Message 0x16 (spec IV.A.2.w): the hard links to an object with a version 2 header, where there is not just one.
 *
 *     1  version (0)
 *     4  reference count
 *
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeReferenceCount(body: Uint8Array, address?: number): number {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 0);
  return reader.u32();
}

/** The inverse of {@link decodeReferenceCount}. */
export function encodeReferenceCount(count: number): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfReferenceCount(), STRUCTURE);
  writer.u8(0);
  writer.u32(count);
  return writer.finish();
}
