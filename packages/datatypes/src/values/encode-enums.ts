import { type EnumDatatype, isBool } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { encodeIntegers } from "./encode-numbers.ts";

/** Writes values of an enumeration: integers, booleans for `bool`, or names of members. */
export function encodeEnums(t: EnumDatatype, values: ArrayLike<unknown>, e: Elements): void {
  encodeIntegers(t, enumBits(t), Array.isArray(values) && values.some(isText) ? numbered(t, values) : values, e);
}

/** How the values of an enumeration lie in an element; those of `bool` count from 0, as they are read. */
export function enumBits(t: EnumDatatype): EnumDatatype["base"] {
  return isBool(t) ? { ...t.base, signed: false } : t.base;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Values with the names replaced by what they stand for; a name of no member stays. */
function numbered(t: EnumDatatype, values: readonly unknown[]): unknown[] {
  const members = new Map<unknown, number | bigint>(t.members.map(({ name, value }) => [name, value]));
  return values.map((value) => members.get(value) ?? value);
}
