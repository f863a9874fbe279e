import { UnsupportedFeatureError } from "@h5/framing";
import {
  arrayLength,
  type CompoundDatatype,
  type Datatype,
  type EnumDatatype,
  type FloatDatatype,
  type IntegerDatatype,
  type StringDatatype,
  type VlenDatatype,
} from "../datatype.ts";
import { describeDatatype } from "../describe.ts";
import type { IntegerBits } from "../integer-bits.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { encodeFloats, encodeIntegers } from "./encode-numbers.ts";
import { decodeFloats } from "./float-bits.ts";
import { readHeapId, writeHeapId } from "./heap-id.ts";
import { decodeIntegers, valueBits } from "./integers.ts";
import type { HeapId } from "./options.ts";
import { storedBase } from "./references.ts";
import { misfitsOf, saturatedFloats, saturatedIntegers } from "./saturation.ts";
import { vlenAddressWidth } from "./sequences.ts";

/** Turns `count` packed elements of one type into as many of another, in `memory` of their size, by default new. */
export type Converter = (
  source: Uint8Array,
  count: number,
  memory?: Uint8Array<ArrayBuffer>,
) => Uint8Array<ArrayBuffer>;

/** The global heap that the elements have their variable-length parts in, and get what becomes of those parts. */
export interface ConversionHeap {
  heap(id: HeapId): Uint8Array;
  put(object: Uint8Array): HeapId;
  /** Zeros for the elements of a sequence once converted; throws where they are too many. */
  memory(bytes: number): Uint8Array<ArrayBuffer>;
}

/** Converts elements in place of others. */
type Conversion = (source: Elements, target: Elements) => void;

/**
 * The conversion libhdf5 makes between two types (H5Tconv.c): numbers by value, those beyond what the other type holds to
 * its nearest and, where it is an integer, fractions cut off and what it has none for as on x86-64; enumerations and
 * compounds by the names of their members, those without a counterpart left 0; fixed strings cut or padded; sequences,
 * which are in `heap`, by their elements, and text of variable length whatever its charset. `undefined` where the
 * elements are the same bytes.
 *
 * @throws UnsupportedFeatureError where there is no conversion; from the converter, where it lacks the heap, and
 *   UnexpectedEofError for fewer bytes than elements
 */
export function converterOf(from: Datatype, to: Datatype, heap?: ConversionHeap): Converter | undefined {
  if (isSame(from, to)) return undefined;
  const convert = conversionOf(from, to, heap);
  return (source, count, memory) => {
    const elements = packedElements(source, from.size, count);
    const bytes = memory ?? new Uint8Array(count * to.size);
    convert(elements, packedElements(bytes, to.size, count));
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

function conversionOf(from: Datatype, to: Datatype, heap: ConversionHeap | undefined): Conversion {
  if (isSame(from, to)) return (source, target) => copyElements(source, target, to.size);
  if (isNumber(from) && (to.class === "integer" || to.class === "float")) return numbers(from, to);
  if (from.class === "enum" && to.class === "enum") return enumerations(from, to);
  if (from.class === "string" && to.class === "string" && from.charset === to.charset) return strings(from, to);
  if (from.class === "compound" && to.class === "compound") return compounds(from, to, heap);
  if (from.class === "vlen" && to.class === "vlen" && from.kind === to.kind) return sequences(from, to, heap);
  if (from.class === "complex" && to.class === "complex") {
    const part = conversionOf(from.base, to.base, heap);
    return (source, target) => {
      part(source, target);
      part(partOf(source, from.base.size), partOf(target, to.base.size));
    };
  }
  if (from.class === "array" && to.class === "array" && from.dims.join() === to.dims.join()) {
    const [length, inner] = [arrayLength(to), conversionOf(from.base, to.base, heap)];
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
  const bits = from.class === "enum" ? from.base : from;
  const misfits = bits.class === "float" && to.class === "integer" ? misfitsOf(bits, to) : { nan: 0n };
  return (source, target) => {
    const values =
      bits.class === "float" ? decodeFloats(bits, source) : decodeIntegers(asTurned(bits, to), source, "bigint");
    if (to.class === "float") encodeFloats(to, saturatedFloats(values, to), target);
    else encodeIntegers(to, to, saturatedIntegers(values, to, misfits), target);
  };
}

/**
 * Integers as the library makes those of another type of them: where it only has big-endian ones to turn round into the
 * processor's own of that size it looks at nothing else, and the sign is the other type's (H5Tconv.c, `H5T__conv_order`).
 */
function asTurned(from: IntegerBits, to: Datatype): IntegerBits {
  if (to.class !== "integer" || from.order !== "BE" || from.size !== to.size) return from;
  return isWholeNative(from) && isWholeNative(to) ? { ...from, signed: to.signed } : from;
}

function isWholeNative(t: IntegerBits): boolean {
  const { size, precision } = valueBits(t);
  return (size === 1 || size === 2 || size === 4 || size === 8) && precision === size * 8;
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

function compounds(from: CompoundDatatype, to: CompoundDatatype, heap: ConversionHeap | undefined): Conversion {
  const parts = to.members.flatMap(({ name, offset, type }) => {
    const own = from.members.find((member) => member.name === name);
    return own === undefined ? [] : [{ from: own.offset, to: offset, convert: conversionOf(own.type, type, heap) }];
  });
  return (source, target) => {
    for (const part of parts) part.convert(partOf(source, part.from), partOf(target, part.to));
  };
}

/** Text as it is, whatever its charset; files with addresses of other widths have elements of other sizes. */
function sequences(from: VlenDatatype, to: VlenDatatype, heap: ConversionHeap | undefined): Conversion {
  const [width, own] = [vlenAddressWidth(from), vlenAddressWidth(to)];
  const base = storedBase(to.base, own);
  const convert = from.kind === "string" ? undefined : converterOf(storedBase(from.base, width), base, heap);
  const held = (): ConversionHeap => {
    if (heap !== undefined) return heap;
    throw new UnsupportedFeatureError(`conversion to ${describeDatatype(to)} without a heap`);
  };
  return (source, target) => {
    for (let i = 0; i < target.count; i++) {
      const [at, put] = [source.start + i * source.stride, target.start + i * target.stride];
      const count = source.view.getUint32(at, true);
      let id = readHeapId(source, at + 4, width);
      if (id === undefined || count === 0) continue;
      if (convert !== undefined) {
        id = held().put(convert(held().heap(id), count, held().memory(count * base.size)));
      }
      target.view.setUint32(put, count, true);
      writeHeapId(target.view, put + 4, own, id);
    }
  };
}
