import { UnsupportedFeatureError } from "@h5/framing";
import {
  arrayLength,
  type CompoundDatatype,
  type Datatype,
  type EnumDatatype,
  type FloatDatatype,
  type IntegerDatatype,
  type StringDatatype,
} from "../datatype.ts";
import { describeDatatype } from "../describe.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { encodeFloats, encodeIntegers } from "./encode-numbers.ts";
import { decodeFloats } from "./float-bits.ts";
import { decodeIntegers } from "./integers.ts";
import { integerOfNaN, saturatedFloats, saturatedIntegers } from "./saturation.ts";

/** Turns `count` packed elements of one type into as many of another, in a buffer of their own. */
export type Converter = (source: Uint8Array, count: number) => Uint8Array<ArrayBuffer>;

/** Converts elements in place of others. */
type Conversion = (source: Elements, target: Elements) => void;

/**
 * The conversion libhdf5 makes between two types (H5Tconv.c): numbers by value, those beyond what the other type holds to
 * its nearest and, where it is an integer, fractions cut off and NaN as on x86-64; enumerations and compounds by the names
 * of their members, those without a counterpart left 0; fixed strings cut or padded. `undefined` where the elements are
 * the same bytes.
 *
 * @throws UnsupportedFeatureError where there is no conversion
 */
export function converterOf(from: Datatype, to: Datatype): Converter | undefined {
  if (isSame(from, to)) return undefined;
  const convert = conversionOf(from, to);
  return (source, count) => {
    const bytes = new Uint8Array(count * to.size);
    convert(packedElements(source, from.size, count), packedElements(bytes, to.size, count));
    return bytes;
  };
}

/** What tells no two elements apart: how the type was written down, and the value of bits that hold none. */
const FORMALITIES = ["version", "reserved", "tagSize", "permutation", "inMember", "lowPad", "highPad", "internalPad"];

/** Whether the elements of two types are the same bytes; compares descriptions whole. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => {
    if (FORMALITIES.includes(key)) return true;
    return isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
  });
}

function conversionOf(from: Datatype, to: Datatype): Conversion {
  if (isSame(from, to)) return (source, target) => copyElements(source, target, to.size);
  if (isNumber(from) && (to.class === "integer" || to.class === "float")) return numbers(from, to);
  if (from.class === "enum" && to.class === "enum") return enumerations(from, to);
  if (from.class === "string" && to.class === "string" && from.charset === to.charset) return strings(from, to);
  if (from.class === "compound" && to.class === "compound") return compounds(from, to);
  if (from.class === "complex" && to.class === "complex") {
    const part = conversionOf(from.base, to.base);
    return (source, target) => {
      part(source, target);
      part(partOf(source, from.base.size), partOf(target, to.base.size));
    };
  }
  if (from.class === "array" && to.class === "array" && from.dims.join() === to.dims.join()) {
    const [length, inner] = [arrayLength(to), conversionOf(from.base, to.base)];
    return (source, target) => {
      for (let i = 0; i < target.count; i++) {
        inner(insideOf(source, i, from.base.size, length), insideOf(target, i, to.base.size, length));
      }
    };
  }
  throw new UnsupportedFeatureError(`conversion of ${describeDatatype(from)} to ${describeDatatype(to)}`);
}

function copyElements(source: Elements, target: Elements, size: number): void {
  for (let i = 0; i < target.count; i++) {
    const at = source.start + i * source.stride;
    target.bytes.set(source.bytes.subarray(at, at + size), target.start + i * target.stride);
  }
}

type NumberDatatype = IntegerDatatype | FloatDatatype | EnumDatatype;

function isNumber(t: Datatype): t is NumberDatatype {
  return t.class === "integer" || t.class === "float" || t.class === "enum";
}

function numbers(from: NumberDatatype, to: IntegerDatatype | FloatDatatype): Conversion {
  return (source, target) => {
    const values =
      from.class === "float"
        ? decodeFloats(from, source)
        : decodeIntegers(from.class === "enum" ? from.base : from, source, "bigint");
    if (to.class === "float") return encodeFloats(to, saturatedFloats(values, to), target);
    const ofNaN = from.class === "float" ? integerOfNaN(from, to) : 0n;
    encodeIntegers(to, to, saturatedIntegers(values, to, ofNaN), target);
  };
}

/** By name; a value without one, and one whose name the other type lacks, becomes all ones (H5Tconv.c, `H5T__conv_enum`). */
function enumerations(from: EnumDatatype, to: EnumDatatype): Conversion {
  const named = new Map(to.members.map(({ name, value }) => [name, value]));
  const known = new Map(from.members.map(({ name, value }) => [String(value), named.get(name)]));
  return (source, target) => {
    const values = decodeIntegers(from.base, source, "bigint");
    for (let i = 0; i < target.count; i++) {
      const value = known.get(String(values[i]));
      const at = target.start + i * target.stride;
      if (value === undefined) target.bytes.fill(255, at, at + to.size);
      else encodeIntegers(to, to.base, [value], { ...target, start: at, count: 1 });
    }
  };
}

function strings(from: StringDatatype, to: StringDatatype): Conversion {
  const pad = to.pad === "spacepad" ? 32 : 0;
  return (source, target) => {
    for (let i = 0; i < target.count; i++) {
      const at = source.start + i * source.stride;
      const text = textOf(source.bytes.subarray(at, at + from.size), from).subarray(0, to.size);
      const put = target.start + i * target.stride;
      target.bytes.fill(pad, put, put + to.size);
      target.bytes.set(text, put);
      if (to.pad === "nullterm") target.bytes[put + to.size - 1] = 0;
    }
  };
}

function textOf(bytes: Uint8Array, { pad }: StringDatatype): Uint8Array {
  let end = bytes.length;
  if (pad === "spacepad") while (end > 0 && bytes[end - 1] === 32) end--;
  else if (bytes.includes(0)) end = bytes.indexOf(0);
  return bytes.subarray(0, end);
}

function compounds(from: CompoundDatatype, to: CompoundDatatype): Conversion {
  const parts = to.members.flatMap(({ name, offset, type }) => {
    const own = from.members.find((member) => member.name === name);
    return own === undefined ? [] : [{ from: own.offset, to: offset, convert: conversionOf(own.type, type) }];
  });
  return (source, target) => {
    for (const part of parts) part.convert(partOf(source, part.from), partOf(target, part.to));
  };
}
