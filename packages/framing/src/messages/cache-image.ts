import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** Where the metadata cache image is: metadata that may be nowhere else in the file. */
export interface CacheImage {
  readonly address?: number | undefined;
  /** Bytes of the image. */
  readonly length: number;
}

const STRUCTURE = "metadata cache image message";

/** Bytes of the message. */
export function sizeOfCacheImage(widths: Widths): number {
  return 1 + widths.offsetSize + widths.lengthSize;
}

/**
 * Message 0x18 (`H5Ocache_image.c`; not in specification 3.0), of the superblock extension.
 *
 *     1  version (0)
 *     O  address
 *     L  length
 *
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeCacheImage(body: Uint8Array, widths: Widths, address?: number): CacheImage {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 0);
  return { address: reader.offsetField(widths), length: reader.lengthField(widths) };
}

/** The inverse of {@link decodeCacheImage}. */
export function encodeCacheImage(image: CacheImage, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfCacheImage(widths), STRUCTURE);
  writer.u8(0);
  writer.offsetField(image.address, widths);
  writer.lengthField(image.length, widths);
  return writer.finish();
}
