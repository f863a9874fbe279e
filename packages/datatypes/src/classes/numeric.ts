import type { ByteReader, ByteWriter } from "@h5/framing";
import type {
  BitfieldDatatype,
  ByteOrder,
  FloatDatatype,
  FloatOrder,
  IntegerDatatype,
  Normalization,
  PadBit,
  TimeDatatype,
} from "../datatype.ts";
import { common, encodeHead, HEAD_SIZE, type Head } from "./head.ts";

function byteOrder(bits: number): ByteOrder {
  return bits & 1 ? "BE" : "LE";
}

function pad(bits: number, bit: number): PadBit {
  return (bits >> bit) & 1 ? 1 : 0;
}

interface BitRange {
  readonly offset: number;
  readonly precision: number;
}

/** Bit offset and precision, u16 each, which must lie inside the element. */
function decodeBitRange(reader: ByteReader, size: number): BitRange {
  const at = reader.offset;
  const offset = reader.u16();
  const precision = reader.u16();
  if (precision === 0) reader.fail("precision 0, expected at least 1 bit", at + 2);
  if (offset + precision > size * 8) {
    reader.fail(`bits [${offset}, ${offset + precision}) of an element of ${size * 8} bits`, at);
  }
  return { offset, precision };
}

function encodeBitRange(writer: ByteWriter, { offset, precision }: BitRange): void {
  writer.u16(offset);
  writer.u16(precision);
}

/**
 * Fixed-point number, spec IV.A.2.d class 0. Bits: 0 big-endian, 1 low pad, 2 high pad, 3 signed.
 *
 *     offset  size
 *     8       2     bit offset
 *     10      2     bit precision
 */
export function decodeInteger(reader: ByteReader, head: Head): IntegerDatatype {
  const { bits } = head;
  return {
    class: "integer",
    ...common(head, 0x0f),
    order: byteOrder(bits),
    signed: (bits & 8) !== 0,
    ...decodeBitRange(reader, head.size),
    lowPad: pad(bits, 1),
    highPad: pad(bits, 2),
  };
}

export function encodeInteger(writer: ByteWriter, t: IntegerDatatype): void {
  encodeHead(writer, 0, t, (t.order === "BE" ? 1 : 0) | (t.lowPad << 1) | (t.highPad << 2) | (t.signed ? 8 : 0));
  encodeBitRange(writer, t);
}

/** Message bytes of a fixed-point number or bit field. */
export const BIT_RANGE_SIZE: number = HEAD_SIZE + 4;

/**
 * Bit field, spec IV.A.2.d class 4. Bits: 0 big-endian, 1 low pad, 2 high pad; properties as a fixed-point number's.
 */
export function decodeBitfield(reader: ByteReader, head: Head): BitfieldDatatype {
  return {
    class: "bitfield",
    ...common(head, 0x07),
    order: byteOrder(head.bits),
    ...decodeBitRange(reader, head.size),
    lowPad: pad(head.bits, 1),
    highPad: pad(head.bits, 2),
  };
}

export function encodeBitfield(writer: ByteWriter, t: BitfieldDatatype): void {
  encodeHead(writer, 4, t, (t.order === "BE" ? 1 : 0) | (t.lowPad << 1) | (t.highPad << 2));
  encodeBitRange(writer, t);
}

/**
 * Time, spec IV.A.2.d class 2. Bits: 0 big-endian.
 *
 *     offset  size
 *     8       2     bit precision
 */
export function decodeTime(reader: ByteReader, head: Head): TimeDatatype {
  return { class: "time", ...common(head, 0x01), order: byteOrder(head.bits), precision: reader.u16() };
}

export function encodeTime(writer: ByteWriter, t: TimeDatatype): void {
  encodeHead(writer, 2, t, t.order === "BE" ? 1 : 0);
  writer.u16(t.precision);
}

export const TIME_SIZE: number = HEAD_SIZE + 2;

