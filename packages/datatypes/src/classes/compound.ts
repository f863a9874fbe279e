import { type ByteReader, type ByteWriter, bytesFor, encodeText, sizeOfText } from "@h5/framing";
import type { ArrayDatatype, CompoundDatatype, CompoundMember, Datatype } from "../datatype.ts";
import { common, encodeHead, HEAD_SIZE, type Head } from "./head.ts";

/** Bytes between a version 1 member's offset and its type: the dimensions old releases kept there. */
const OLD_DIMENSIONS_SIZE = 28;

/** Takes a name and its NUL, which versions 1 and 2 pad to a multiple of 8 bytes. */
export function decodeMemberName(reader: ByteReader, version: number): string {
  const start = reader.offset;
  const name = reader.nulTerminated("member name");
  if (version < 3) reader.align(8, start);
  return name;
}

export function encodeMemberName(writer: ByteWriter, version: number, name: string): void {
  const start = writer.offset;
  writer.put(encodeText(name));
  writer.u8(0);
  if (version < 3) writer.align(8, start);
}

export function sizeOfMemberName(version: number, name: string): number {
  const size = sizeOfText(name) + 1;
  return version < 3 ? Math.ceil(size / 8) * 8 : size;
}

/** Bytes of a member's offset: 4, from version 3 on as many as the element's size needs. */
function offsetWidth(version: number, size: number): number {
  return version < 3 ? 4 : bytesFor(size);
}

/**
 * Compound, spec IV.A.2.d class 6. Bits: 0–15 number of members. Each member:
 *
 *     size
 *     n      name, NUL-terminated, padded to a multiple of 8 in versions 1 and 2
 *     4      offset in the element; from version 3 on as few bytes as hold the element's size
 *     28     version 1 only, see `decodeOldDimensions`
 *     n      the member's datatype message
 */
export function decodeCompound(reader: ByteReader, head: Head, nested: () => Datatype): CompoundDatatype {
  const { version, size } = head;
  const count = head.bits & 0xffff;
  if (count === 0) reader.fail("compound of 0 members", reader.offset - 7);
  const members: CompoundMember[] = [];
  for (let i = 0; i < count; i++) {
    const name = decodeMemberName(reader, version);
    const at = reader.offset;
    const offset = reader.uint(offsetWidth(version, size));
    const array = version === 1 ? decodeOldDimensions(reader) : undefined;
    const base = nested();
    const type = array === undefined ? base : oldArray(array, base);
    if (offset + type.size > size) {
      reader.fail(`member "${name}" in bytes [${offset}, ${offset + type.size}) of an element of ${size} bytes`, at);
    }
    members.push({ name, offset, type });
  }
  const fault = membersFault(members);
  if (fault !== undefined) reader.fail(fault);
  return { class: "compound", ...common(head, 0xffff), members };
}

interface OldDimensions {
  readonly dims: readonly number[];
  readonly permutation: number;
}

/**
 * The array dimensions of a version 1 member (before array types existed).
 *
 *     size
 *     1      number of dimensions, at most 4
 *     3      reserved
 *     4      permutation, never used
 *     4      reserved
 *     16     four dimension sizes
 */
function decodeOldDimensions(reader: ByteReader): OldDimensions | undefined {
  const at = reader.offset;
  const rank = reader.u8();
  if (rank > 4) reader.fail(`member of ${rank} dimensions, expected at most 4`, at);
  reader.skip(3);
  const permutation = reader.u32();
  reader.skip(4);
  const dims = [reader.u32(), reader.u32(), reader.u32(), reader.u32()].slice(0, rank);
  if (dims.includes(0)) reader.fail("member with a dimension of 0", at);
  return rank === 0 ? undefined : { dims, permutation };
}

function oldArray({ dims, permutation }: OldDimensions, base: Datatype): ArrayDatatype {
  const size = dims.reduce((product, dim) => product * dim, base.size);
  const t: ArrayDatatype = { class: "array", version: 1, size, dims, base, inMember: true };
  return permutation === 0 ? t : { ...t, permutation: [permutation] };
}

/** What is wrong with members taken together: names must be distinct and members must not overlap (H5Odtype.c). */
export function membersFault(members: readonly CompoundMember[]): string | undefined {
  const names = new Set<string>();
  for (const { name } of members) {
    if (names.has(name)) return `two members named "${name}"`;
    names.add(name);
  }
  const sorted = [...members].sort((a, b) => a.offset - b.offset);
  for (const [i, { name, offset, type }] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next !== undefined && offset + type.size > next.offset) return `members "${name}" and "${next.name}" overlap`;
  }
  return undefined;
}

export function encodeCompound(
  writer: ByteWriter,
  t: CompoundDatatype,
  nested: (writer: ByteWriter, t: Datatype) => void,
): void {
  encodeHead(writer, 6, t, t.members.length);
  for (const { name, offset, type } of t.members) {
    encodeMemberName(writer, t.version, name);
    writer.uint(offset, offsetWidth(t.version, t.size));
    if (t.version === 1) encodeOldDimensions(writer, type);
    nested(writer, storedType(type));
  }
}

function encodeOldDimensions(writer: ByteWriter, type: Datatype): void {
  const { dims, permutation } = isOldArray(type) ? type : { dims: [], permutation: [] };
  writer.u8(dims.length);
  writer.skip(3);
  writer.u32(permutation?.[0] ?? 0);
  writer.skip(4);
  for (let i = 0; i < 4; i++) writer.u32(dims[i] ?? 0);
}

function isOldArray(type: Datatype): type is ArrayDatatype {
  return type.class === "array" && type.inMember === true;
}

/** The type whose message follows: of a version 1 member with dimensions, its base. */
function storedType(type: Datatype): Datatype {
  return isOldArray(type) ? type.base : type;
}

export function sizeOfCompound(t: CompoundDatatype, nested: (t: Datatype) => number): number {
  const fixed = offsetWidth(t.version, t.size) + (t.version === 1 ? OLD_DIMENSIONS_SIZE : 0);
  return t.members.reduce(
    (sum, { name, type }) => sum + sizeOfMemberName(t.version, name) + fixed + nested(storedType(type)),
    HEAD_SIZE,
  );
}
