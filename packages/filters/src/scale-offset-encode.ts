import { InvalidArgumentError } from "@h5/framing";
import { BitWriter } from "./bit-writer.ts";
import type { SyncEncoder } from "./filter.ts";
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
 * The scale-offset filter, id 6, byte for byte as libhdf5 packs; parameters and layout are those of
 * `scaleOffsetDecoder`. Lossy for floating-point numbers: they come back within half a unit of the last digit kept.
 * Gives `undefined` where a given number of bits does not hold every number; libhdf5 cuts them off then.
 *
 * @throws InvalidArgumentError for parameters that make no sense or not for this chunk, and for numbers that are
 * infinite or not a number, in whose place libhdf5 stores others
 */
export const scaleOffsetEncoder: SyncEncoder = { id: 6, name: "scaleoffset", encode: compress };

/** What is to be written: numbers packed, or the elements as they are where `width` is an element's. */
interface Packed {
  readonly width: number;
  /** The smallest number as stored: an integer, or the bits of a floating-point one. */
  readonly minimum: bigint;
  /** The distance of each from the smallest, or all ones for the fill value; `undefined` where some do not fit. */
  readonly codes: Words | undefined;
}

function compress(bytes: Uint8Array, params: readonly number[]): Uint8Array | undefined {
  const p = scaleOffsetParameters(params, fail);
  if (bytes.length !== p.count * p.size) fail(`expected ${p.count * p.size} bytes, got ${bytes.length}`);
  const full = 8 * p.size;
  if (!p.float && p.scale === full) return bytes;
  const { width, minimum, codes } = p.float ? packFloats(bytes, p) : packIntegers(bytes, p);
  if (width === full) return withHeader(width, minimum, wholeElements(bytes, p));
  if (codes === undefined) return undefined;
  // The library counts a byte more where the last one is full.
  const writer = new BitWriter(new Uint8Array(Math.floor((p.count * width) / 8) + 1), 0);
  const highWidth = Math.max(0, width - 32);
  for (let i = 0; i < p.count; i++) {
    writer.write(codes.high[i]!, highWidth);
    writer.write(codes.low[i]!, width - highWidth);
  }
  return withHeader(width, minimum, writer.bytes);
}

function fail(message: string): never {
  throw new InvalidArgumentError(message, { structure: "scaleoffset filter" });
}

function withHeader(width: number, minimum: bigint, packed: Uint8Array): Uint8Array {
  const output = new Uint8Array(HEADER_BYTES + packed.length);
  const view = new DataView(output.buffer);
  view.setUint32(0, width, true);
  view.setUint8(4, 8);
  view.setBigInt64(5, minimum, true);
  output.set(packed, HEADER_BYTES);
  return output;
}

/** Bits that hold `count` different codes. */
function widthFor(count: bigint): number {
  let width = 0;
  while (1n << BigInt(width) < count) width++;
  return width;
}

function packIntegers(bytes: Uint8Array, p: ScaleOffsetParameters): Packed {
  const full = 8 * p.size;
  const signBit = p.signed ? 1n << BigInt(full - 1) : 0n;
  const keys = readKeys(bytes, p);
  const fill = p.fill && orderKey(p.fill, p);
  const [minimum, maximum] = extremes(keys, fill, p);
  const smallest = BigInt.asIntN(p.signed ? full : 64, joined(minimum) ^ signBit);
  const span = joined(maximum) - joined(minimum) + 1n;
  if (p.scale <= 0 && span > (1n << BigInt(full)) - 2n) return { width: full, minimum: 0n, codes: undefined };
  const codeCount = fill === undefined ? span : span + 1n;
  const width = p.scale > 0 ? p.scale : widthFor(codeCount);
  if (codeCount > 1n << BigInt(width)) return { width, minimum: smallest, codes: undefined };
  return { width, minimum: smallest, codes: distances(keys, minimum, fill, width) };
}

/** The integers with their sign bit flipped, which puts signed ones in unsigned order and leaves distances alone. */
function readKeys(bytes: Uint8Array, p: ScaleOffsetParameters): Words {
  const { size, count, littleEndian } = p;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const keys = { high: new Uint32Array(count), low: new Uint32Array(count) };
  for (let i = 0, at = 0; i < count; i++, at += size) {
    let high = 0;
    let low: number;
    if (size === 1) low = view.getUint8(at);
    else if (size === 2) low = view.getUint16(at, littleEndian);
    else if (size === 4) low = view.getUint32(at, littleEndian);
    else {
      low = view.getUint32(littleEndian ? at : at + 4, littleEndian);
      high = view.getUint32(littleEndian ? at + 4 : at, littleEndian);
    }
    const key = orderKey({ low, high }, p);
    keys.high[i] = key.high;
    keys.low[i] = key.low;
  }
  return keys;
}

