import { defaultLimits, encodeText, InvalidArgumentError } from "@h5/framing";
import { membersFault } from "./classes/compound.ts";
import { floatFault } from "./classes/numeric.ts";
import {
  type ArrayDatatype,
  arrayLength,
  type ComplexDatatype,
  type CompoundDatatype,
  type Datatype,
  type EnumDatatype,
  type OpaqueDatatype,
} from "./datatype.ts";
import { fitsInteger } from "./integer-bits.ts";
import { withOffsetSize } from "./offset-size.ts";

/** Bytes of an element have 32 bits in the message. */
const MOST_BYTES = 4294967295;
/** Members of a compound and of an enumeration have 16. */
const MOST_MEMBERS = 65535;
/** Most dimensions of an array (H5S_MAX_RANK). */
const MOST_DIMENSIONS = 32;
/** Bytes of an opaque tag: 8 bits, rounded down to whole 8 bytes (H5Odtype.c). */
const LONGEST_TAG = 248;

/** What a datatype is checked against. */
export interface CheckDatatypeOptions {
  /** The size of offsets of the file it is for, which references and variable-length values are as wide as; default 8. */
  readonly offsetSize?: number | undefined;
  /** Levels of nesting; by default what `decodeDatatype` allows. */
  readonly depth?: number | undefined;
}

/**
 * Checks that a datatype is one a file can hold: what `encodeDatatype` would write can be read back, and libhdf5 takes it
 * (H5T.c, H5Tcompound.c, H5Tenum.c, H5Tarray.c, H5Odtype.c).
 *
 * @throws InvalidArgumentError naming the member and what is wrong
 */
export function checkDatatype(t: Datatype, options: CheckDatatypeOptions = {}): void {
  check(t, options.offsetSize ?? 8, options.depth ?? defaultLimits.datatypeDepth);
}

function check(t: Datatype, offsetSize: number, depth: number): void {
  if (depth === 0) refuse("datatype nested too deep");
  if (typeof t !== "object" || t === null) refuse(`expected a datatype, got ${String(t)}`);
  whole("element size", t.size, 1, MOST_BYTES);
  whole("version", t.version, 1, 5);
  if (t.class === "reference" || t.class === "vlen") checkStoredSize(t, offsetSize);
  const nested = (base: Datatype): void => check(base, offsetSize, depth - 1);
  if (t.class === "compound") checkCompound(t, nested);
  else if (t.class === "array") checkArray(t, nested);
  else if (t.class === "enum") checkEnum(t, nested);
  // The element of a sequence may have the size a reference has in memory, see `storedBase`.
  else if (t.class === "vlen") nested(t.base.class === "reference" ? withOffsetSize(t.base, offsetSize) : t.base);
  else if (t.class === "complex") checkComplex(t, nested);
  else checkPlain(t);
}

function checkPlain(t: Exclude<Datatype, { class: "compound" | "array" | "enum" | "vlen" | "complex" }>): void {
  switch (t.class) {
    case "integer":
    case "bitfield":
      checkBits(t);
      oneOf("byte order", t.order, ["LE", "BE"]);
      break;
    case "float":
      checkFloat(t);
      break;
    case "time":
      oneOf("byte order", t.order, ["LE", "BE"]);
      whole("precision", t.precision, 1, Math.min(65535, t.size * 8));
      break;
    case "string":
      checkText(t);
      break;
    case "opaque":
      checkOpaque(t);
      break;
    case "reference":
      break;
    default:
      refuse(`class ${String((t as { class: unknown }).class)} is none of HDF5's`);
  }
}

function refuse(message: string): never {
  throw new InvalidArgumentError(message, { structure: "datatype" });
}

function whole(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  refuse(`${what} ${String(value)}, expected ${least} to ${most}`);
}

function oneOf(what: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) refuse(`${what} ${String(value)}, expected ${allowed.join(", ")}`);
}

function checkBits(t: Extract<Datatype, { class: "integer" | "bitfield" | "float" }>): void {
  oneOf("low pad", t.lowPad, [0, 1]);
  oneOf("high pad", t.highPad, [0, 1]);
  const bits = Math.min(65535, t.size * 8);
  whole("precision", t.precision, 1, bits);
  whole("bit offset", t.offset, 0, bits - t.precision);
}

function checkFloat(t: Extract<Datatype, { class: "float" }>): void {
  checkBits(t);
  oneOf("byte order", t.order, ["LE", "BE", "VAX"]);
  oneOf("internal pad", t.internalPad, [0, 1]);
  oneOf("normalization", t.normalization, ["none", "msbset", "implied"]);
  for (const field of [
    "signPosition",
    "exponentPosition",
    "exponentSize",
    "mantissaPosition",
    "mantissaSize",
  ] as const) {
    whole(field, t[field], 0, 255);
  }
  whole("exponentBias", t.exponentBias, 0, MOST_BYTES);
  const fault = floatFault(t);
  if (fault !== undefined) refuse(fault);
}

