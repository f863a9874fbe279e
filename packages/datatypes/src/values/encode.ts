import { encodeText, InvalidArgumentError, isH5Error } from "@h5/framing";
import {
  type ArrayDatatype,
  arrayLength,
  type ComplexDatatype,
  type CompoundDatatype,
  type Datatype,
  isComplexPair,
  type OpaqueDatatype,
  type StringDatatype,
  type VlenSequenceDatatype,
} from "../datatype.ts";
import { bytesAsStored } from "./bytes-as-stored.ts";
import type { ComplexArray } from "./complex-array.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { complexColumns, isComplexColumns } from "./encode-complex.ts";
import { encodeEnums } from "./encode-enums.ts";
import { checkBitfields, encodeFloats, encodeIntegers, misfit } from "./encode-numbers.ts";
import { encodeReferences } from "./encode-references.ts";
import { encodeVlenStrings, isForeign } from "./encode-vlen-strings.ts";
import { storeBytes, writeHeapId } from "./heap-id.ts";
import { wholeElement } from "./integers.ts";
import { isList } from "./lists.ts";
import type { EncodeValuesOptions } from "./options.ts";
import { storedBase } from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";
import type { StructArray } from "./struct-array.ts";

/** Values to encode: a list of them, for compounds and complex numbers also columns. */
export type EncodableValues = ArrayLike<unknown> | StructArray | ComplexArray | Readonly<Record<string, unknown>>;

/**
 * Encodes values as packed elements, the inverse of `decodeValues`: takes what that gives, and lists of plain values.
 * Compounds may be records, a `StructArray` or an object of columns; complex numbers (of their own class, or compounds of
 * `r` and `i`) pairs, `{re, im}` or columns of those names; enumerations also the names of their members. References
 * may be what `options.reference` knows.
 *
 * @throws InvalidArgumentError naming the value that its type cannot hold, text beyond ASCII where that is its character set
 * among it, and the members and elements it is in
 */
export function encodeValues(
  t: Datatype,
  values: EncodableValues,
  options: EncodeValuesOptions = {},
): Uint8Array<ArrayBuffer> {
  const stored = bytesAsStored(t, values);
  // A copy of an array is not filled with zeros first.
  if (stored !== undefined) return new Uint8Array(stored);
  const count = countOf(t, values);
  const bytes = new Uint8Array(count * t.size);
  encodeElements(t, values, packedElements(bytes, t.size, count), options);
  return bytes;
}

/** Number of values; columns all have as many as the first. */
function countOf(t: Datatype, values: unknown): number {
  if (isList(values)) return values.length;
  if ((t.class === "complex" || isComplexPair(t)) && isComplexColumns(values)) return values.re.length;
  if (t.class === "compound" && values !== null && typeof values === "object") {
    const first = t.members[0]!;
    return countOf(first.type, columnOf(values, first.name));
  }
  throw new InvalidArgumentError(`expected a list of values of class ${t.class}, got ${typeof values}`);
}

function encodeElements(t: Datatype, values: unknown, e: Elements, options: EncodeValuesOptions): void {
  if (countOf(t, values) !== e.count) {
    throw new InvalidArgumentError(`expected ${e.count} values of class ${t.class}, got ${countOf(t, values)}`);
  }
  if (t.class === "compound") encodeCompounds(t, values as object, e, options);
  else if (t.class === "complex") encodeComplexes(t, values, e);
  else encodeList(t, values as ArrayLike<unknown>, e, options);
}

type ListDatatype = Exclude<Datatype, { class: "compound" | "complex" }>;

function encodeList(t: ListDatatype, values: ArrayLike<unknown>, e: Elements, options: EncodeValuesOptions): void {
  const stored = e.stride === t.size ? bytesAsStored(t, values) : undefined;
  if (stored === undefined) encodeEach(t, values, e, options);
  else e.bytes.set(stored, e.start);
}

function encodeEach(t: ListDatatype, values: ArrayLike<unknown>, e: Elements, options: EncodeValuesOptions): void {
  switch (t.class) {
    case "integer":
      encodeIntegers(t, t, values, e);
      break;
    case "enum":
      encodeEnums(t, values, e);
      break;
    case "bitfield":
      encodeIntegers(t, wholeElement(t), values, e);
      checkBitfields(t, values, e.count);
      break;
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
      if (t.kind === "string") encodeVlenStrings(t, values, e, options);
      else encodeSequences(t, values, e, options);
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
    if (text === undefined || text.length > t.size || isCutByNul(t, text) || isForeign(t, text))
      throw misfit(value, i, t);
    e.bytes.set(text, at(e, i));
  }
}

