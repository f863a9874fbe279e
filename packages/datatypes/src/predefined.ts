import { encodeText, InvalidArgumentError } from "@h5/framing";
import type {
  ArrayDatatype,
  ByteOrder,
  Charset,
  ComplexDatatype,
  CompoundDatatype,
  CompoundMember,
  Datatype,
  EnumDatatype,
  FloatDatatype,
  IntegerDatatype,
  OpaqueDatatype,
  ReferenceDatatype,
  StringDatatype,
  StringPad,
  VlenSequenceDatatype,
  VlenStringDatatype,
} from "./datatype.ts";

/** An integer of `size` bytes that uses all its bits. */
export function integerType(size: number, signed: boolean, order: ByteOrder = "LE"): IntegerDatatype {
  const bits = { offset: 0, precision: size * 8, lowPad: 0, highPad: 0 } as const;
  return { class: "integer", version: 1, size, order, signed, ...bits };
}

/** A floating-point format with its sign on top and the mantissa at the bottom: IEEE 754, bfloat16, 8-bit formats. */
export function floatType(size: number, exponentSize: number, order: ByteOrder = "LE"): FloatDatatype {
  const mantissaSize = size * 8 - 1 - exponentSize;
  return {
    class: "float",
    version: 1,
    size,
    order,
    offset: 0,
    precision: size * 8,
    lowPad: 0,
    highPad: 0,
    internalPad: 0,
    normalization: "implied",
    signPosition: size * 8 - 1,
    exponentPosition: mantissaSize,
    exponentSize,
    mantissaPosition: 0,
    mantissaSize,
    exponentBias: 2 ** (exponentSize - 1) - 1,
  };
}

/** Signed integer of 8 bits. */
export const int8: IntegerDatatype = /* @__PURE__ */ integerType(1, true);
/** Unsigned integer of 8 bits. */
export const uint8: IntegerDatatype = /* @__PURE__ */ integerType(1, false);
/** Signed integer of 16 bits, little-endian. */
export const int16le: IntegerDatatype = /* @__PURE__ */ integerType(2, true);
/** Signed integer of 16 bits, big-endian. */
export const int16be: IntegerDatatype = /* @__PURE__ */ integerType(2, true, "BE");
/** Unsigned integer of 16 bits, little-endian. */
export const uint16le: IntegerDatatype = /* @__PURE__ */ integerType(2, false);
/** Unsigned integer of 16 bits, big-endian. */
export const uint16be: IntegerDatatype = /* @__PURE__ */ integerType(2, false, "BE");
/** Signed integer of 32 bits, little-endian. */
export const int32le: IntegerDatatype = /* @__PURE__ */ integerType(4, true);
/** Signed integer of 32 bits, big-endian. */
export const int32be: IntegerDatatype = /* @__PURE__ */ integerType(4, true, "BE");
/** Unsigned integer of 32 bits, little-endian. */
export const uint32le: IntegerDatatype = /* @__PURE__ */ integerType(4, false);
/** Unsigned integer of 32 bits, big-endian. */
export const uint32be: IntegerDatatype = /* @__PURE__ */ integerType(4, false, "BE");
/** Signed integer of 64 bits, little-endian. */
export const int64le: IntegerDatatype = /* @__PURE__ */ integerType(8, true);
/** Signed integer of 64 bits, big-endian. */
export const int64be: IntegerDatatype = /* @__PURE__ */ integerType(8, true, "BE");
/** Unsigned integer of 64 bits, little-endian. */
export const uint64le: IntegerDatatype = /* @__PURE__ */ integerType(8, false);
/** Unsigned integer of 64 bits, big-endian. */
export const uint64be: IntegerDatatype = /* @__PURE__ */ integerType(8, false, "BE");
/** IEEE 754 number of 16 bits, little-endian. */
export const float16le: FloatDatatype = /* @__PURE__ */ floatType(2, 5);
/** IEEE 754 number of 16 bits, big-endian. */
export const float16be: FloatDatatype = /* @__PURE__ */ floatType(2, 5, "BE");
/** IEEE 754 number of 32 bits, little-endian. */
export const float32le: FloatDatatype = /* @__PURE__ */ floatType(4, 8);
/** IEEE 754 number of 32 bits, big-endian. */
export const float32be: FloatDatatype = /* @__PURE__ */ floatType(4, 8, "BE");
/** IEEE 754 number of 64 bits, little-endian. */
export const float64le: FloatDatatype = /* @__PURE__ */ floatType(8, 11);
/** IEEE 754 number of 64 bits, big-endian. */
export const float64be: FloatDatatype = /* @__PURE__ */ floatType(8, 11, "BE");
/** The enumeration h5py stores booleans as. */
export const bool: EnumDatatype = /* @__PURE__ */ enumType(int8, [
  { name: "FALSE", value: 0 },
  { name: "TRUE", value: 1 },
]);

