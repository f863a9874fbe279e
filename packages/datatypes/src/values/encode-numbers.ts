import { InvalidArgumentError } from "@h5/framing";
import { type BitfieldDatatype, type Datatype, type FloatDatatype, ieeeSize } from "../datatype.ts";
import { describeDatatype } from "../describe.ts";
import { fitsInteger, type IntegerBits, writeBits, writeInteger } from "../integer-bits.ts";
import type { Elements } from "./elements.ts";
import { valueBits } from "./integers.ts";

/** The error for a value its type cannot hold. */
export function misfit(value: unknown, i: number, t: Datatype): InvalidArgumentError {
  const text = shown(value);
  return new InvalidArgumentError(`value ${text} of element ${i} does not fit ${describeDatatype(t)}`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value);
}

/** Writes integers into the elements; `t` is the type to name, `type` how its values lie in an element. */
export function encodeIntegers(t: Datatype, type: IntegerBits, values: ArrayLike<unknown>, e: Elements): void {
  const bits = valueBits(type);
  const { size, signed, precision } = bits;
  const whole = precision === size * 8;
  const simple = whole && (size === 1 || size === 2 || size === 4);
  const least = signed ? -(2 ** (precision - 1)) : 0;
  const most = signed ? 2 ** (precision - 1) - 1 : 2 ** precision - 1;
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const value = typeof values[i] === "boolean" ? Number(values[i]) : values[i];
    if (simple && typeof value === "number") {
      if (!(Number.isInteger(value) && value >= least && value <= most)) throw misfit(value, i, t);
      writeSmall(e.view, at, bits, value);
    } else {
      const integer = toBigInt(value);
      if (integer === undefined || !fitsInteger(integer, bits)) throw misfit(value, i, t);
      if (whole && size === 8) e.view.setBigInt64(at, integer, bits.order === "LE");
      else writeInteger(e.bytes, at, bits, integer);
    }
  }
}

/** Refuses bits outside a bitfield's own, which libhdf5 would leave out of the value. */
export function checkBitfields(t: BitfieldDatatype, values: ArrayLike<unknown>, count: number): void {
  if (t.precision === t.size * 8) return;
  const field = ((1n << BigInt(t.precision)) - 1n) << BigInt(t.offset);
  for (let i = 0; i < count; i++) {
    if ((BigInt(values[i] as number) & ~field) !== 0n) throw misfit(values[i], i, t);
  }
}

function writeSmall(view: DataView, at: number, { size, order }: IntegerBits, value: number): void {
  if (size === 1) view.setInt8(at, value);
  else if (size === 2) view.setInt16(at, value, order === "LE");
  else view.setInt32(at, value, order === "LE");
}

/** An exact integer; a number beyond ±(2^53−1) has lost what it stood for. */
function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

/** Writes numbers into floating-point elements, rounded to nearest; a finite one that would become infinite throws. */
export function encodeFloats(t: FloatDatatype, values: ArrayLike<unknown>, e: Elements): void {
  const ieee = ieeeSize(t);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const value = values[i];
    if (typeof value !== "number") throw misfit(value, i, t);
    if (ieee === 8) e.view.setFloat64(at, value, t.order === "LE");
    else if (ieee === 4 && Number.isFinite(Math.fround(value)) === Number.isFinite(value)) {
      e.view.setFloat32(at, value, t.order === "LE");
    } else if (ieee === 2 && !(Math.abs(value) >= LEAST_BEYOND_HALF && Number.isFinite(value))) {
      e.view.setUint16(at, halfBits(value), t.order === "LE");
    } else {
      const bits = floatBits(t, value);
      if (bits === undefined) throw misfit(value, i, t);
      writeFloat(t, bits, e.bytes, at);
    }
  }
}

/** The least number that rounds beyond the largest half, 65504. */
const LEAST_BEYOND_HALF = 65520;

/** The IEEE 754 half nearest to a number, ties to even; quicker than {@link floatBits}, which does any format. */
function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  let exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  // The logarithm may be off next to a power of two.
  if (exponent > -14 && 2 ** exponent > magnitude) exponent--;
  // Adding 2^52 leaves no bits for a fraction, and rounds as the sum of doubles does.
  const mantissa = magnitude * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52;
  // The leading bit of a normal number, and a carry out of the mantissa, add one to the exponent.
  return sign + mantissa + (exponent + 14) * 1024;
}

