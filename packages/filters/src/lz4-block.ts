import type { DecodeOptions } from "./filter.ts";
import { copyBack, corrupt } from "./lz-copy.ts";

/** Matches are at least this long (LZ4 Block Format Description). */
const MIN_MATCH = 4;

/**
 * Decodes one LZ4 block (LZ4 Block Format Description) into the whole of `output`. A block is a sequence of
 *
 *     LLLLMMMM [255…n] L literals, oo oo [255…n]     M+4 bytes from o bytes back, little-endian
 *
 * where a nibble of 15 goes on in bytes up to one below 255; the last sequence ends after its literals.
 *
 * Written here, where other codecs come from libraries: those for LZ4 either do not check their bounds or need
 * WebAssembly, for what is shorter than loading them.
 *
 * @throws InvalidFieldError for a block that ends within a sequence, reaches back before its start, or gives another
 * number of bytes
 */
export function decodeLz4Block(bytes: Uint8Array, output: Uint8Array, options: DecodeOptions): void {
  const fail = (reason: string) => corrupt("LZ4", reason, options);
  let from = 0;
  let to = 0;
  const extended = (nibble: number): number => {
    let length = nibble;
    let more = nibble === 15;
    while (more) {
      const byte = bytes[from++];
      if (byte === undefined) throw fail("it ends within a length");
      length += byte;
      more = byte === 255;
    }
    return length;
  };
  while (from < bytes.length) {
    const token = bytes[from++]!;
    const literals = extended(token >>> 4);
    if (from + literals > bytes.length) throw fail("it ends within literals");
    if (to + literals > output.length) throw fail(`it gives more than ${output.length} bytes`);
    if (literals > 32) output.set(bytes.subarray(from, from + literals), to);
    else for (let i = 0; i < literals; i++) output[to + i] = bytes[from + i]!;
    from += literals;
    to += literals;
    if (from === bytes.length) break;
    if (from + 2 > bytes.length) throw fail("it ends within an offset");
    const distance = bytes[from]! | (bytes[from + 1]! << 8);
    from += 2;
    const length = extended(token & 15) + MIN_MATCH;
    if (distance === 0 || distance > to) throw fail("a match reaches back before its start");
    if (to + length > output.length) throw fail(`it gives more than ${output.length} bytes`);
    copyBack(output, to, distance, length);
    to += length;
  }
  if (to !== output.length) throw fail(`expected ${output.length} bytes, got ${to}`);
}

/** Bytes at the end of a block that are literals, and that no match begins within (LZ4 Block Format Description). */
const LAST_LITERALS = 5;
const LAST_MATCH = 12;
const MAX_DISTANCE = 65535;
const HASH_BITS = 13;

/**
 * Encodes one LZ4 block, which may be longer than its input: greedy, with one candidate for each hash of four bytes, as
 * LZ4 is; not its very bytes.
 */
export function encodeLz4Block(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output = new Uint8Array(bytes.length + Math.floor(bytes.length / 255) + 16);
  const latest = new Int32Array(1 << HASH_BITS).fill(-MAX_DISTANCE - 1);
  let to = 0;
  const putLength = (length: number): void => {
    if (length < 15) return;
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) output[to++] = 255;
    output[to++] = rest;
  };
  const putLiterals = (start: number, end: number, matched: number): void => {
    const length = end - start;
    output[to++] = (Math.min(length, 15) << 4) | Math.min(matched, 15);
    putLength(length);
    output.set(bytes.subarray(start, end), to);
    to += length;
  };
  const matchEnd = bytes.length - LAST_LITERALS;
  let literals = 0;
  let at = 0;
  while (at <= bytes.length - LAST_MATCH) {
    const four = input.getInt32(at, true);
    const hash = Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
    const candidate = latest[hash]!;
    latest[hash] = at;
    if (at - candidate > MAX_DISTANCE || input.getInt32(candidate, true) !== four) {
      // The longer nothing was found, the less is looked for.
      at += 1 + ((at - literals) >>> 6);
      continue;
    }
    let end = at + MIN_MATCH;
    for (let from = candidate + MIN_MATCH; end < matchEnd && bytes[from] === bytes[end]; from++) end++;
    const matched = end - at - MIN_MATCH;
    putLiterals(literals, at, matched);
    output[to++] = (at - candidate) & 255;
    output[to++] = (at - candidate) >>> 8;
    putLength(matched);
    at = end;
    literals = end;
  }
  putLiterals(literals, bytes.length, 0);
  return output.subarray(0, to);
}
