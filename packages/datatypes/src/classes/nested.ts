import { type ByteReader, type ByteWriter, UnsupportedFeatureError } from "@h5/framing";
import {
  type ArrayDatatype,
  arrayLength,
  type ComplexDatatype,
  type Datatype,
  type VlenDatatype,
} from "../datatype.ts";
import { common, encodeHead, HEAD_SIZE, type Head } from "./head.ts";
import { decodeTextBits, encodeTextBits } from "./plain.ts";

/**
 * Sequence or string of variable length, spec IV.A.2.d class 9. Bits: 0–3 sequence or string; of a string 4–7 padding,
 * 8–11 character set. The property is the datatype message of the base.
 */
export function decodeVlen(reader: ByteReader, head: Head, nested: () => Datatype): VlenDatatype {
  const kind = head.bits & 15;
  if (kind === 0) return { class: "vlen", kind: "sequence", ...common(head, 0x0f), base: nested() };
  if (kind !== 1) reader.fail(`variable-length type ${kind}, expected 0 or 1`, reader.offset - 7);
  const text = decodeTextBits(reader, head.bits >> 4);
  return { class: "vlen", kind: "string", ...common(head, 0xfff), ...text, base: nested() };
}

export function encodeVlen(
  writer: ByteWriter,
  t: VlenDatatype,
  nested: (writer: ByteWriter, t: Datatype) => void,
): void {
  encodeHead(writer, 9, t, t.kind === "string" ? 1 | (encodeTextBits(t) << 4) : 0);
  nested(writer, t.base);
}

/** Most dimensions of an array (H5S_MAX_RANK). */
const MAX_RANK = 32;

/**
 * Array, spec IV.A.2.d class 10. No bits.
 *
 *     size
 *     1      number of dimensions
 *     3      versions 1 and 2 only: reserved
 *     4·n    dimension sizes, slowest first
 *     4·n    versions 1 and 2 only: permutation, never used
 *     n      datatype message of the base
 */
export function decodeArray(reader: ByteReader, head: Head, nested: () => Datatype): ArrayDatatype {
  const { version } = head;
  const at = reader.offset;
  const rank = reader.u8();
  if (rank > MAX_RANK) reader.fail(`array of ${rank} dimensions, expected at most ${MAX_RANK}`, at);
  if (version < 3) reader.skip(3);
  const dims = words(reader, rank);
  if (dims.includes(0)) reader.fail(`array with a dimension of 0 among ${dims.join(", ")}`, at);
  const permutation = version < 3 ? words(reader, rank) : [];
  const t: ArrayDatatype = { class: "array", ...common(head, 0), dims, base: nested() };
  const expected = arrayLength(t) * t.base.size;
  if (t.size !== expected) reader.fail(`array of ${t.size} bytes, expected ${expected} from its dimensions`, at - 4);
  return permutation.every((axis, i) => axis === i) ? t : { ...t, permutation };
}

function words(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  for (let i = 0; i < count; i++) values.push(reader.u32());
  return values;
}

export function encodeArray(
  writer: ByteWriter,
  t: ArrayDatatype,
  nested: (writer: ByteWriter, t: Datatype) => void,
): void {
  encodeHead(writer, 10, t, 0);
  writer.u8(t.dims.length);
  if (t.version < 3) writer.skip(3);
  for (const dim of t.dims) writer.u32(dim);
  if (t.version < 3) for (const i of t.dims.keys()) writer.u32(t.permutation?.[i] ?? i);
  nested(writer, t.base);
}

export function sizeOfArray(t: ArrayDatatype, nested: (t: Datatype) => number): number {
  const rank = t.dims.length;
  return HEAD_SIZE + (t.version < 3 ? 4 + 8 * rank : 1 + 4 * rank) + nested(t.base);
}

/**
 * Complex number, spec 4.0 IV.A.2.d class 11. Bits: 0 both parts are of one type, 1–2 form (0 rectangular). The property
 * is the datatype message of the parts.
 */
export function decodeComplex(reader: ByteReader, head: Head, nested: () => Datatype): ComplexDatatype {
  const form = (head.bits >> 1) & 3;
  if ((head.bits & 1) === 0 || form !== 0) {
    const what = form === 0 ? "with parts of two types" : `of form ${form}`;
    const { structure, address } = reader;
    throw new UnsupportedFeatureError(`complex number ${what}`, { structure, address });
  }
  const at = reader.offset;
  const base = nested();
  if (base.class !== "float") reader.fail(`complex number over class ${base.class}, expected float`, at);
  if (base.size * 2 !== head.size) reader.fail(`complex number of ${head.size} bytes over parts of ${base.size}`, at);
  return { class: "complex", ...common(head, 0x07), base };
}

export function encodeComplex(
  writer: ByteWriter,
  t: ComplexDatatype,
  nested: (writer: ByteWriter, t: Datatype) => void,
): void {
  encodeHead(writer, 11, t, 1);
  nested(writer, t.base);
}
