import type { ByteOrder, PadBit } from "./datatype.ts";

/** The bits of an element that hold an integer, of an integer type of any size. */
export interface IntegerBits {
  readonly size: number;
  readonly order: ByteOrder;
  readonly signed: boolean;
  readonly offset: number;
  readonly precision: number;
  readonly lowPad: PadBit;
  readonly highPad: PadBit;
}

/** The `size` bytes at `at` as one unsigned integer. */
export function readBits(bytes: Uint8Array, at: number, size: number, order: ByteOrder): bigint {
  // By digits: to shift in one byte after the other takes a time that grows with the square of the size.
  let digits = "0x";
  for (let i = 0; i < size; i++) {
    digits += bytes[order === "BE" ? at + i : at + size - 1 - i]!.toString(16).padStart(2, "0");
  }
  return BigInt(digits);
}

/** Inverse of {@link readBits}. */
export function writeBits(bytes: Uint8Array, at: number, size: number, order: ByteOrder, value: bigint): void {
  let rest = value;
  for (let i = 0; i < size; i++) {
    bytes[order === "LE" ? at + i : at + size - 1 - i] = Number(rest & 255n);
    rest >>= 8n;
  }
}

/** The integer at `at`: its precision's bits, sign-extended where signed. */
export function readInteger(bytes: Uint8Array, at: number, t: IntegerBits): bigint {
  const bits = readBits(bytes, at, t.size, t.order) >> BigInt(t.offset);
  return t.signed ? BigInt.asIntN(t.precision, bits) : BigInt.asUintN(t.precision, bits);
}

/** Writes an integer that fits, and the type's padding bits around it. */
export function writeInteger(bytes: Uint8Array, at: number, t: IntegerBits, value: bigint): void {
  const { offset, precision, size } = t;
  const high = size * 8 - offset - precision;
  let bits = BigInt.asUintN(precision, value) << BigInt(offset);
  if (t.lowPad === 1) bits |= ones(offset);
  if (t.highPad === 1) bits |= ones(high) << BigInt(offset + precision);
  writeBits(bytes, at, size, t.order, bits);
}

function ones(count: number): bigint {
  return (1n << BigInt(count)) - 1n;
}

/** Whether `value` is in the range of the type. */
export function fitsInteger(value: bigint, t: IntegerBits): boolean {
  return (t.signed ? BigInt.asIntN(t.precision, value) : BigInt.asUintN(t.precision, value)) === value;
}