/** A string of `size` bytes. */
export function fixedStringType(size: number, charset: Charset = "utf8", pad: StringPad = "nullpad"): StringDatatype {
  return { class: "string", version: 1, size, pad, charset };
}

/** A string of any length. `offsetSize` is the file's size of offsets, here and below. */
export function vlenStringType(charset: Charset = "utf8", offsetSize: number = 8): VlenStringDatatype {
  const base = integerType(1, false);
  return { class: "vlen", version: 1, size: 8 + offsetSize, kind: "string", pad: "nullterm", charset, base };
}

/** A sequence of any length. */
export function vlenType(base: Datatype, offsetSize: number = 8): VlenSequenceDatatype {
  return { class: "vlen", version: base.version, size: 8 + offsetSize, kind: "sequence", base };
}

/** An array of fixed dimensions in one element. */
export function arrayType(dims: readonly number[], base: Datatype): ArrayDatatype {
  const size = dims.reduce((product, dim) => product * dim, base.size);
  return { class: "array", version: Math.max(2, base.version), size, dims, base };
}

/** A compound of packed members, in the order given. */
export function compoundType(members: readonly { readonly name: string; readonly type: Datatype }[]): CompoundDatatype {
  const placed: CompoundMember[] = [];
  let size = 0;
  let version = 1;
  for (const { name, type } of members) {
    placed.push({ name, offset: size, type });
    size += type.size;
    version = Math.max(version, type.version);
  }
  return { class: "compound", version, size, members: placed };
}

/** An enumeration over an integer type. */
export function enumType(
  base: IntegerDatatype,
  members: readonly { readonly name: string; readonly value: number | bigint }[],
): EnumDatatype {
  return { class: "enum", version: base.version, size: base.size, base, members };
}

/** Opaque bytes with a tag. */
export function opaqueType(size: number, tag: string = ""): OpaqueDatatype {
  return { class: "opaque", version: 1, size, tag, tagSize: Math.ceil(encodeText(tag).length / 8) * 8 };
}

/** A complex number of two floating-point parts, which HDF5 2.0 and later read. */
export function complexType(base: FloatDatatype): ComplexDatatype {
  return { class: "complex", version: 5, size: base.size * 2, base };
}

/** A reference to an object, or (`region`) to elements of a dataset, as every release reads them. */
export function referenceType(kind: "object" | "region" = "object", offsetSize: number = 8): ReferenceDatatype {
  return { class: "reference", version: 1, size: kind === "object" ? offsetSize : offsetSize + 4, kind };
}

/**
 * The little-endian type of a typed array's elements.
 *
 * @throws InvalidArgumentError for anything else
 */
export function datatypeOfArray(array: ArrayBufferView): IntegerDatatype | FloatDatatype {
  if (array instanceof Int8Array) return int8;
  if (array instanceof Uint8Array || array instanceof Uint8ClampedArray) return uint8;
  if (array instanceof Int16Array) return int16le;
  if (array instanceof Uint16Array) return uint16le;
  if (array instanceof Int32Array) return int32le;
  if (array instanceof Uint32Array) return uint32le;
  if (array instanceof BigInt64Array) return int64le;
  if (array instanceof BigUint64Array) return uint64le;
  if (array instanceof Float32Array) return float32le;
  if (array instanceof Float64Array) return float64le;
  // Not every machine has a name for it.
  if (Object.prototype.toString.call(array) === "[object Float16Array]") return float16le;
  throw new InvalidArgumentError("no datatype for this kind of typed array");
}
