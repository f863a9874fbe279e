import { ByteReader, decodeText, InvalidFieldError, UnsupportedFeatureError, type Widths } from "@h5/framing";
import type { Datatype, ReferenceDatatype, ReferenceKind } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { addressWidth, heapBytes, readAddress, readHeapId } from "./heap-id.ts";
import { numberedReferences } from "./numbered-references.ts";
import type { DecodeValuesOptions } from "./options.ts";

/** Where the object is that a reference refers to. */
interface Target {
  /** Of the object's header; above 2^53−1, where nothing is, rounded. */
  readonly address: number;
  /** Name of the other file the object is in, as the file that refers to it spells it; only 1.12 references have it. */
  readonly file?: string | undefined;
  /**
   * Name of the file the reference was read in, where that is not the one that was opened but one it leads to: the
   * address, or the name in `file`, counts from there.
   */
  readonly from?: string | undefined;
}

/** A reference to an object by the address of its header. */
export interface ObjectReference extends Target {
  readonly kind: "object";
}

/** A reference to elements of a dataset. */
export interface RegionReference extends Target {
  readonly kind: "region";
  /** The serialised selection (`decodeSelection` of `@h5/selection`). */
  readonly selection: Uint8Array<ArrayBuffer>;
  /** Rank of the dataset, which only 1.12 references say (a selection of all or nothing has none). */
  readonly rank?: number | undefined;
}

/** A reference to an attribute of an object. */
export interface AttributeReference extends Target {
  readonly kind: "attribute";
  readonly name: string;
}

/** A reference of any kind. */
export type Reference = ObjectReference | RegionReference | AttributeReference;

/** Type byte, flags byte and blob size before the heap ID of a 1.12 reference. */
export const STANDARD_HEAD = 6;
/** Where the heap ID of a 1.12 reference ends. */
const STANDARD_OTHERS: number = STANDARD_HEAD + 4;

/**
 * The type as its elements are stored. libhdf5 keeps the size a 1.12 reference has in memory in the base of a sequence
 * (64 seen), and takes the stored size from the file's size of offsets (H5Tref.c, `H5T__ref_set_loc`).
 */
export function storedBase(base: Datatype, width: number): Datatype {
  return base.class === "reference" ? { ...base, size: othersOf(base.kind) + width } : base;
}

/**
 * The same where each element has `room` bytes: room enough for old references as they are in memory means that they
 * were stored so (see {@link referenceWidth}).
 */
export function withRoom(base: Datatype, room: number): Datatype {
  if (base.class !== "reference" || !isOld(base.kind)) return base;
  const size = OLD_WIDTH + othersOf(base.kind);
  return room >= size ? { ...base, size } : base;
}

/** Bytes of an address in references before 1.12 as they are in memory. */
const OLD_WIDTH = 8;

function isOld(kind: ReferenceKind): boolean {
  return kind === "object" || kind === "region";
}

/** Bytes of a stored reference besides the address. */
function othersOf(kind: ReferenceKind): number {
  return kind === "object" ? 0 : kind === "region" ? 4 : STANDARD_OTHERS;
}

/**
 * Bytes of the address in a reference. Before 1.12 libhdf5 stored references as they are in memory, with room for an
 * address of 8 bytes whatever the file's own width (H5Rpublic.h, `H5R_OBJ_REF_BUF_SIZE`); the room left over comes last.
 */
export function referenceWidth({ kind, size }: ReferenceDatatype, offsetSize: number | undefined): number {
  const others = othersOf(kind);
  const roomy = isOld(kind) && size === OLD_WIDTH + others;
  return roomy && offsetSize !== undefined ? offsetSize : addressWidth(`${kind} reference`, size, others, offsetSize);
}

/**
 * References, `null` for those that refer to nothing.
 *
 * @throws InvalidFieldError and UnexpectedEofError for bytes that are no reference
 */
export function decodeReferences(
  t: ReferenceDatatype,
  e: Elements,
  options: DecodeValuesOptions,
): (Reference | null)[] {
  if (options.numbered !== undefined) return numberedReferences(t, e, options.numbered);
  const { from } = options;
  const width = referenceWidth(t, options.offsetSize);
  const read = t.kind === "object" ? readObject : t.kind === "region" ? readRegion : readStandard;
  // An address that is no exact number is one that leads nowhere.
  const elements = t.kind === "object" ? { ...e, foldAddress: e.foldAddress ?? Number } : e;
  const values: (Reference | null)[] = [];
  for (let i = 0; i < e.count; i++) {
    const value = read(elements, e.start + i * e.stride, width, options);
    values.push(value === null || from === undefined ? value : { ...value, from });
  }
  return values;
}

