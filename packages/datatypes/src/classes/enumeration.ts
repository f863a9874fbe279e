import { type ByteReader, type ByteWriter, InvalidArgumentError } from "@h5/framing";
import type { Datatype, EnumDatatype, IntegerDatatype } from "../datatype.ts";
import { fitsInteger, readInteger, writeInteger } from "../integer-bits.ts";
import { decodeMemberName, encodeMemberName, sizeOfMemberName } from "./compound.ts";
import { common, encodeHead, HEAD_SIZE, type Head } from "./head.ts";

/**
 * Enumeration, spec IV.A.2.d class 8. Bits: 0–15 number of members.
 *
 *     size
 *     n      datatype message of the base
 *     n      the names, NUL-terminated, each padded to a multiple of 8 in versions 1 and 2
 *     n      the values, packed, each of the base's size
 */
export function decodeEnum(reader: ByteReader, head: Head, nested: () => Datatype): EnumDatatype {
  const at = reader.offset;
  const base = nested();
  if (base.class !== "integer") reader.fail(`enumeration over class ${base.class}, expected integer`, at);
  if (base.size !== head.size) reader.fail(`enumeration of ${head.size} bytes over a base of ${base.size}`, at);
  const count = head.bits & 0xffff;
  const names: string[] = [];
  for (let i = 0; i < count; i++) names.push(decodeEnumName(reader, head.version));
  const values = reader.take(count * base.size);
  const members = names.map((name, i) => ({ name, value: memberValue(values, i * base.size, base) }));
  return { class: "enum", ...common(head, 0xffff), base, members };
}

function decodeEnumName(reader: ByteReader, version: number): string {
  const at = reader.offset;
  const name = decodeMemberName(reader, version);
  return name === "" ? reader.fail("enumeration member without a name", at) : name;
}

function memberValue(bytes: Uint8Array, at: number, base: IntegerDatatype): number | bigint {
  const value = readInteger(bytes, at, base);
  return base.size > 4 ? value : Number(value);
}

export function encodeEnum(
  writer: ByteWriter,
  t: EnumDatatype,
  nested: (writer: ByteWriter, t: Datatype) => void,
): void {
  encodeHead(writer, 8, t, t.members.length);
  nested(writer, t.base);
  for (const { name } of t.members) encodeMemberName(writer, t.version, name);
  const { base, members } = t;
  const values = new Uint8Array(members.length * base.size);
  for (const [i, { name, value }] of members.entries()) {
    const integer = BigInt(value);
    if (!fitsInteger(integer, base))
      throw new InvalidArgumentError(`enumeration value ${name} = ${value} does not fit`);
    writeInteger(values, i * base.size, base, integer);
  }
  writer.put(values);
}

export function sizeOfEnum(t: EnumDatatype, nested: (t: Datatype) => number): number {
  return t.members.reduce(
    (sum, { name }) => sum + sizeOfMemberName(t.version, name) + t.base.size,
    HEAD_SIZE + nested(t.base),
  );
}
