import { type FloatDatatype, type FloatOrder, ieeeSize } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { gather } from "./gather.ts";

/** What floating-point numbers come in. */
export type FloatArray = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * Floating-point numbers: IEEE half and single as `Float32Array`, double as `Float64Array`; every other format as
 * `Float64Array`, rounded to nearest as libhdf5 rounds it (H5Tconv_float.c).
 */
export function decodeFloats(t: FloatDatatype, e: Elements): FloatArray {
  const order = t.order === "BE" ? "BE" : "LE";
  const size = ieeeSize(t);
  if (size === undefined) return oddFloats(t, e);
  const { buffer, byteOffset } = gather(e, size, size, order);
  if (size === 8) return new Float64Array(buffer, byteOffset, e.count);
  if (size === 4) return new Float32Array(buffer, byteOffset, e.count);
  return halves(new Uint16Array(buffer, byteOffset, e.count));
}

/** IEEE 754 half precision to single, which holds each exactly. */
function halves(bits: Uint16Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(bits.length);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < bits.length; i++) {
    const half = bits[i]!;
    const sign = (half & 0x8000) << 16;
    const exponent = half & 0x7c00;
    const mantissa = half & 0x03ff;
    if (exponent === 0) out[i] = (sign === 0 ? 1 : -1) * mantissa * 5.9604644775390625e-8;
    else if (exponent === 0x7c00) words[i] = sign | 0x7f800000 | (mantissa << 13);
    else words[i] = sign | ((half & 0x7fff) * 8192 + 0x38000000);
  }
  return out;
}

/** Bytes that the fields of a number may be in: positions and sizes have 8 bits each. */
const FIELD_BYTES = 64;

/** Formats of any sizes and positions, by their fields. */
function oddFloats(t: FloatDatatype, { bytes, start, stride, count }: Elements): Float64Array<ArrayBuffer> {
  const out = new Float64Array(count);
  const element = new Uint8Array(Math.min(t.size, FIELD_BYTES));
  for (let i = 0, at = start; i < count; i++, at += stride) {
    littleEndian(bytes, at, t.size, t.order, element);
    out[i] = floatValue(t, element);
  }
  return out;
}

/** Copies as much as `out` takes of one element, its least significant byte first. VAX keeps 16-bit words whole and reverses them. */
function littleEndian(bytes: Uint8Array, at: number, size: number, order: FloatOrder, out: Uint8Array): void {
  for (let k = 0; k < out.length; k++) {
    out[k] = bytes[order === "LE" ? at + k : order === "BE" ? at + size - 1 - k : at + ((size - 1 - k) ^ 1)]!;
  }
}

/**
 * The number a floating-point element stands for, as libhdf5 reads it (H5Tconv_float.c): the largest exponent means
 * infinity or NaN in every format, VAX too.
 */
function floatValue(t: FloatDatatype, element: Uint8Array): number {
  const { mantissaPosition, mantissaSize, exponentSize, normalization } = t;
  const sign = bitsAt(element, t.signPosition, 1) === 1 ? -1 : 1;
  const exponent = bitsAt(element, t.exponentPosition, exponentSize);
  const leading = normalization !== "implied";
  if (exponent === 2 ** exponentSize - 1) {
    const fraction = leading ? mantissaSize - 1 : mantissaSize;
    return anyBit(element, mantissaPosition, fraction) ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  }
  const implied = !leading && exponent !== 0;
  const scale = exponent - t.exponentBias - mantissaSize + (implied ? 0 : 1);
  if (mantissaSize <= 52) {
    const mantissa = bitsAt(element, mantissaPosition, mantissaSize);
    return sign * scaled(implied ? mantissa + 2 ** mantissaSize : mantissa, scale);
  }
  const mantissa = bigBitsAt(element, mantissaPosition, mantissaSize);
  return sign * scaledBig(implied ? mantissa | (1n << BigInt(mantissaSize)) : mantissa, scale, isLongDouble(t));
}

/** Bits `[position, position + size)` as a number, up to 53 of them exactly. */
function bitsAt(element: Uint8Array, position: number, size: number): number {
  let value = 0;
  for (let at = 0; at < size; ) {
    const shift = (position + at) & 7;
    const take = Math.min(8 - shift, size - at);
    value += ((element[(position + at) >> 3]! >> shift) & ((1 << take) - 1)) * 2 ** at;
    at += take;
  }
  return value;
}

function bigBitsAt(element: Uint8Array, position: number, size: number): bigint {
  let value = 0n;
  for (let at = size - (size % 32 || 32); at >= 0; at -= 32) {
    value = (value << 32n) | BigInt(bitsAt(element, position + at, Math.min(32, size - at)));
  }
  return value;
}

function anyBit(element: Uint8Array, position: number, size: number): boolean {
  for (let at = 0; at < size; at += 32) {
    if (bitsAt(element, position + at, Math.min(32, size - at)) !== 0) return true;
  }
  return false;
}

/** `mantissa`·2^`exponent` for an integer up to 2^53, rounded once. */
function scaled(mantissa: number, exponent: number): number {
  if (exponent > 1023) return mantissa * 2 ** 1023 * 2 ** Math.min(exponent - 1023, 1023);
  // Down to 2^-1000 nothing is lost, so that only the second step rounds.
  if (exponent < -1000) return mantissa * 2 ** -1000 * 2 ** Math.max(exponent + 1000, -1074);
  return mantissa * 2 ** exponent;
}

/** The format of the processor's own that libhdf5 leaves to the compiler's cast; all others it rounds by itself. */
function isLongDouble({ size, order, precision, mantissaSize, normalization }: FloatDatatype): boolean {
  return size === 16 && order === "LE" && precision === 80 && mantissaSize === 64 && normalization === "none";
}

/** `mantissa`·2^`exponent` for an integer of any length, rounded once to nearest, ties to even or away from zero. */
function scaledBig(mantissa: bigint, exponent: number, tiesToEven: boolean): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  const drop = Math.max(0, length - 53, -1074 - exponent);
  if (drop > length + 1) return 0;
  const shift = BigInt(drop);
  const half = shift === 0n ? 0n : 1n << (shift - 1n);
  const kept = mantissa >> shift;
  const rest = mantissa - (kept << shift);
  const up = shift !== 0n && (rest > half || (rest === half && !(tiesToEven && (kept & 1n) === 0n)));
  return scaled(Number(up ? kept + 1n : kept), exponent + drop);
}
