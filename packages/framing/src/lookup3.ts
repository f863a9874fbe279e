import type { ByteWriter } from "./byte-writer.ts";
import { InvalidFieldError, UnexpectedEofError } from "./errors.ts";

/**
 * Bob Jenkins' lookup3 `hashlittle`, the checksum of every structure since superblock 2 (H5checksum.c,
 * `H5_checksum_metadata`): seed 0 for checksums, the message type for shared-message hashes.
 *
 * @param head - what stands for the first of more than as many bytes; a multiple of 12 of them
 */
export function lookup3(bytes: Uint8Array, seed: number = 0, head: Uint8Array = bytes): number {
  const rest = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = head === bytes ? rest : new DataView(head.buffer, head.byteOffset, head.byteLength);
  let a = (0xdeadbeef + bytes.length + seed) | 0;
  let b = a;
  let c = a;
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    const view = at < head.length ? first : rest;
    a = (a + view.getInt32(at, true)) | 0;
    b = (b + view.getInt32(at + 4, true)) | 0;
    c = (c + view.getInt32(at + 8, true)) | 0;
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  if (at === bytes.length) return c >>> 0;
  a = (a + tailWord(bytes, at)) | 0;
  b = (b + tailWord(bytes, at + 4)) | 0;
  c = (c + tailWord(bytes, at + 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) >>> 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Little-endian word at `at`, bytes past the end taken as zero. */
function tailWord(bytes: Uint8Array, at: number): number {
  let word = 0;
  // Reads past the end would have the engine give up the fast code.
  for (let i = Math.min(bytes.length, at + 4); i > at; ) word = (word << 8) | bytes[--i]!;
  return word;
}

/**
 * Verifies the 4-byte checksum at `bytes[length]` over the `length` bytes before it.
 *
 * @throws InvalidFieldError where it does not match, UnexpectedEofError where it does not fit
 */
export function verifyChecksum(bytes: Uint8Array, length: number, structure: string, address?: number): void {
  if (!(bytes.length >= length + 4)) throw new UnexpectedEofError(structure, address, length + 4, bytes.length);
  const stored = tailWord(bytes, length) >>> 0;
  const computed = lookup3(bytes.subarray(0, length));
  if (stored !== computed) {
    throw new InvalidFieldError(`expected checksum ${checksumText(computed)}, got ${checksumText(stored)}`, {
      structure,
      address,
    });
  }
}

/** Writes the checksum over everything written so far. */
export function appendChecksum(writer: ByteWriter): void {
  writer.u32(lookup3(writer.bytes.subarray(0, writer.offset)));
}

/** A checksum of 32 bits in words, for errors: `"0x0badcafe"`. */
export function checksumText(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