/** Whether a NUL in a string is read as its end, or as padding. */
function isCutByNul({ pad }: StringDatatype, text: Uint8Array): boolean {
  return pad === "nullterm" ? text.includes(0) : pad === "nullpad" && text.at(-1) === 0;
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
    try {
      const flat = arrayValues(t.dims, values[i]);
      encodeElements(t.base, flat, insideOf(e, i, t.base.size, length), options);
    } catch (error) {
      throw inside(`element ${i}`, error);
    }
  }
}

/** The values of an array in one list; lists in it may be nested as the dimensions are. */
function arrayValues([outer, ...dims]: readonly number[], value: unknown): unknown {
  const nested = dims.length > 0 && Array.isArray(value) && value.length === outer && value.every(isList);
  if (!nested) return value;
  const length = dims.reduce((product, dim) => product * dim, 1);
  return value.flatMap((row) => {
    const flat = arrayValues(dims, row);
    if (!isList(flat) || flat.length !== length) {
      throw new InvalidArgumentError(`expected lists of ${length} values in an array, got one of ${row.length}`);
    }
    return Array.from<unknown>(flat);
  });
}

/** Names the place of a value in an error about it; returns the error to be thrown. */
function inside(place: string, error: unknown): unknown {
  if (!isH5Error(error, "INVALID_ARGUMENT")) return error;
  return new InvalidArgumentError(`${place}: ${error.message}`, { cause: error });
}

function encodeSequences(
  t: VlenSequenceDatatype,
  values: ArrayLike<unknown>,
  e: Elements,
  options: EncodeValuesOptions,
): void {
  const width = vlenAddressWidth(t, options.offsetSize);
  const base = storedBase(t.base, width);
  for (let i = 0; i < e.count; i++) {
    const payload = encodeSequence(base, values[i], i, options);
    // What is empty is nil: all zero, which the bytes are already.
    if (payload.length === 0) continue;
    e.view.setUint32(at(e, i), payload.length / base.size, true);
    writeHeapId(e.view, at(e, i) + 4, width, storeBytes(payload, { base }, options));
  }
}

function encodeSequence(
  base: Datatype,
  value: unknown,
  i: number,
  options: EncodeValuesOptions,
): Uint8Array<ArrayBuffer> {
  try {
    return encodeValues(base, value as EncodableValues, options);
  } catch (error) {
    throw inside(`element ${i}`, error);
  }
}

function encodeCompounds(t: CompoundDatatype, values: object, e: Elements, options: EncodeValuesOptions): void {
  const columns = isComplexPair(t) ? complexColumns(t, values) : undefined;
  if (columns !== undefined) {
    encodeCompounds(t, { r: columns.re, i: columns.im }, e, options);
    return;
  }
  checkMembers(t, values);
  for (const { name, offset, type } of t.members) {
    try {
      encodeElements(type, columnOf(values, name), partOf(e, offset), options);
    } catch (error) {
      throw inside(`member ${JSON.stringify(name)}`, error);
    }
  }
}

/** Refuses rows and columns that have more than the type has members: nothing is left out silently. */
function checkMembers({ members }: CompoundDatatype, values: object): void {
  if (!isList(values)) {
    const names = isStructArray(values) ? values.fields.map(({ name }) => name) : Object.keys(values);
    checkNames(members, names, "a column");
    return;
  }
  for (let i = 0; i < values.length; i++) {
    const row = values[i];
    if (row !== null && typeof row === "object") checkNames(members, Object.keys(row), `row ${i} has a member`);
  }
}

function checkNames(members: CompoundDatatype["members"], names: readonly string[], what: string): void {
  // Members that are missing are found later.
  if (names.length <= members.length) return;
  const other = names.find((found) => !members.some(({ name }) => name === found));
  if (other !== undefined)
    throw new InvalidArgumentError(`${what} ${JSON.stringify(other)} that the type does not have`);
}

/** One member of records, of a `StructArray` or of an object of columns. */
function columnOf(values: object, name: string): unknown {
  if (isList(values)) {
    const column: unknown[] = [];
    for (let i = 0; i < values.length; i++) column.push(memberOf(values[i], name, i));
    return column;
  }
  if (isStructArray(values)) return values.column(name);
  return memberOf(values, name, undefined);
}

/** By its shape, so that one of another copy of this package will do. */
function isStructArray(values: object): values is StructArray {
  return "column" in values && typeof values.column === "function";
}

function memberOf(row: unknown, name: string, i: number | undefined): unknown {
  if (row !== null && typeof row === "object" && Object.hasOwn(row, name))
    return (row as Record<string, unknown>)[name];
  throw new InvalidArgumentError(i === undefined ? `no column "${name}"` : `no member "${name}" in row ${i}`);
}

function encodeComplexes(t: ComplexDatatype, values: unknown, e: Elements): void {
  const columns = complexColumns(t, values);
  if (columns === undefined) throw misfit((values as ArrayLike<unknown>)[0], 0, t);
  encodeElements(t.base, columns.re, e, {});
  encodeElements(t.base, columns.im, partOf(e, t.base.size), {});
}