function checkText(t: { readonly pad: unknown; readonly charset: unknown }): void {
  oneOf("padding", t.pad, ["nullterm", "nullpad", "spacepad"]);
  oneOf("character set", t.charset, ["ascii", "utf8"]);
}

function checkOpaque(t: OpaqueDatatype): void {
  const length = encodeText(t.tag).length;
  if (length > LONGEST_TAG || t.tag.includes("\0")) {
    refuse(`opaque tag ${JSON.stringify(t.tag)} of ${length} bytes, expected at most ${LONGEST_TAG} and no NUL`);
  }
  whole("tag size", t.tagSize, length, LONGEST_TAG);
  if (t.tagSize % 8 !== 0) refuse(`tag size ${t.tagSize}, expected a multiple of 8`);
}

/** References and variable-length values are as large as the file's addresses make them. */
function checkStoredSize(t: Extract<Datatype, { class: "reference" | "vlen" }>, offsetSize: number): void {
  if (t.class === "reference") oneOf("reference", t.kind, ["object", "region", "object2", "region2", "attribute"]);
  else {
    oneOf("variable-length", t.kind, ["sequence", "string"]);
    if (t.kind === "string") checkText(t);
  }
  const { size } = withOffsetSize(t, offsetSize);
  if (t.size !== size) refuse(`${t.kind} of ${t.size} bytes, expected ${size} where addresses have ${offsetSize}`);
}

function checkComplex({ base, size }: ComplexDatatype, nested: (base: Datatype) => void): void {
  if (base.class !== "float") refuse(`complex number over class ${String(base["class"])}, expected float`);
  nested(base);
  if (size !== base.size * 2) refuse(`complex number of ${size} bytes over parts of ${base.size}`);
}

function checkArray(t: ArrayDatatype, nested: (base: Datatype) => void): void {
  whole("number of dimensions", t.dims.length, 1, MOST_DIMENSIONS);
  for (const dim of t.dims) whole("dimension", dim, 1, MOST_BYTES);
  if (t.size !== arrayLength(t) * t.base.size) {
    refuse(`array of ${t.size} bytes, expected ${arrayLength(t) * t.base.size} from its dimensions`);
  }
  nested(t.base);
}

function checkName(name: string): void {
  if (name === "" || name.includes("\0")) refuse(`member named ${JSON.stringify(name)}`);
  encodeText(name);
}

function checkEnum({ base, members, size }: EnumDatatype, nested: (base: Datatype) => void): void {
  if (base.class !== "integer") refuse(`enumeration over class ${String(base["class"])}, expected integer`);
  nested(base);
  if (size !== base.size) refuse(`enumeration of ${size} bytes over a base of ${base.size}`);
  whole("number of members", members.length, 1, MOST_MEMBERS);
  const seen = new Map<string | bigint, string>();
  for (const { name, value } of members) {
    checkName(name);
    const fits = typeof value === "bigint" || Number.isSafeInteger(value);
    if (!fits || !fitsInteger(BigInt(value), base)) refuse(`value ${String(value)} of ${name} does not fit the base`);
    if (seen.has(name)) refuse(`two members named "${name}"`);
    const other = seen.get(BigInt(value));
    if (other !== undefined) refuse(`members "${other}" and "${name}" are both ${value}`);
    seen.set(name, name).set(BigInt(value), name);
  }
}

function checkCompound({ members, size }: CompoundDatatype, nested: (base: Datatype) => void): void {
  whole("number of members", members.length, 1, MOST_MEMBERS);
  for (const { name, offset, type } of members) {
    checkName(name);
    checkMember(name, type, nested);
    if (!(Number.isInteger(offset) && offset >= 0 && offset + type.size <= size)) {
      refuse(`member "${name}" in bytes [${offset}, ${offset + type.size}) of an element of ${size} bytes`);
    }
  }
  const fault = membersFault(members);
  if (fault !== undefined) refuse(fault);
}

function checkMember(name: string, type: Datatype, nested: (base: Datatype) => void): void {
  try {
    nested(type);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`member "${name}": ${error.message}`, { cause: error });
  }
}

/**
 * Whether any number in the type leaves more than half of its bits unused. libhdf5 1.14 and later take that for corruption
 * in formats without checksums, and neither write nor read it there (H5T.c, `H5T_is_numeric_with_unusual_unused_bits`).
 */
export function hasUnusualUnusedBits(t: Datatype): boolean {
  switch (t.class) {
    case "integer":
    case "float":
    case "bitfield":
      return t.size > 1 && t.size * 8 > 2 * (t.precision + t.offset);
    case "compound":
      return t.members.some(({ type }) => hasUnusualUnusedBits(type));
    case "enum":
    case "vlen":
    case "array":
    case "complex":
      return hasUnusualUnusedBits(t.base);
    default:
      return false;
  }
}