function writeFloat(t: FloatDatatype, bits: bigint, bytes: Uint8Array, at: number): void {
  writeBits(bytes, at, t.size, t.order === "LE" ? "LE" : "BE", bits);
  if (t.order !== "VAX") return;
  // The words stand in big-endian order already; the bytes in each are little-endian.
  for (let k = at; k < at + t.size; k += 2) {
    const first = bytes[k]!;
    bytes[k] = bytes[k + 1]!;
    bytes[k + 1] = first;
  }
}

/** The element for a number, padding included; `undefined` where it is too large. */
function floatBits(t: FloatDatatype, value: number): bigint | undefined {
  const fields = Number.isFinite(value) ? finiteFields(t, Math.abs(value)) : specialFields(t, value);
  if (fields === undefined) return undefined;
  const negative = value < 0 || Object.is(value, -0);
  const used =
    (1n << BigInt(t.signPosition)) |
    (ones(t.exponentSize) << BigInt(t.exponentPosition)) |
    (ones(t.mantissaSize) << BigInt(t.mantissaPosition));
  return (
    (negative ? 1n << BigInt(t.signPosition) : 0n) |
    (fields.exponent << BigInt(t.exponentPosition)) |
    (fields.mantissa << BigInt(t.mantissaPosition)) |
    (paddingBits(t) & ~used)
  );
}

function ones(count: number): bigint {
  return (1n << BigInt(Math.max(0, count))) - 1n;
}

function paddingBits(t: FloatDatatype): bigint {
  const low = ones(t.offset);
  const value = ones(t.offset + t.precision) & ~low;
  const high = ones(t.size * 8) & ~ones(t.offset + t.precision);
  return (t.lowPad ? low : 0n) | (t.internalPad ? value : 0n) | (t.highPad ? high : 0n);
}

interface FloatFields {
  readonly exponent: bigint;
  readonly mantissa: bigint;
}

/** Infinity and NaN: the largest exponent, with the leading bit where it is stored. */
function specialFields(t: FloatDatatype, value: number): FloatFields {
  const leading = t.normalization === "implied" ? 0n : 1n << BigInt(t.mantissaSize - 1);
  const quiet = Number.isNaN(value) ? (leading === 0n ? 1n << BigInt(t.mantissaSize - 1) : leading >> 1n) : 0n;
  return { exponent: ones(t.exponentSize), mantissa: leading | quiet };
}

function finiteFields(t: FloatDatatype, value: number): FloatFields | undefined {
  if (value === 0) return { exponent: 0n, mantissa: 0n };
  const implied = t.normalization === "implied";
  const fraction = implied ? t.mantissaSize : t.mantissaSize - 1;
  const { integer, exponent } = decompose(value);
  const least = implied ? 1 - t.exponentBias : -t.exponentBias;
  let top = Math.max(exponent + 52, least);
  let mantissa = roundShift(integer, top - fraction - exponent);
  if (mantissa >> BigInt(fraction + 1) !== 0n) {
    mantissa >>= 1n;
    top++;
  }
  const subnormal = implied && mantissa >> BigInt(fraction) === 0n;
  const field = BigInt(subnormal ? 0 : top + t.exponentBias);
  if (field >= ones(t.exponentSize)) return undefined;
  return { exponent: field, mantissa: implied ? mantissa & ones(fraction) : mantissa };
}

/** A positive double as `integer`·2^`exponent` with 53 bits in the integer. */
function decompose(value: number): { integer: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  const normal = value >= 2 ** -1022;
  view.setFloat64(0, normal ? value : value * 2 ** 60);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n) - 1075 - (normal ? 0 : 60);
  return { integer: (bits & ones(52)) | (1n << 52n), exponent };
}

/** `value`·2^−`shift`, rounded to nearest, ties to even. */
function roundShift(value: bigint, shift: number): bigint {
  if (shift <= 0) return value << BigInt(-shift);
  const half = 1n << BigInt(shift - 1);
  const kept = value >> BigInt(shift);
  const rest = value & ones(shift);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}
