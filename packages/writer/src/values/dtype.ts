import {
  bool,
  type ComplexDatatype,
  type CompoundDatatype,
  complexType,
  compoundType,
  type Datatype,
  type FloatDatatype,
  fixedStringType,
  floatType,
  integerType,
  type LowBound,
  opaqueType,
  referenceType,
  vlenStringType,
} from "@h5/datatypes";
import { defaultLimits, InvalidArgumentError } from "@h5/framing";

/** Names of element types: zarrita's and h5py's words. */
export type DtypeText =
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float16"
  | "float32"
  | "float64"
  | "complex64"
  | "complex128"
  | "bool"
  | "string"
  | "reference"
  | "region"
  | `string:${number}`;

/** Members of a compound, packed in the order of the keys. */
export interface DtypeFields {
  readonly [member: string]: DtypeOption;
}

/**
 * What says which type elements have: a {@link Datatype}; a name ({@link DtypeText}: little-endian numbers, `string` of
 * any length, `string:10` of 10 bytes of UTF-8, `reference` to an object, `region`); numpy's way of writing one
 * (`"<i4"`, `">f8"`, `"|S10"`, `"|b1"`, `"<c16"`, `"|V3"`); or an object with an option for each member of a compound.
 */
export type DtypeOption = Datatype | DtypeText | (string & {}) | DtypeFields;

/** What decides between two ways of saying the same. */
export interface DtypeOptions {
  /**
   * The oldest release that is to read the file; default `"v110"`. At `"v200"` complex numbers are of the class HDF5 2.0
   * has for them, else compounds of `r` and `i`, as h5py's are.
   */
  readonly libver?: LowBound | undefined;
}

/**
 * The datatype an option stands for.
 *
 * @throws InvalidArgumentError for a name that is not known, and for a compound without members
 */
export function datatypeOf(option: DtypeOption, options: DtypeOptions = {}): Datatype {
  return typeOf(option, options, defaultLimits.datatypeDepth);
}

function typeOf(option: DtypeOption, options: DtypeOptions, depth: number): Datatype {
  if (typeof option === "string") {
    const named = namedType(option, options) ?? numpyType(option, options);
    if (named !== undefined) return named;
    throw new InvalidArgumentError(`no dtype ${JSON.stringify(option)}`);
  }
  if (option === null || typeof option !== "object" || Array.isArray(option)) {
    throw new InvalidArgumentError(
      `expected a datatype, the name of one or an object of members, got ${String(option)}`,
    );
  }
  if (isDatatype(option)) return option;
  if (depth === 0) throw new InvalidArgumentError(`over ${defaultLimits.datatypeDepth} compounds in one another`);
  const members = Object.entries(option).map(([name, type]) => ({ name, type: typeOf(type, options, depth - 1) }));
  if (members.length === 0) throw new InvalidArgumentError("compound without members");
  return compoundType(members);
}

/** Members of a compound are no numbers, so that none can be named like this. */
function isDatatype(option: Datatype | DtypeFields): option is Datatype {
  return typeof option["size"] === "number" && typeof option["class"] === "string";
}

function namedType(name: string, options: DtypeOptions): Datatype | undefined {
  const number = /^(int|uint|float|complex)([1-9]\d*)$/.exec(name);
  if (number !== null && Number(number[2]) % 8 === 0)
    return numberType(number[1]!, Number(number[2]) / 8, "LE", options);
  const length = /^string:([1-9]\d*)$/.exec(name);
  if (length !== null) return fixedStringType(Number(length[1]));
  switch (name) {
    case "bool":
      return bool;
    case "string":
      return vlenStringType();
    case "reference":
      return referenceType("object");
    case "region":
      return referenceType("region");
    default:
      return undefined;
  }
}

const NUMPY_KINDS: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float", c: "complex" };

/** Numpy's array protocol: byte order, kind, bytes of an element. */
function numpyType(name: string, options: DtypeOptions): Datatype | undefined {
  if (name === "?") return bool;
  const parts = /^([<>=|]?)([iufcbSV])([1-9]\d*)$/.exec(name);
  if (parts === null) return undefined;
  const [, order, kind, digits] = parts as unknown as [string, string, string, string];
  const size = Number(digits);
  if (kind === "S") return fixedStringType(size, "ascii");
  if (kind === "V") return opaqueType(size);
  if (kind === "b") return size === 1 ? bool : undefined;
  return numberType(NUMPY_KINDS[kind]!, size, order === ">" ? "BE" : "LE", options);
}

function numberType(kind: string, size: number, order: "LE" | "BE", options: DtypeOptions): Datatype | undefined {
  if (kind === "complex") {
    const part = realType(size / 2, order);
    return part === undefined || size === 4 ? undefined : complexOf(part, options);
  }
  if (kind === "float") return realType(size, order);
  return size <= 8 && Number.isInteger(Math.log2(size)) ? integerType(size, kind === "int", order) : undefined;
}

function realType(size: number, order: "LE" | "BE"): FloatDatatype | undefined {
  const exponentSize = size === 2 ? 5 : size === 4 ? 8 : size === 8 ? 11 : undefined;
  return exponentSize === undefined ? undefined : floatType(size, exponentSize, order);
}

/** Complex numbers of two such parts, in the form that {@link DtypeOptions} say. */
export function complexOf(part: FloatDatatype, options: DtypeOptions): ComplexDatatype | CompoundDatatype {
  if (options.libver === "v200") return complexType(part);
  return compoundType([
    { name: "r", type: part },
    { name: "i", type: part },
  ]);
}
