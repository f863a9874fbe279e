import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { InvalidFieldError } from "./errors.ts";
import { appendChecksum, verifyChecksum } from "./lookup3.ts";
import { need, type Plan } from "./plan.ts";
import {
  decodeSymbolTableEntry,
  encodeSymbolTableEntry,
  type SymbolTableEntry,
  sizeOfSymbolTableEntry,
} from "./symbol-table-entry.ts";
import { decodeVersion } from "./version-and-flags.ts";
import { checkWidth, type Widths } from "./widths.ts";

/** Where a file's metadata begins, and the widths it is written with. */
export interface Superblock extends Widths {
  readonly version: 0 | 1 | 2 | 3;
  /**
   * The base address as stored. A file moved behind or out of a user block keeps its old one, so addresses count from
   * where the superblock was found (see {@link locateSuperblock}), as in `H5Fsuper.c`.
   */
  readonly baseAddress: number;
  /** First byte past the file as stored: it counts the stored base address in. See {@link endOfFile}. */
  readonly endOfFileAddress: number;
  /** Address of the root group's object header. */
  readonly rootAddress: number;
  /** Bits of {@link consistencyFlag}. */
  readonly consistencyFlags: number;
  /** Versions 2 and 3: address of the superblock extension, an object header. */
  readonly extensionAddress?: number | undefined;
  /** Versions 0 and 1: address of the driver information block. */
  readonly driverInfoAddress?: number | undefined;
  /** Versions 0 and 1: address of the global free-space index, which no release writes. */
  readonly freeSpaceAddress?: number | undefined;
  /** Versions 0 and 1: half the entries of a symbol table node. Later versions: in the extension's B-tree K message. */
  readonly groupLeafK?: number | undefined;
  /** Versions 0 and 1: half the children of a group's B-tree node. */
  readonly groupInternalK?: number | undefined;
  /** Version 1: half the children of a chunk B-tree node. */
  readonly chunkInternalK?: number | undefined;
  /** Versions 0 and 1: the root group's entry. */
  readonly rootEntry?: SymbolTableEntry | undefined;
}

/** Bits of {@link Superblock.consistencyFlags} (`H5Fpkg.h`): a file its writer closed has none set. */
export const consistencyFlag = {
  /** Open for writing. */
  write: 0x01,
  /** Version 2's mark of a verified file. */
  verified: 0x02,
  /** Open for single-writer multiple-reader writing. */
  swmrWrite: 0x04,
} as const;

const STRUCTURE = "superblock";
const SIGNATURE = "\x89HDF\r\n\x1a\n";
/** The largest superblock: version 1 with widths of 8. */
const LONGEST = 100;

/** Bytes of a superblock. */
export function sizeOfSuperblock(superblock: Pick<Superblock, "version"> & Widths): number {
  const { version, offsetSize } = superblock;
  if (version >= 2) return 16 + 4 * offsetSize;
  return (version === 0 ? 24 : 28) + 4 * offsetSize + sizeOfSymbolTableEntry(superblock);
}

/**
 * Decodes versions 0 to 3 (spec II.A, Disk Format: Level 0A).
 *
 *     versions 0, 1                             versions 2, 3
 *     8  signature                              8  signature
 *     1  version                                1  version
 *     1  free-space version (0)                 1  size of offsets
 *     1  root group version (0)                 1  size of lengths
 *     1  reserved                               1  consistency flags
 *     1  shared header version (0)              O  base address
 *     1  size of offsets                        O  extension address
 *     1  size of lengths                        O  end of file address
 *     1  reserved                               O  root group object header address
 *     2  group leaf node K                      4  checksum
 *     2  group internal node K
 *     4  consistency flags
 *     2  chunk internal node K  (version 1)
 *     2  reserved               (version 1)
 *     O  base address
 *     O  free-space address
 *     O  end of file address
 *     O  driver information block address
 *     E  root group symbol table entry
 *
 * @param bytes from the signature on; more than the superblock may follow
 * @param address where in the source the bytes are, for errors
 * @param foldAddress see {@link Widths.foldAddress}
 * @throws UnsupportedFeatureError for another version or width, InvalidFieldError, UnexpectedEofError
 */
export function decodeSuperblock(
  bytes: Uint8Array,
  address: number = 0,
  foldAddress?: Widths["foldAddress"],
): Superblock {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  reader.signature(SIGNATURE);
  const version = decodeVersion(reader, 0, 3) as Superblock["version"];
  return version < 2
    ? decodeVersion01(reader, version as 0 | 1, foldAddress)
    : decodeVersion23(reader, version as 2 | 3, foldAddress);
}

function decodeVersion01(reader: ByteReader, version: 0 | 1, foldAddress: Widths["foldAddress"]): Superblock {
  decodeVersion(reader, 0, 0, "free-space version");
  decodeVersion(reader, 0, 0, "root group version");
  reader.skip(1);
  decodeVersion(reader, 0, 0, "shared header message version");
  const widths = decodeWidths(reader);
  const folded = { ...widths, foldAddress };
  reader.skip(1);
  const groupLeafK = positiveK(reader, "group leaf node K");
  const groupInternalK = positiveK(reader, "group internal node K");
  const consistencyFlags = checkFlags(reader, 4);
  const chunkInternalK = version === 1 ? reader.u16() : undefined;
  if (version === 1) reader.skip(2);
  const baseAddress = reader.definedOffset(folded, "base address");
  const freeSpaceAddress = reader.offsetField(folded, "free-space address");
  const endOfFileAddress = reader.definedOffset(folded, "end of file address");
  const driverInfoAddress = reader.offsetField(folded, "driver information block address");
  const entryAt = reader.here;
  const rootEntry = decodeSymbolTableEntry(reader.take(sizeOfSymbolTableEntry(widths)), folded, entryAt);
  const rootAddress = rootEntry.headerAddress ?? reader.fail("root group's object header address is undefined");
  return {
    version,
    ...widths,
    baseAddress,
    endOfFileAddress,
    rootAddress,
    consistencyFlags,
    driverInfoAddress,
    freeSpaceAddress,
    groupLeafK,
    groupInternalK,
    chunkInternalK,
    rootEntry,
  };
}

