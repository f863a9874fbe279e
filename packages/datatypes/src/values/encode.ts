import { encodeText, InvalidArgumentError } from "@h5/framing";
import {
  type ArrayDatatype,
  arrayLength,
  type CompoundDatatype,
  type Datatype,
  type OpaqueDatatype,
  type StringDatatype,
  type VlenDatatype,
} from "../datatype.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { encodeFloats, encodeIntegers, misfit } from "./encode-numbers.ts";
import { encodeReferences } from "./encode-references.ts";
import { storeBytes, writeHeapId } from "./heap-id.ts";
import { wholeElement } from "./integers.ts";
import type { EncodeValuesOptions } from "./options.ts";
import { vlenAddressWidth } from "./sequences.ts";
import type { StructArray } from "./struct-array.ts";

/** Values to encode: a list of them, for compounds and complex numbers also columns. */
export type EncodableValues = ArrayLike<unknown> | StructArray | Readonly<Record<string, unknown>>;

/**
 * Encodes values as packed elements, the inverse of `decodeValues`: takes what that gives, and lists of plain values.
 * Compounds may be records, a `StructArray` or an object of columns; complex numbers pairs or `{re, im}` columns.
 *
 * @throws InvalidArgumentError naming the value that its type cannot hold
 */
export function encodeValues(
  t: Datatype,
  values: EncodableValues,
  options: EncodeValuesOptions = {},
): Uint8Array<ArrayBuffer> {
  const count = countOf(t, values);
  const bytes = new Uint8Array(count * t.size);
  encodeElements(t, values, packedElements(bytes, t.size, count), options);
  return bytes;
}

function isList(values: unknown): values is ArrayLike<unknown> {
  return Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView));
}

/** Number of values; columns all have as many as the first. */
function countOf(t: Datatype, values: unknown): number {
  if (isList(values)) return values.length;
  if (t.class === "compound" && values !== null && typeof values === "object") {
    const first = t.members[0]!;
    return countOf(first.type, columnOf(values, first.name));
  }
  if (t.class === "complex" && isColumns(values)) return values.re.length;
  throw new InvalidArgumentError(`expected a list of values of class ${t.class}, got ${typeof values}`);
}

function encodeElements(t: Datatype, values: unknown, e: Elements, options: EncodeValuesOptions): void {
  if (countOf(t, values) !== e.count) {
    throw new InvalidArgumentError(`expected ${e.count} values of class ${t.class}, got ${countOf(t, values)}`);
  }
  if (t.class === "compound") encodeCompounds(t, values as object, e, options);
  else if (t.class === "complex") encodeComplexes(t.base, values, e);
  else encodeList(t, values as ArrayLike<unknown>, e, options);
}

type ListDatatype = Exclude<Datatype, { class: "compound" | "complex" }>;

function encodeList(t: ListDatatype, values: ArrayLike<unknown>, e: Elements, options: EncodeValuesOptions): void {
  switch (t.class) {
    case "integer":
      encodeIntegers(t, t, values, e);
      break;
    case "enum":
      encodeIntegers(t, t.base, values, e);
      break;
    case "bitfield":
    case "time":
      encodeIntegers(t, wholeElement(t), values, e);
      break;
    case "float":
      encodeFloats(t, values, e);
      break;
    case "string":
      encodeStrings(t, values, e);
      break;
    case "opaque":
      encodeOpaques(t, values, e);
      break;
    case "reference":
      encodeReferences(t, values, e, options);
      break;
    case "vlen":
      encodeVlens(t, values, e, options);
      break;
    case "array":
      encodeArrays(t, values, e, options);
      break;
  }
}

function encodeStrings(t: StringDatatype, values: ArrayLike<unknown>, e: Elements): void {
  if (t.pad === "spacepad") for (let i = 0; i < e.count; i++) e.bytes.fill(32, at(e, i), at(e, i) + t.size);
  for (let i = 0; i < e.count; i++) {
    const value = values[i];
    const text = typeof value === "string" ? encodeText(value) : undefined;
    if (text === undefined || text.length > t.size || (t.pad === "nullterm" && text.includes(0))) {
      throw misfit(value, i, t);
    }
    e.bytes.set(text, at(e, i));
  }
}

function at(e: Elements, i: number): number {
  return e.start + i * e.stride;
}

function encodeOpaques(t: OpaqueDatatype, values: ArrayLike<unknown>, e: Elements): void {
  for (let i = 0; i < e.count; i++) {
    const value = values[i];
    if (!(value instanceof Uint8Array) || value.length !== t.size) throw misfit(value, i, t);
    e.bytes.set(value, at(e, i));
  }
}

function encodeArrays(t: ArrayDatatype, values: ArrayLike<unknown>, e: Elements, options: EncodeValuesOptions): void {
  const length = arrayLength(t);
  for (let i = 0; i < e.count; i++) {
    encodeElements(t.base, values[i], insideOf(e, i, t.base.size, length), options);
  }
}

function encodeVlens(t: VlenDatatype, values: ArrayLike<unknown>, e: Elements, options: EncodeValuesOptions): void {
  const width = vlenAddressWidth(t, options.offsetSize);
  for (let i = 0; i < e.count; i++) {
    const payload = vlenPayload(t, values[i], i, options);
    // What is empty is nil: all zero, which the bytes are already.
    if (payload.length === 0) continue;
    e.view.setUint32(at(e, i), payload.length / t.base.size, true);
    writeHeapId(e.view, at(e, i) + 4, width, storeBytes(payload, options));
  }
}

function vlenPayload(
  t: VlenDatatype,
  value: unknown,
  i: number,
  options: EncodeValuesOptions,
): Uint8Array<ArrayBuffer> {
  if (t.kind === "sequence") return encodeValues(t.base, value as EncodableValues, options);
  const text = typeof value === "string" ? encodeText(value) : undefined;
  if (text === undefined || text.includes(0)) throw misfit(value, i, t);
  return text;
}

function encodeCompounds(t: CompoundDatatype, values: object, e: Elements, options: EncodeValuesOptions): void {
  for (const { name, offset, type } of t.members) {
    encodeElements(type, columnOf(values, name), partOf(e, offset), options);
  }
}

/** One member of records, of a `StructArray` or of an object of columns. */
function columnOf(values: object, name: string): unknown {
  if (isList(values)) return Array.from(values, (row, i) => memberOf(row, name, i));
  if ("column" in values && typeof values.column === "function") return values.column(name);
  return memberOf(values, name, undefined);
}

function memberOf(row: unknown, name: string, i: number | undefined): unknown {
  if (row !== null && typeof row === "object" && Object.hasOwn(row, name))
    return (row as Record<string, unknown>)[name];
  throw new InvalidArgumentError(i === undefined ? `no column "${name}"` : `no member "${name}" in row ${i}`);
}

interface ComplexColumns {
  readonly re: ArrayLike<unknown>;
  readonly im: ArrayLike<unknown>;
}

function isColumns(values: unknown): values is ComplexColumns {
  return values !== null && typeof values === "object" && "re" in values && isList(values.re) && "im" in values;
}

function encodeComplexes(base: Datatype, values: unknown, e: Elements): void {
  const pairs = values as ArrayLike<ArrayLike<unknown>>;
  const { re, im } = isColumns(values)
    ? values
    : { re: Array.from(pairs, (pair) => pair[0]), im: Array.from(pairs, (pair) => pair[1]) };
  encodeElements(base, re, e, {});
  encodeElements(base, im, partOf(e, base.size), {});
}
