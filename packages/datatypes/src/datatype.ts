/** Byte order of a number's bytes. */
export type ByteOrder = "LE" | "BE";
/** Byte order of a floating-point number: VAX stores 16-bit little-endian words, the most significant word first. */
export type FloatOrder = ByteOrder | "VAX";
/** The value unused bits are set to. */
export type PadBit = 0 | 1;
/** What follows a string in its field: a NUL, NULs to the end, or spaces to the end. */
export type StringPad = "nullterm" | "nullpad" | "spacepad";
/** Character set that a file says a string has. */
export type Charset = "ascii" | "utf8";
/** How the leading bit of a mantissa is kept: stored as it is, stored and always set, or not stored. */
export type Normalization = "none" | "msbset" | "implied";

interface Common {
  /** Version of the datatype message, 1 to 5. */
  readonly version: number;
  /** Bytes of one stored element. */
  readonly size: number;
  /** Bits of the class bit field that the specification leaves undefined, where a file has some set. */
  readonly reserved?: number | undefined;
}

/** Fixed-point number (class 0): the `precision` bits from bit `offset` up, two's complement where `signed`. */
export interface IntegerDatatype extends Common {
  readonly class: "integer";
  readonly order: ByteOrder;
  readonly signed: boolean;
  readonly offset: number;
  readonly precision: number;
  readonly lowPad: PadBit;
  readonly highPad: PadBit;
}

/** Floating-point number (class 1). Positions count bits from the least significant one. */
export interface FloatDatatype extends Common {
  readonly class: "float";
  readonly order: FloatOrder;
  readonly offset: number;
  readonly precision: number;
  readonly lowPad: PadBit;
  readonly highPad: PadBit;
  readonly internalPad: PadBit;
  readonly normalization: Normalization;
  readonly signPosition: number;
  readonly exponentPosition: number;
  readonly exponentSize: number;
  readonly mantissaPosition: number;
  readonly mantissaSize: number;
  readonly exponentBias: number;
}

/** Time (class 2), which libhdf5 stores and never interprets. */
export interface TimeDatatype extends Common {
  readonly class: "time";
  readonly order: ByteOrder;
  readonly precision: number;
}

/** String of a fixed number of bytes (class 3). */
export interface StringDatatype extends Common {
  readonly class: "string";
  readonly pad: StringPad;
  readonly charset: Charset;
}

/** Bits (class 4). */
export interface BitfieldDatatype extends Common {
  readonly class: "bitfield";
  readonly order: ByteOrder;
  readonly offset: number;
  readonly precision: number;
  readonly lowPad: PadBit;
  readonly highPad: PadBit;
}

/** Bytes with a tag that says what they are (class 5). */
export interface OpaqueDatatype extends Common {
  readonly class: "opaque";
  readonly tag: string;
  /** Bytes of the stored tag with its NULs, a multiple of 8. */
  readonly tagSize: number;
}

/** A member of a {@link CompoundDatatype}. */
export interface CompoundMember {
  readonly name: string;
  /** Bytes from the start of the element. */
  readonly offset: number;
  readonly type: Datatype;
}

/** Record (class 6); members in stored order, which need not be the order of their offsets. */
export interface CompoundDatatype extends Common {
  readonly class: "compound";
  readonly members: readonly CompoundMember[];
}

/** `object` and `region` are the references of every release; the others came with HDF5 1.12. */
export type ReferenceKind = "object" | "region" | "object2" | "region2" | "attribute";

/** Reference (class 7). A type of any 1.12 kind holds references of all three. */
export interface ReferenceDatatype extends Common {
  readonly class: "reference";
  readonly kind: ReferenceKind;
}

/** A name of an {@link EnumDatatype}. */
export interface EnumMember {
  readonly name: string;
  /** A bigint where the base has more than 4 bytes. */
  readonly value: number | bigint;
}

/** Enumeration (class 8). */
export interface EnumDatatype extends Common {
  readonly class: "enum";
  readonly base: IntegerDatatype;
  readonly members: readonly EnumMember[];
}

