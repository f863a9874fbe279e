import { InvalidFieldError } from "@h5/framing";
import { readFields } from "./bit-reader.ts";
import { checkOutputSize, type DecodeOptions, filterPlace, outputOf, type SyncDecoder } from "./filter.ts";
import {
  type Bits64,
  floatOf,
  HEADER_BYTES,
  ones,
  type ScaleOffsetParameters,
  scaleOffsetParameters,
  type Words,
  wholeElements,
} from "./scale-offset-format.ts";

/**
 * Undoes the scale-offset filter, id 6: numbers stored as their distance from the smallest, in just as many bits as the
 * largest distance needs; floating-point ones scaled by a power of ten and rounded before that. The parameters:
 *
 *     0  scale type: 0 decimal digits (floating-point), 1 bits (floating-point, never implemented), 2 integer
 *     1  scale factor: decimal digits, signed; or bits, 0 where they are computed
 *     2  elements in the chunk
 *     3  class: 0 integer, 1 floating-point
 *     4  element size
 *     5  1: signed
 *     6  byte order: 0 little-endian, 1 big-endian
 *     7  1: there is a fill value
 *     8  fill value, low word first, up to parameter 19
 *
 * and a chunk:
 *
 *     0  u32 bits of each packed number; 0: none is packed; all of an element's: elements as they are, little-endian
 *     4  u8 bytes of the smallest number: 8
 *     5  u64 smallest number, as an integer or as the bits of a floating-point one
 *    13  8 bytes unused
 *    21  packed numbers, most significant bit first; all ones means the fill value, where there is one
 *
 * H5Zscaleoffset.c; the specification has the filter's name only. Takes full-width chunks, which libhdf5 1.14.5 and
 * 1.14.6 write but refuse to read.
 *
 * @throws InvalidFieldError for parameters that make no sense and for a chunk with fewer bytes than it needs;
 * UnsupportedFeatureError for scale type 1; LimitExceededError where the output would have more than `maxBytes`
 */
export const scaleOffsetDecoder: SyncDecoder = { id: 6, name: "scaleoffset", decode: expand, decodeSync: expand };

/** Numbers taken apart at once: so many that a call for them costs nothing, and few enough to stay in the cache. */
const BLOCK = 4096;

function expand(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  const fail = (message: string): never => {
    throw new InvalidFieldError(message, filterPlace("scaleoffset", options));
  };
  const p = scaleOffsetParameters(params, fail);
  if (!p.float && p.scale === 8 * p.size) return bytes;
  checkOutputSize("scaleoffset", p.count * p.size, options);
  if (bytes.length < HEADER_BYTES) fail(`expected a header of ${HEADER_BYTES} bytes, got ${bytes.length}`);
  const width = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (width > 8 * p.size) fail(`expected at most ${8 * p.size} bits a number, got ${width}`);
  const needed = HEADER_BYTES + Math.ceil((p.count * width) / 8);
  if (bytes.length < needed) fail(`expected ${needed} bytes, got ${bytes.length}`);
  if (width === 8 * p.size) return wholeElements(bytes.subarray(HEADER_BYTES, needed), p);
  const output = outputOf(p.count * p.size, options);
  const view = new DataView(output.buffer, output.byteOffset, output.byteLength);
  const minimum = readMinimum(bytes);
  const highWidth = Math.max(0, width - 32);
  const all = { low: new Uint32Array(BLOCK), high: new Uint32Array(BLOCK) };
  for (let first = 0; first < p.count; first += BLOCK) {
    const count = Math.min(BLOCK, p.count - first);
    const codes = { low: all.low.subarray(0, count), high: all.high.subarray(0, count) };
    const bit = 8 * HEADER_BYTES + first * width;
    if (highWidth > 0) readFields(bytes, bit, width, highWidth, codes.high);
    readFields(bytes, bit + highWidth, width, width - highWidth, codes.low);
    (p.float ? expandFloats : expandIntegers)(codes, p, width, minimum, view, first * p.size);
  }
  return output;
}

function readMinimum(bytes: Uint8Array): Bits64 {
  const minimum = new Uint8Array(8);
  minimum.set(bytes.subarray(5, 5 + Math.min(8, bytes[4]!)));
  const view = new DataView(minimum.buffer);
  return { low: view.getUint32(0, true), high: view.getUint32(4, true) };
}

function expandIntegers(
  { low: lows, high: highs }: Words,
  { size, littleEndian, fill }: ScaleOffsetParameters,
  width: number,
  minimum: Bits64,
  view: DataView,
  start: number,
): void {
  // As 32-bit integers, which engines add as such.
  const [lowOnes, highOnes] = [ones(Math.min(32, width)) | 0, ones(Math.max(0, width - 32)) | 0];
  const [lowMinimum, highMinimum] = [minimum.low | 0, minimum.high | 0];
  const [lowFill, highFill] = [(fill?.low ?? 0) | 0, (fill?.high ?? 0) | 0];
  for (let i = 0, at = start; i < lows.length; i++, at += size) {
    let low = lows[i]! | 0;
    let high = highs[i]! | 0;
    if (fill !== undefined && low === lowOnes && high === highOnes) {
      low = lowFill;
      high = highFill;
    } else {
      const code = low >>> 0;
      low = (low + lowMinimum) | 0;
      if (size === 8) high = (high + highMinimum + (low >>> 0 < code ? 1 : 0)) | 0;
    }
    if (size === 4) view.setInt32(at, low, littleEndian);
    else if (size === 2) view.setInt16(at, low, littleEndian);
    else if (size === 1) view.setInt8(at, low);
    else {
      view.setInt32(at + (littleEndian ? 0 : 4), low, littleEndian);
      view.setInt32(at + (littleEndian ? 4 : 0), high, littleEndian);
    }
  }
}

function expandFloats(
  { low: lows, high: highs }: Words,
  p: ScaleOffsetParameters,
  width: number,
  minimumBits: Bits64,
  view: DataView,
  start: number,
): void {
  const { size, littleEndian } = p;
  const hasFill = p.fill !== undefined;
  const minimum = floatOf(minimumBits, size);
  const fill = floatOf(p.fill ?? minimumBits, size);
  const scale = Number(`1e${p.scale}`);
  const singleScale = Math.fround(scale);
  const [lowOnes, highOnes] = [ones(Math.min(32, width)), ones(Math.max(0, width - 32))];
  for (let i = 0, at = start; i < lows.length; i++, at += size) {
    const low = lows[i]!;
    const high = highs[i]!;
    let value = high * 4294967296 + low;
    // Every step in the element's own precision, as the C code does it, or last digits differ.
    if (hasFill && low === lowOnes && high === highOnes) value = fill;
    else if (size === 4) value = Math.fround(Math.fround(value) / singleScale) + minimum;
    else value = value / scale + minimum;
    if (size === 4) view.setFloat32(at, value, littleEndian);
    else view.setFloat64(at, value, littleEndian);
  }
}