/** H5R_OBJECT1: the address alone; 0, and all ones, refer to nothing. */
function readObject(e: Elements, at: number, width: number): ObjectReference | null {
  if (e.bytes.subarray(at, at + width).every((byte) => byte === 255)) return null;
  const address = readAddress(e, at, width);
  return address === 0 ? null : { kind: "object", address };
}

/** H5R_DATASET_REGION1: a heap ID, whose object is the dataset's address and a selection. */
function readRegion(e: Elements, at: number, width: number, options: DecodeValuesOptions): RegionReference | null {
  const id = readHeapId(e, at, width);
  if (id === undefined) return null;
  const reader = new ByteReader(heapBytes(id, options), "region reference");
  const address = reader.definedOffset(widthsOf(width, options));
  return { kind: "region", address, selection: new Uint8Array(reader.take(reader.remaining)) };
}

/**
 * A reference of HDF5 1.12 (H5Tref.c, `H5T__ref_disk_read`; H5Rint.c, `H5R__decode`).
 *
 *     offset  size
 *     0       1     2 object, 3 region, 4 attribute; 0 with a nil heap ID refers to nothing
 *     1       1     flags: bit 0 in another file
 *     2             an object in this file: see `readTarget`, else
 *     2       4     bytes of the heap object
 *     6       n+4   heap ID of the rest
 */
function readStandard(e: Elements, at: number, width: number, options: DecodeValuesOptions): Reference | null {
  const type = e.view.getUint8(at);
  const flags = e.view.getUint8(at + 1);
  const size = STANDARD_OTHERS + width;
  if (isInline(type, flags)) {
    return readTarget(new ByteReader(e.bytes.subarray(at, at + size), "reference", undefined, 2), type, flags, options);
  }
  const id = readHeapId(e, at + STANDARD_HEAD, width);
  if (id === undefined) {
    if (type === 0) return null;
    throw new InvalidFieldError(`type ${type} without a heap object`, { structure: "reference" });
  }
  const length = e.view.getUint32(at + 2, true);
  const blob = heapBytes(id, options, length).subarray(0, length);
  return readTarget(new ByteReader(blob, "reference"), type, flags, options);
}

/** Whether a 1.12 reference is stored in the element itself. */
export function isInline(type: number, flags: number): boolean {
  return type === 2 && !isExternal(flags);
}

/** Whether what a 1.12 reference refers to is in another file. */
export function isExternal(flags: number): boolean {
  return (flags & 1) !== 0;
}

/**
 * What a 1.12 reference refers to.
 *
 *     size
 *     1      bytes of the token
 *     n      token: the object's address
 *     2+n    in another file: bytes of its name, name
 *     4+4+n  region: bytes of the selection, rank, selection
 *     2+n    attribute: bytes of its name, name
 */
function readTarget(reader: ByteReader, type: number, flags: number, options: DecodeValuesOptions): Reference {
  const tokenSize = reader.u8();
  if (tokenSize === 0 || tokenSize > 8) {
    throw new UnsupportedFeatureError(`object token of ${tokenSize} bytes, expected 1 to 8`, {
      structure: "reference",
    });
  }
  // What stands for an address in this file says nothing of another's.
  const folding = isExternal(flags) ? {} : options;
  const address = reader.definedOffset(widthsOf(tokenSize, folding));
  const external = isExternal(flags) ? { file: readName(reader) } : {};
  if (type === 2) return { kind: "object", address, ...external };
  if (type === 4) return { kind: "attribute", address, name: readName(reader), ...external };
  if (type !== 3) reader.fail(`reference type ${type}, expected 2, 3 or 4`);
  const length = reader.u32();
  const rank = reader.u32();
  return { kind: "region", address, selection: new Uint8Array(reader.take(length)), rank, ...external };
}

/** That a reference leads nowhere is no fault of its element: libhdf5 finds it out when it is followed. */
function widthsOf(width: number, { foldAddress = Number }: DecodeValuesOptions): Widths {
  return { offsetSize: width, lengthSize: width, foldAddress };
}

function readName(reader: ByteReader): string {
  return decodeText(reader.take(reader.u16()));
}