function decodeVersion23(reader: ByteReader, version: 2 | 3, foldAddress: Widths["foldAddress"]): Superblock {
  const widths = decodeWidths(reader);
  const folded = { ...widths, foldAddress };
  // Before any field is believed, and after the widths that say where the checksum is.
  verifyChecksum(reader.bytes, sizeOfSuperblock({ version, ...widths }) - 4, STRUCTURE, reader.address);
  const consistencyFlags = checkFlags(reader, 1);
  const baseAddress = reader.definedOffset(folded, "base address");
  const extensionAddress = reader.offsetField(folded, "extension address");
  const endOfFileAddress = reader.definedOffset(folded, "end of file address");
  const rootAddress = reader.definedOffset(folded, "root group's object header address");
  return { version, ...widths, baseAddress, endOfFileAddress, rootAddress, consistencyFlags, extensionAddress };
}

function decodeWidths(reader: ByteReader): Widths {
  const at = reader.here;
  const offsetSize = checkWidth("size of offsets", reader.u8(), STRUCTURE, at);
  return { offsetSize, lengthSize: checkWidth("size of lengths", reader.u8(), STRUCTURE, at) };
}

function positiveK(reader: ByteReader, name: string): number {
  const at = reader.offset;
  const k = reader.u16();
  return k === 0 ? reader.fail(`${name} is zero`, at) : k;
}

function checkFlags(reader: ByteReader, width: number): number {
  const at = reader.offset;
  const flags = reader.uint(width, "consistency flags");
  return flags > 7 ? reader.fail(`unknown consistency flags 0x${flags.toString(16)}`, at) : flags;
}

/** The inverse of {@link decodeSuperblock}; versions 2 and 3 get their checksum. */
export function encodeSuperblock(superblock: Superblock): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSuperblock(superblock), STRUCTURE);
  for (let i = 0; i < SIGNATURE.length; i++) writer.u8(SIGNATURE.charCodeAt(i));
  writer.u8(superblock.version);
  if (superblock.version < 2) encodeVersion01(writer, superblock);
  else encodeVersion23(writer, superblock);
  return writer.finish();
}

function encodeVersion01(writer: ByteWriter, superblock: Superblock): void {
  writer.skip(4);
  writer.u8(superblock.offsetSize);
  writer.u8(superblock.lengthSize);
  writer.skip(1);
  writer.u16(superblock.groupLeafK ?? 4);
  writer.u16(superblock.groupInternalK ?? 16);
  writer.u32(superblock.consistencyFlags);
  if (superblock.version === 1) {
    writer.u16(superblock.chunkInternalK ?? 32);
    writer.skip(2);
  }
  writer.offsetField(superblock.baseAddress, superblock);
  writer.offsetField(superblock.freeSpaceAddress, superblock);
  writer.offsetField(superblock.endOfFileAddress, superblock);
  writer.offsetField(superblock.driverInfoAddress, superblock);
  const root = superblock.rootEntry ?? { nameOffset: 0, headerAddress: superblock.rootAddress, cacheType: 0 };
  writer.put(encodeSymbolTableEntry(root, superblock));
}

function encodeVersion23(writer: ByteWriter, superblock: Superblock): void {
  writer.u8(superblock.offsetSize);
  writer.u8(superblock.lengthSize);
  writer.u8(superblock.consistencyFlags);
  writer.offsetField(superblock.baseAddress, superblock);
  writer.offsetField(superblock.extensionAddress, superblock);
  writer.offsetField(superblock.endOfFileAddress, superblock);
  writer.offsetField(superblock.rootAddress, superblock);
  appendChecksum(writer);
}

/**
 * Finds the superblock at 0, 512, 1024, 2048 … (spec II.A; `H5FD_locate_signature`), over a source not yet shifted. All
 * addresses in the file are relative to the `address` it gives, whatever base address is stored.
 *
 * @throws InvalidFieldError when the bytes end without one, and what {@link decodeSuperblock} throws
 */
export function* locateSuperblock(
  foldAddress?: Widths["foldAddress"],
): Plan<{ superblock: Superblock; address: number }> {
  for (let address = 0; Number.isSafeInteger(address + LONGEST); address = address === 0 ? 512 : address * 2) {
    const bytes = yield* need(STRUCTURE, address, LONGEST, 0);
    if (bytes.length === 0) break;
    if (hasSignature(bytes)) return { superblock: decodeSuperblock(bytes, address, foldAddress), address };
  }
  throw new InvalidFieldError("not an HDF5 file: no signature at 0, 512, 1024, 2048 …", { structure: STRUCTURE });
}

function hasSignature(bytes: Uint8Array): boolean {
  for (let i = 0; i < SIGNATURE.length; i++) if (bytes[i] !== SIGNATURE.charCodeAt(i)) return false;
  return true;
}

/**
 * Where a file should end, as an address (relative to where its superblock was found). Fewer bytes are a file cut short
 * or still being written; more are legal.
 */
export function endOfFile(superblock: Superblock): number {
  return superblock.endOfFileAddress - superblock.baseAddress;
}
