import { InvalidArgumentError } from "@h5/framing";
import { type ArrayDatatype, arrayLength, type CompoundDatatype, type Datatype, isBool } from "../datatype.ts";
import { dtypeOf } from "../dtype.ts";
import { ComplexArray } from "./complex-array.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { decodeFloats, type FloatArray } from "./float-bits.ts";
import { copyBytes } from "./gather.ts";
import { decodeIntegers, type IntegerArray, wholeElement } from "./integers.ts";
import type { DecodeValuesOptions } from "./options.ts";
import { decodeReferences, type Reference } from "./references.ts";
import { decodeSequences, decodeVlenStrings } from "./sequences.ts";
import { decodeFixedStrings } from "./strings.ts";
import { StructArray, type StructField } from "./struct-array.ts";

/** Values of any type; `dtypeOf` says which of these. */
export type Values =
  | IntegerArray
  | FloatArray
  | bigint[]
  | string[]
  | Uint8Array<ArrayBuffer>[]
  | (Reference | null)[]
  | StructArray
  | ComplexArray
  | Values[];

/**
 * Decodes `count` packed elements of a type. Integers, floats, enumerations, bit fields and times come as typed arrays
 * (wider than 8 bytes as bigints), booleans as a `Uint8Array` of 0 and 1, strings as `string[]`, opaque elements as
 * copies of their bytes, compounds as a `StructArray`, complex numbers as a `ComplexArray`, references as objects or
 * null, and arrays and sequences as one such container for each element. Results own their memory; many short sequences
 * of numbers are views of buffers they share.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements, InvalidFieldError for values that are not of the
 * type, InvalidArgumentError where the values are in the global heap and `options.heap` is missing
 */
export function decodeValues(t: Datatype, bytes: Uint8Array, count: number, options: DecodeValuesOptions = {}): Values {
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError(`no ${count} elements`);
  const mayKeep = options.copy === false;
  const { foldAddress } = options;
  const elements = { foldAddress, ...packedElements(bytes, t.size, count, mayKeep) };
  if (mayKeep || !containsCompound(t)) return decodeElements(t, elements, options);
  const own = copyBytes(bytes, 0, elements.count * t.size);
  return decodeElements(t, { foldAddress, ...packedElements(own, t.size, count) }, options);
}

/** Whether values keep the bytes for later. Sequences are of other bytes, which the heap's owner keeps. */
function containsCompound(t: Datatype): boolean {
  return t.class === "compound" || (t.class === "array" && containsCompound(t.base));
}

/** Value `i` of what {@link decodeValues} gave for the type: a number, bigint, boolean, string, row, …. */
export function scalarOf(t: Datatype, values: Values, i: number): unknown {
  if (t.class === "compound" || t.class === "complex") return (values as StructArray | ComplexArray).at(i);
  const value: unknown = (values as ArrayLike<unknown>)[i];
  return isBool(t) ? value === 1 : value;
}

function decodeElements(t: Datatype, e: Elements, options: DecodeValuesOptions): Values {
  const int64 = options.int64 ?? "bigint";
  switch (t.class) {
    case "integer":
      return decodeIntegers(t, e, int64);
    case "enum":
      return isBool(t) ? decodeIntegers({ ...t.base, signed: false }, e, int64) : decodeIntegers(t.base, e, int64);
    case "bitfield":
    case "time":
      return decodeIntegers(wholeElement(t), e, int64);
    case "float":
      return decodeFloats(t, e);
    case "complex":
      return new ComplexArray(decodeFloats(t.base, e), decodeFloats(t.base, partOf(e, t.base.size)));
    case "string":
      return decodeFixedStrings(t, e);
    case "opaque":
      return copies(e, t.size);
    case "reference":
      return decodeReferences(t, e, options);
    case "vlen":
      return t.kind === "string" ? decodeVlenStrings(t, e, options) : decodeSequences(t, e, options, decodeElements);
    case "array":
      return decodeArrays(t, e, options);
    case "compound":
      return structArray(t, e, options);
  }
}

function copies({ bytes, start, stride, count }: Elements, size: number): Uint8Array<ArrayBuffer>[] {
  const values: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0, at = start; i < count; i++, at += stride) {
    values.push(copyBytes(bytes, at, size));
  }
  return values;
}

function decodeArrays(t: ArrayDatatype, e: Elements, options: DecodeValuesOptions): Values[] {
  const length = arrayLength(t);
  const values: Values[] = [];
  for (let i = 0; i < e.count; i++) {
    values.push(decodeElements(t.base, insideOf(e, i, t.base.size, length), options));
  }
  return values;
}

function structArray(t: CompoundDatatype, e: Elements, options: DecodeValuesOptions): StructArray {
  return new StructArray({
    length: e.count,
    fields: t.members.map(({ name, offset, type }) => ({ name, dtype: dtypeOf(type), offset, datatype: type })),
    decode: (field: StructField) => decodeElements(field.datatype, partOf(e, field.offset), options),
    scalar: (field, column, i) => scalarOf(field.datatype, column as Values, i),
  });
}
