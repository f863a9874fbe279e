import { InvalidFieldError, UnsupportedFeatureError } from "@h5/framing";
import type { BitfieldDatatype, TimeDatatype } from "../datatype.ts";
import { type IntegerBits, readInteger } from "../integer-bits.ts";
import type { Elements } from "./elements.ts";
import { gather, hostIsLittleEndian } from "./gather.ts";

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
 * @throws InvalidFieldError for a 64-bit value beyond ±(2^53−1) where numbers are asked for; UnsupportedFeatureError for
 *   elements of more than 16 KiB
 */
export function decodeIntegers(type: IntegerBits, e: Elements, int64: Int64As): IntegerArray | bigint[] {
  const t = valueBits(type);
  const { size, order, signed } = t;
  if (size > 8) return wideIntegers(t, e);
  const width = size < 3 ? size : size < 5 ? 4 : 8;
  const bytes = gather(e, size, width, order);
  if (width === 8) {
    const { buffer, byteOffset } = bytes;
    if (t.precision !== 64) extract64(new BigUint64Array(buffer, byteOffset, e.count), t);
    const values = new (signed ? BigInt64Array : BigUint64Array)(buffer, byteOffset, e.count);
    return int64 === "number" ? exactNumbers(values) : values;
  }
  const values = smallArray(bytes, width, signed);
  if (t.precision !== width * 8) extract(values, t);
  return values;
}

/** Bytes that offset and precision, of 16 bits each, can reach; what a file claims beyond them would make bigints without use. */
const MOST_BYTES = 16384;

function wideIntegers(t: IntegerBits, { bytes, start, stride, count }: Elements): bigint[] {
  if (t.size > MOST_BYTES) throw new UnsupportedFeatureError(`an integer of ${t.size} bytes, at most ${MOST_BYTES}`);
  const values: bigint[] = [];
  for (let i = 0; i < count; i++) values.push(readInteger(bytes, start + i * stride, t));
  return values;
}

type SmallArray = Exclude<IntegerArray, BigInt64Array | BigUint64Array | Float64Array>;

function smallArray(bytes: Uint8Array<ArrayBuffer>, width: number, signed: boolean): SmallArray {
  const { buffer, byteOffset } = bytes;
  const count = bytes.length / width;
  if (width === 1) return new (signed ? Int8Array : Uint8Array)(buffer, byteOffset, count);
  if (width === 2) return new (signed ? Int16Array : Uint16Array)(buffer, byteOffset, count);
  return new (signed ? Int32Array : Uint32Array)(buffer, byteOffset, count);
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

/** Numbers in the memory of the integers, by their halves: no bigint is made of any but the one that is refused. */
function exactNumbers(values: BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = values;
  const lows = new Uint32Array(buffer, byteOffset, 2 * length);
  const highs = values instanceof BigInt64Array ? new Int32Array(buffer, byteOffset, 2 * length) : lows;
  const numbers = new Float64Array(buffer, byteOffset, length);
  const low = hostIsLittleEndian() ? 0 : 1;
  for (let i = 0; i < length; i++) {
    const number = highs[2 * i + 1 - low]! * 4294967296 + lows[2 * i + low]!;
    if (!Number.isSafeInteger(number)) {
      throw new InvalidFieldError(`value ${values[i]} of element ${i} is no exact number; read it as a bigint`);
    }
    numbers[i] = number;
  }
  return numbers;
}
