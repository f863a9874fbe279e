import { InvalidFieldError } from "@h5/framing";
import { readFields } from "./bit-reader.ts";
import { checkOutputSize, type DecodeOptions, filterPlace, outputOf, type SyncDecoder } from "./filter.ts";
import { reverseElements } from "./reverse-elements.ts";
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
  const output = outputOf(p.count * p.size, options, p.size);
  const minimum = readMinimum(bytes);
  const highWidth = Math.max(0, width - 32);
  for (const block of blocksOf(output, p)) {
    const { first, low, high } = block;
    const bit = 8 * HEADER_BYTES + first * width;
    if (highWidth > 0) readFields(bytes, bit, width, highWidth, high);
    readFields(bytes, bit + highWidth, width, width - highWidth, low);
    const fills = p.fill === undefined ? [] : placesOfOnes(block, width);
    (p.float ? expandFloats : expandIntegers)(block, p, minimum, output);
    for (const i of fills) putWords(output, (first + i) * p.size, p.fill!, p.size);
  }
  if (!p.littleEndian) reverseElements(output, p.size);
  return output;
}

/** Numbers from element `first` of the output on, first as they are packed. */
interface Block extends Words {
  readonly first: number;
}

/** Words of four bytes become elements where they are, others in the cache. */
function* blocksOf({ buffer, byteOffset }: Uint8Array, { count, size }: ScaleOffsetParameters): Generator<Block> {
  const high = new Uint32Array(size === 8 ? BLOCK : 0);
  const own = size === 4 ? new Uint32Array(buffer, byteOffset, count) : undefined;
  const low = new Uint32Array(own === undefined ? BLOCK : 0);
  for (let first = 0; first < count; first += BLOCK) {
    const length = Math.min(BLOCK, count - first);
    const lows = own === undefined ? low.subarray(0, length) : own.subarray(first, first + length);
    yield { first, low: lows, high: high.subarray(0, length) };
  }
}

function readMinimum(bytes: Uint8Array): Bits64 {
  const minimum = new Uint8Array(8);
  minimum.set(bytes.subarray(5, 5 + Math.min(8, bytes[4]!)));
  const view = new DataView(minimum.buffer);
  return { low: view.getUint32(0, true), high: view.getUint32(4, true) };
}

/** Which of the packed numbers are all ones: apart from the arithmetic, which engines do several times as fast so. */
function placesOfOnes({ low: lows, high: highs }: Words, width: number): number[] {
  const lowOnes = ones(Math.min(32, width)) | 0;
  const highOnes = ones(Math.max(0, width - 32));
  const places: number[] = [];
  for (let i = 0; i < lows.length; i++) {
    if ((lows[i]! | 0) === lowOnes && (width <= 32 || highs[i] === highOnes)) places.push(i);
  }
  return places;
}

function putWords(output: Uint8Array, start: number, { low, high }: Bits64, size: number): void {
  for (let i = 0; i < size; i++) output[start + i] = (i < 4 ? low : high) >>> (8 * (i % 4));
}

function expandIntegers(
  { first, low: lows, high: highs }: Block,
  { size }: ScaleOffsetParameters,
  minimum: Bits64,
  output: Uint8Array,
): void {
  const start = output.byteOffset + first * size;
  if (size === 8) {
    const words = new Uint32Array(output.buffer, start, 2 * lows.length);
    for (let i = 0; i < lows.length; i++) {
      const low = (lows[i]! + minimum.low) >>> 0;
      words[2 * i] = low;
      words[2 * i + 1] = highs[i]! + minimum.high + (low < minimum.low ? 1 : 0);
    }
    return;
  }
  // As 32-bit integers, which engines add as such.
  const low = minimum.low | 0;
  for (let i = 0; i < lows.length; i++) lows[i] = (lows[i]! | 0) + low;
  if (size === 1) output.set(lows, first);
  else if (size === 2) new Uint16Array(output.buffer, start, lows.length).set(lows);
}

function expandFloats(
  { first, low: lows, high: highs }: Block,
  { size, scale: digits }: ScaleOffsetParameters,
  minimumBits: Bits64,
  { buffer, byteOffset }: Uint8Array,
): void {
  const minimum = floatOf(minimumBits, size);
  const scale = Number(`1e${digits}`);
  const start = byteOffset + first * size;
  // Every step in the element's own precision, as the C code does it, or last digits differ.
  if (size === 8) {
    const values = new Float64Array(buffer, start, lows.length);
    for (let i = 0; i < lows.length; i++) values[i] = (highs[i]! * 4294967296 + lows[i]!) / scale + minimum;
  } else {
    const values = new Float32Array(buffer, start, lows.length);
    const singleScale = Math.fround(scale);
    for (let i = 0; i < lows.length; i++) values[i] = Math.fround(Math.fround(lows[i]!) / singleScale) + minimum;
  }
}