function orderKey({ low, high }: Bits64, { size, signed }: ScaleOffsetParameters): Bits64 {
  if (!signed) return { low, high };
  if (size === 8) return { low, high: (high ^ 0x80000000) >>> 0 };
  return { low: (low ^ (1 << (8 * size - 1))) >>> 0, high };
}

function joined({ low, high }: Bits64): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** The smallest and largest key but for the fill value's; that of 0 where there is no other. */
function extremes({ high, low }: Words, fill: Bits64 | undefined, p: ScaleOffsetParameters): [Bits64, Bits64] {
  let minimum: Bits64 | undefined;
  let maximum: Bits64 | undefined;
  for (let i = 0; i < low.length; i++) {
    const h = high[i]!;
    const l = low[i]!;
    if (fill !== undefined && l === fill.low && h === fill.high) continue;
    if (minimum === undefined || h < minimum.high || (h === minimum.high && l < minimum.low)) {
      minimum = { low: l, high: h };
    }
    if (maximum === undefined || h > maximum.high || (h === maximum.high && l > maximum.low)) {
      maximum = { low: l, high: h };
    }
  }
  const zero = orderKey({ low: 0, high: 0 }, p);
  return [minimum ?? zero, maximum ?? zero];
}

function distances({ high, low }: Words, minimum: Bits64, fill: Bits64 | undefined, width: number): Words {
  const highWidth = Math.max(0, width - 32);
  const codes = { high: new Uint32Array(low.length), low: new Uint32Array(low.length) };
  for (let i = 0; i < low.length; i++) {
    if (fill !== undefined && low[i] === fill.low && high[i] === fill.high) {
      codes.high[i] = ones(highWidth);
      codes.low[i] = ones(width - highWidth);
    } else {
      codes.low[i] = low[i]! - minimum.low;
      codes.high[i] = high[i]! - minimum.high - (low[i]! < minimum.low ? 1 : 0);
    }
  }
  return codes;
}

function packFloats(bytes: Uint8Array, p: ScaleOffsetParameters): Packed {
  const full = 8 * p.size;
  // Every step in the element's own precision, as the C code does it, or codes differ.
  const round = p.size === 4 ? Math.fround : (value: number) => value;
  const values = readFloats(bytes, p);
  const fill = p.fill && floatOf(p.fill, p.size);
  const scale = round(Number(`1e${p.scale}`));
  const unit = Number(`1e${-p.scale}`);
  const isFill = (value: number, limit: number) => fill !== undefined && Math.abs(round(value - fill)) < limit;
  const others = values.filter((value) => !isFill(value, unit));
  let minimum = others[0] ?? 0;
  let maximum = minimum;
  for (const value of others) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  const low = round(minimum * scale);
  const distance = (value: number) => Math.round(round(round(value * scale) - low));
  if (!(distance(maximum) <= 2 ** (full - 1))) return { width: full, minimum: 0n, codes: undefined };
  const width = widthFor(BigInt(distance(maximum)) + (fill === undefined ? 1n : 2n));
  const highWidth = Math.max(0, width - 32);
  const codes = { high: new Uint32Array(p.count), low: new Uint32Array(p.count) };
  for (const [i, value] of values.entries()) {
    const isFilled = isFill(value, round(unit));
    codes.high[i] = isFilled ? ones(highWidth) : Math.floor(distance(value) / 4294967296);
    codes.low[i] = isFilled ? ones(width - highWidth) : distance(value) % 4294967296;
  }
  return { width, minimum: floatBits(minimum, p.size), codes };
}

function readFloats(bytes: Uint8Array, { size, count, littleEndian }: ScaleOffsetParameters): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const value = size === 4 ? view.getFloat32(4 * i, littleEndian) : view.getFloat64(8 * i, littleEndian);
    if (!Number.isFinite(value)) fail(`element ${i} is ${value}, which cannot be scaled`);
    values[i] = value;
  }
  return values;
}

function floatBits(value: number, size: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (size === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return view.getBigInt64(0, true);
}
