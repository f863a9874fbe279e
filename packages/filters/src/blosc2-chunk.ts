import { UnsupportedFeatureError } from "@h5/framing";
import { type DecodeOptions, filterPlace } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";

/** A chunk of Blosc 2, and what its header says. */
export interface Chunk {
  /** From its header on. */
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly total: number;
  readonly block: number;
  readonly codec: number;
  readonly plain: boolean;
  /** Whether blocks are one stream each, never one for each byte of the elements. */
  readonly whole: boolean;
  /** 0, or what all of it is: 1 zeros, 2 NaN, 3 the value behind the header, 4 nothing of meaning. */
  readonly special: number;
  /** Filters in the order they were applied, each with the size of the elements for it. */
  readonly filters: readonly (readonly [filter: number, size: number])[];
}

/** Bytes of the header. */
export const CHUNK_HEADER = 32;

/**
 * Reads the header of a chunk, all little-endian:
 *
 *     00  1  version of the format, up to 5
 *     02  1  bits 0 and 2 both set, 1 stored plain, 4 blocks not split, 5-7 codec
 *     03  1  element size
 *     04  4  bytes of the decoded chunk
 *     08  4  bytes of a decoded block
 *     0c  4  bytes of the chunk
 *     10  6  filters: 1 bytes shuffled, 2 bits shuffled, 3 delta, 4 precision truncated
 *     18  6  a number for each filter: of a shuffle the size of an element, if not 0
 *     1f  1  bit 0 a dictionary, 3 the streams are elsewhere, 4-6 all of one value
 */
export function readChunk(bytes: Uint8Array, start: number, options: DecodeOptions): Chunk {
  if (start + CHUNK_HEADER > bytes.length) throw corrupt("blosc2", `no chunk at ${start} of ${bytes.length}`, options);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, CHUNK_HEADER);
  const [flags, size, more] = [view.getUint8(2), view.getUint8(3), view.getUint8(31)];
  const [total, block, stored] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  const unsupported = (what: string) => new UnsupportedFeatureError(what, filterPlace("blosc2", options));
  if ((flags & 5) !== 5 || view.getUint8(0) > 5) throw unsupported("Blosc 2 with chunks of another version");
  if ((more & 9) !== 0) throw unsupported("Blosc 2 with a dictionary or streams elsewhere");
  if (size === 0 || stored < CHUNK_HEADER || start + stored > bytes.length || (total > 0 && block === 0)) {
    const sizes = `${total} bytes in blocks of ${block}, elements of ${size}`;
    throw corrupt("blosc2", `${sizes}, in ${stored} bytes at ${start} of ${bytes.length} make no sense`, options);
  }
  const filters: (readonly [number, number])[] = [];
  for (let i = 0; i < 6; i++) {
    const filter = view.getUint8(16 + i);
    if (filter !== 0 && filter !== 1 && filter !== 2 && filter !== 4)
      throw unsupported(`Blosc 2 with filter ${filter}`);
    filters.push([filter, view.getUint8(24 + i) || size]);
  }
  const [plain, whole] = [(flags & 2) !== 0, (flags & 16) !== 0];
  const chunk = bytes.subarray(start, start + stored);
  return { bytes: chunk, size, total, block, codec: flags >>> 5, plain, whole, special: (more >>> 4) & 7, filters };
}