interface VlenCommon extends Common {
  readonly class: "vlen";
  readonly base: Datatype;
}

/** Sequence of any length (class 9). */
export interface VlenSequenceDatatype extends VlenCommon {
  readonly kind: "sequence";
}

/** String of any length (class 9). */
export interface VlenStringDatatype extends VlenCommon {
  readonly kind: "string";
  readonly pad: StringPad;
  readonly charset: Charset;
}

/** What is kept in the global heap, of any length (class 9). */
export type VlenDatatype = VlenSequenceDatatype | VlenStringDatatype;

/** Array of fixed dimensions, row-major (class 10). */
export interface ArrayDatatype extends Common {
  readonly class: "array";
  readonly dims: readonly number[];
  readonly base: Datatype;
  /** The unused permutation indices of versions 1 and 2, where they are not 0, 1, 2, …. */
  readonly permutation?: readonly number[] | undefined;
  /** Set where no array message exists: the dimensions are fields of the version 1 compound member that holds it. */
  readonly inMember?: true | undefined;
}

/** Complex number (class 11, HDF5 2.0): real then imaginary part. */
export interface ComplexDatatype extends Common {
  readonly class: "complex";
  readonly base: FloatDatatype;
}

/** Any HDF5 datatype, faithful to its message: `encodeDatatype` gives the bytes it was decoded from. */
export type Datatype =
  | IntegerDatatype
  | FloatDatatype
  | TimeDatatype
  | StringDatatype
  | BitfieldDatatype
  | OpaqueDatatype
  | CompoundDatatype
  | ReferenceDatatype
  | EnumDatatype
  | VlenDatatype
  | ArrayDatatype
  | ComplexDatatype;

/** Whether values of the type are strings, of fixed or of variable length. */
export function isString(t: Datatype): t is StringDatatype | VlenStringDatatype {
  return t.class === "string" || isVlenString(t);
}

/** Whether values of the type are strings kept in the global heap. */
export function isVlenString(t: Datatype): t is VlenStringDatatype {
  return t.class === "vlen" && t.kind === "string";
}

/** Number of base elements in one element of an array type. */
export function arrayLength(t: ArrayDatatype): number {
  return t.dims.reduce((product, dim) => product * dim, 1);
}

/**
 * The IEEE 754 width in bytes (2, 4, 8) of a float stored as one, in either order, with no bits unused; else
 * `undefined`.
 */
export function ieeeSize(t: FloatDatatype): 2 | 4 | 8 | undefined {
  const { size } = t;
  if (size !== 2 && size !== 4 && size !== 8) return undefined;
  const exponentSize = size === 2 ? 5 : size === 4 ? 8 : 11;
  const mantissaSize = size * 8 - 1 - exponentSize;
  const same =
    t.order !== "VAX" &&
    t.normalization === "implied" &&
    t.offset === 0 &&
    t.precision === size * 8 &&
    t.signPosition === size * 8 - 1 &&
    t.exponentPosition === mantissaSize &&
    t.exponentSize === exponentSize &&
    t.mantissaPosition === 0 &&
    t.mantissaSize === mantissaSize &&
    t.exponentBias === 2 ** (exponentSize - 1) - 1;
  return same ? size : undefined;
}

/** Whether this is the enumeration h5py stores booleans as: over one byte, exactly FALSE = 0 and TRUE = 1. */
export function isBool(t: Datatype): boolean {
  if (t.class !== "enum" || t.size !== 1 || t.members.length !== 2) return false;
  return t.members.every(({ name, value }) => name === (value === 0 ? "FALSE" : value === 1 ? "TRUE" : undefined));
}

/** Whether this is the compound h5py stores complex numbers as: two members `r` and `i` of one floating-point type. */
export function isComplexPair(t: Datatype): t is CompoundDatatype {
  if (t.class !== "compound" || t.members.length !== 2) return false;
  return (
    t.members[0]!.name === "r" && t.members[1]!.name === "i" && t.members.every(({ type }) => type.class === "float")
  );
}
