import { checkOutputSize, type DecodeOptions } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";

/** Bytes of the header in front of the blocks. */
export const SIZED_HEADER = 12;

/** What the header of a chunk of blocks says. */
export interface SizedHeader {
  /** Bytes of the decoded chunk, no more than the limit. */
  readonly total: number;
  /** Bytes of each decoded block but the last. */
  readonly blockBytes: number;
}

/**
 * The header that the LZ4 filter and bitshuffle put in front of their blocks, both numbers big-endian:
 *
 *     0  8  bytes of the decoded chunk
 *     8  4  bytes of a decoded block
 */
export function sizedHeader(name: string, bytes: Uint8Array, options: DecodeOptions): SizedHeader {
  if (bytes.length < SIZED_HEADER) {
    throw corrupt(name, `expected a header of ${SIZED_HEADER} bytes, got ${bytes.length}`, options);
  }
  const total = bigEndian(bytes, 0) * 2 ** 32 + bigEndian(bytes, 4);
  checkOutputSize(name, total, options);
  return { total, blockBytes: bigEndian(bytes, 8) };
}

/** The stored bytes of the block at `at`: their number, big-endian in 4 bytes, stands before them. */
export function sizedBlock(name: string, bytes: Uint8Array, at: number, options: DecodeOptions): Uint8Array {
  const start = at + 4;
  const end = start + (start <= bytes.length ? bigEndian(bytes, at) : 0);
  if (end > bytes.length) throw corrupt(name, `a block goes on past the end of the ${bytes.length} bytes`, options);
  return bytes.subarray(start, end);
}

/** A chunk of `total` bytes: the header, each block with its size before it, and what comes after them. */
export function joinSized(
  total: number,
  blockBytes: number,
  blocks: readonly Uint8Array[],
  rest: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const length = blocks.reduce((sum, block) => sum + 4 + block.length, SIZED_HEADER + rest.length);
  const output = new Uint8Array(length);
  const view = new DataView(output.buffer);
  view.setUint32(0, Math.floor(total / 2 ** 32));
  view.setUint32(4, total);
  view.setUint32(8, blockBytes);
  let at = SIZED_HEADER;
  for (const block of blocks) {
    view.setUint32(at, block.length);
    output.set(block, at + 4);
    at += 4 + block.length;
  }
  output.set(rest, at);
  return output;
}

function bigEndian(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
