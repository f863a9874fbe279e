import { checksumText, InvalidFieldError } from "@h5/framing";
import { type DecodeOptions, filterPlace, type SyncDecoder, type SyncEncoder } from "./filter.ts";

/** Bytes of the checksum at the end. */
const CHECKSUM_BYTES = 4;

/**
 * Undoes the fletcher32 filter, id 3: verifies the checksum at the end and takes it off (the output is a view). Accepts
 * the sum with the bytes of each half swapped too, as libhdf5 does: releases before 1.6.3 stored it so on
 * little-endian machines. H5Zfletcher32.c.
 *
 * @throws InvalidFieldError where neither sum matches or there is no room for one
 */
export const fletcher32Decoder: SyncDecoder = {
  id: 3,
  name: "fletcher32",
  decode: verify,
  decodeSync: verify,
  encodedBytes: (bytes) => bytes + CHECKSUM_BYTES,
};

/** The fletcher32 filter, id 3: appends the checksum. H5Zfletcher32.c. */
export const fletcher32Encoder: SyncEncoder = { id: 3, name: "fletcher32", encode: append };

function verify(bytes: Uint8Array, _params: readonly number[], options: DecodeOptions): Uint8Array {
  const length = bytes.length - CHECKSUM_BYTES;
  if (length < 0) {
    throw new InvalidFieldError(`expected at least 4 bytes, got ${bytes.length}`, filterPlace("fletcher32", options));
  }
  const data = bytes.subarray(0, length);
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length, CHECKSUM_BYTES).getUint32(0, true);
  const sum = fletcher32(data);
  if (stored !== sum && stored !== swapHalves(sum)) {
    throw new InvalidFieldError(
      `expected checksum ${checksumText(sum)}, got ${checksumText(stored)}`,
      filterPlace("fletcher32", options),
    );
  }
  return data;
}

function append(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(bytes.length + CHECKSUM_BYTES);
  output.set(bytes);
  new DataView(output.buffer).setUint32(bytes.length, fletcher32(bytes), true);
  return output;
}

/** Swaps the two bytes of each 16-bit half. */
function swapHalves(sum: number): number {
  return (((sum & 0x00ff00ff) << 8) | ((sum >>> 8) & 0x00ff00ff)) >>> 0;
}

/** Bytes summed between folds: 240 words, as many as keep both sums below 2^31, which engines add as integers. */
const BYTES_BETWEEN_FOLDS = 480;

/**
 * Fletcher's checksum as HDF5 computes it: over big-endian 16-bit words, both sums starting at 0, an odd last byte
 * taken as the high half of a word (H5checksum.c, `H5_checksum_fletcher32`).
 */
export function fletcher32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  let sum1 = 0;
  let sum2 = 0;
  for (let at = 0; at < whole; ) {
    const stop = Math.min(whole, at + BYTES_BETWEEN_FOLDS);
    for (; at < stop; at += 4) {
      const two = view.getInt32(at);
      sum1 += two >>> 16;
      sum2 += sum1;
      sum1 += two & 0xffff;
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  for (let at = whole; at < bytes.length; at += 2) {
    sum1 += (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
    sum2 += sum1;
  }
  return ((foldTwice(sum2) << 16) | foldTwice(sum1)) >>> 0;
}

/** The sum modulo 65535 and below 2^17, 0 only if it was 0. */
function fold(sum: number): number {
  return (sum & 0xffff) + (sum >>> 16);
}

function foldTwice(sum: number): number {
  return fold(fold(sum));
}
