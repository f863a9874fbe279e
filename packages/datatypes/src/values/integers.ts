import { InvalidFieldError } from "@h5/framing";
import type { BitfieldDatatype, TimeDatatype } from "../datatype.ts";
import { type IntegerBits, readInteger } from "../integer-bits.ts";
import type { Elements } from "./elements.ts";
import { gather } from "./gather.ts";

/** How 64-bit integers come out: exact, or as numbers that must be exact. */
export type Int64As = "bigint" | "number";

/** What integers of 1 to 8 bytes come in. */
export type IntegerArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** The whole of an element as an integer, whatever its class says of precision. */
export function wholeElement(t: BitfieldDatatype | TimeDatatype): IntegerBits {
  const { size, order } = t;
  return { size, order, signed: t.class === "time", offset: 0, precision: size * 8, lowPad: 0, highPad: 0 };
}

/**
 * The bits of an element that count. libhdf5 on a little-endian machine turns big-endian integers of a native size round and looks no
 * further (H5Tconv.c, `H5T__conv_order_opt`), writing and reading: their bits beyond the precision count.
 */
export function valueBits(t: IntegerBits): IntegerBits {
  const { size, order, offset } = t;
  const native = size === 1 || size === 2 || size === 4 || size === 8;
  return order === "BE" && offset === 0 && native ? { ...t, precision: size * 8 } : t;
}

/**
 * Integers of any size, order, offset and precision, in the smallest typed array that holds their bytes; wider than 8
 * bytes as bigints.
 *
 * @throws InvalidFieldError for a 64-bit value beyond ±(2^53−1) where numbers are asked for
 */
export function decodeIntegers(type: IntegerBits, e: Elements, int64: Int64As): IntegerArray | bigint[] {
  const t = valueBits(type);
  const { size, order, signed } = t;
  if (size > 8) return wideIntegers(t, e);
  const width = size < 3 ? size : size < 5 ? 4 : 8;
  const buffer = gather(e, size, width, order);
  if (width === 8) {
    if (t.precision !== 64) extract64(new BigUint64Array(buffer), t);
    const values = signed ? new BigInt64Array(buffer) : new BigUint64Array(buffer);
    return int64 === "number" ? exactNumbers(values) : values;
  }
  const values = smallArray(buffer, width, signed);
  if (t.precision !== width * 8) extract(values, t);
  return values;
}

function wideIntegers(t: IntegerBits, { bytes, start, stride, count }: Elements): bigint[] {
  const values: bigint[] = [];
  for (let i = 0; i < count; i++) values.push(readInteger(bytes, start + i * stride, t));
  return values;
}

type SmallArray = Exclude<IntegerArray, BigInt64Array | BigUint64Array | Float64Array>;

function smallArray(buffer: ArrayBuffer, width: number, signed: boolean): SmallArray {
  if (width === 1) return signed ? new Int8Array(buffer) : new Uint8Array(buffer);
  if (width === 2) return signed ? new Int16Array(buffer) : new Uint16Array(buffer);
  return signed ? new Int32Array(buffer) : new Uint32Array(buffer);
}

/** Cuts the value's bits out of each element, by moving them to the top of 32 bits and back down. */
function extract(values: SmallArray, { signed, offset, precision }: IntegerBits): void {
  const up = 32 - offset - precision;
  const down = 32 - precision;
  for (let i = 0; i < values.length; i++) {
    const top = values[i]! << up;
    values[i] = signed ? top >> down : top >>> down;
  }
}

function extract64(values: BigUint64Array, { signed, offset, precision }: IntegerBits): void {
  const down = BigInt(offset);
  for (let i = 0; i < values.length; i++) {
    const bits = values[i]! >> down;
    values[i] = signed ? BigInt.asIntN(precision, bits) : BigInt.asUintN(precision, bits);
  }
}

function exactNumbers(values: BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const number = Number(values[i]);
    if (!Number.isSafeInteger(number)) {
      throw new InvalidFieldError(`value ${values[i]} of element ${i} is no exact number; read it as a bigint`);
    }
    numbers[i] = number;
  }
  return numbers;
}
