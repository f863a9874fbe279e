import { isH5Error, UnsupportedFeatureError } from "@h5/framing";
import type { Decompress } from "fzstd";
import { checkOutputSize, type DecodeOptions, filterPlace } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";

/** Decodes one frame. */
export type ZstdFrame = (bytes: Uint8Array, options: DecodeOptions) => Uint8Array;

/**
 * The decoder of frames, once the library is there.
 *
 * @throws UnsupportedFeatureError where it is not installed
 */
export async function loadZstd(options: DecodeOptions): Promise<ZstdFrame> {
  try {
    const library = await import("fzstd");
    return (bytes, frameOptions) => decodeFrame(library.Decompress, bytes, frameOptions);
  } catch (cause) {
    const place = { ...filterPlace("zstd", options), cause };
    throw new UnsupportedFeatureError('Zstandard needs the package fzstd: "npm install fzstd"', place);
  }
}

/** Bytes of a window that every decoder should allow (RFC 8878, 3.1.1.1.2). */
const LEAST_WINDOW = 8388608;

function decodeFrame(Stream: typeof Decompress, bytes: Uint8Array, options: DecodeOptions): Uint8Array {
  const { contentBytes, windowBytes } = frameHeader(bytes, options);
  // The library takes the memory that the header claims.
  if (windowBytes > LEAST_WINDOW) checkOutputSize("zstd", windowBytes, options);
  if (contentBytes !== undefined) checkOutputSize("zstd", contentBytes, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Stream((part) => {
    length += part.length;
    checkOutputSize("zstd", length, options);
    parts.push(part);
  });
  try {
    stream.push(bytes, true);
  } catch (error) {
    if (isH5Error(error)) throw error;
    throw corrupt("zstd", error instanceof Error ? error.message : String(error), options);
  }
  if (contentBytes !== undefined && length !== contentBytes) {
    throw corrupt("zstd", `expected ${contentBytes} bytes, got ${length}`, options);
  }
  return joined(parts, length);
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const output = new Uint8Array(length);
  let to = 0;
  for (const part of parts) {
    output.set(part, to);
    to += part.length;
  }
  return output;
}

interface FrameHeader {
  readonly contentBytes: number | undefined;
  readonly windowBytes: number;
}

/**
 * Reads the header of the only frame (RFC 8878, 3.1.1):
 *
 *     0  4        28 b5 2f fd
 *     4  1        bits 6-7 size of the content size, 5 single segment, 2 checksum, 0-1 size of the dictionary's number
 *     5  0 or 1   window, not in a single segment: bits 3-7 exponent, 0-2 mantissa
 *     …  0 to 4   number of the dictionary
 *     …  0 to 8   content size, little-endian
 */
function frameHeader(bytes: Uint8Array, options: DecodeOptions): FrameHeader {
  const [a, b, c, d, flags = 0, window = 0] = bytes;
  if (a !== 0x28 || b !== 0xb5 || c !== 0x2f || d !== 0xfd) throw corrupt("zstd", "it is no Zstandard frame", options);
  const single = (flags & 32) !== 0;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][flags >>> 6]!;
  const sizeAt = (single ? 5 : 6) + [0, 1, 2, 4][flags & 3]!;
  const end = sizeAt + sizeBytes;
  let size = sizeBytes === 2 ? 256 : 0;
  for (let i = 0; i < sizeBytes; i++) size += (bytes[sizeAt + i] ?? 0) * 256 ** i;
  checkEnd(bytes, end, (flags & 4) !== 0, options);
  return {
    contentBytes: sizeBytes === 0 ? undefined : size,
    windowBytes: single ? size : 2 ** (10 + (window >>> 3)) * (1 + (window & 7) / 8),
  };
}

/** Goes from block to block: the frame must end with the bytes, lest the library takes up another one behind it. */
function checkEnd(bytes: Uint8Array, headerEnd: number, checksum: boolean, options: DecodeOptions): void {
  let at = headerEnd;
  for (let last = false; !last; ) {
    const head = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    last = (head & 1) === 1;
    // Of a run only the byte is stored.
    at += 3 + (((head >>> 1) & 3) === 1 ? 1 : head >>> 3);
    if (at > bytes.length) throw corrupt("zstd", "it goes on past the end of the chunk", options);
  }
  if (checksum) at += 4;
  if (at !== bytes.length) throw corrupt("zstd", `expected a frame of ${bytes.length} bytes, got ${at}`, options);
}