const NORMALIZATIONS: readonly Normalization[] = ["none", "msbset", "implied"];

/** Message bytes of a floating-point number. */
export const FLOAT_SIZE: number = HEAD_SIZE + 12;

/**
 * Floating-point number, spec IV.A.2.d class 1. Bits: 0 and 6 order (VAX is both, from version 3 on: H5Odtype.c), 1 low
 * pad, 2 high pad, 3 internal pad, 4–5 normalization, 8–15 position of the sign.
 *
 *     offset  size
 *     8       2     bit offset
 *     10      2     bit precision
 *     12      1     position of the exponent
 *     13      1     size of the exponent
 *     14      1     position of the mantissa
 *     15      1     size of the mantissa
 *     16      4     exponent bias
 */
export function decodeFloat(reader: ByteReader, head: Head): FloatDatatype {
  const { bits, version } = head;
  const normalization = NORMALIZATIONS[(bits >> 4) & 3];
  if (normalization === undefined) reader.fail("mantissa normalization 3, expected 0 to 2", reader.offset - 7);
  const t: FloatDatatype = {
    class: "float",
    ...common(head, version < 3 ? 0xff3f : 0xff7f),
    order: floatOrder(reader, head),
    offset: reader.u16(),
    precision: reader.u16(),
    lowPad: pad(bits, 1),
    highPad: pad(bits, 2),
    internalPad: pad(bits, 3),
    normalization,
    signPosition: (bits >> 8) & 255,
    exponentPosition: reader.u8(),
    exponentSize: reader.u8(),
    mantissaPosition: reader.u8(),
    mantissaSize: reader.u8(),
    exponentBias: reader.u32(),
  };
  const fault = floatFault(t);
  return fault === undefined ? t : reader.fail(fault);
}

function floatOrder(reader: ByteReader, { bits, version }: Head): FloatOrder {
  if (version < 3 || (bits & 0x40) === 0) return byteOrder(bits);
  return bits & 1 ? "VAX" : reader.fail("byte order bits 0 and 6 are 0 and 1, which is reserved", reader.offset - 7);
}

/**
 * What is wrong with a floating-point format: its sign, exponent and mantissa must lie inside the element and apart from
 * each other, and VAX order takes whole words.
 */
export function floatFault(t: FloatDatatype): string | undefined {
  if (t.order === "VAX" && t.size % 2 !== 0) return `VAX byte order in ${t.size} bytes, expected whole 16-bit words`;
  const fields = [
    { name: "sign", start: t.signPosition, size: 1 },
    { name: "exponent", start: t.exponentPosition, size: t.exponentSize },
    { name: "mantissa", start: t.mantissaPosition, size: t.mantissaSize },
  ];
  for (const { name, start, size } of fields) {
    if (size === 0) return `${name} of 0 bits`;
    if (start + size > t.size * 8) {
      return `${name} in bits [${start}, ${start + size}) of an element of ${t.size * 8} bits`;
    }
  }
  const sorted = fields.sort((a, b) => a.start - b.start);
  for (const [i, { name, start, size }] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next !== undefined && start + size > next.start) return `${name} and ${next.name} overlap`;
  }
  return undefined;
}

export function encodeFloat(writer: ByteWriter, t: FloatDatatype): void {
  const order = t.order === "LE" ? 0 : t.order === "BE" ? 1 : 0x41;
  const pads = (t.lowPad << 1) | (t.highPad << 2) | (t.internalPad << 3);
  encodeHead(writer, 1, t, order | pads | (NORMALIZATIONS.indexOf(t.normalization) << 4) | (t.signPosition << 8));
  encodeBitRange(writer, t);
  writer.u8(t.exponentPosition);
  writer.u8(t.exponentSize);
  writer.u8(t.mantissaPosition);
  writer.u8(t.mantissaSize);
  writer.u32(t.exponentBias);
}
