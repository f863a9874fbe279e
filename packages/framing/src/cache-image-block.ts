import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { appendChecksum, verifyChecksum } from "./lookup3.ts";
import { decodeVersion } from "./version-and-flags.ts";
import type { Widths } from "./widths.ts";

/** One piece of metadata as the library's cache held it when the file was closed. */
export interface CacheImageEntry {
  /** Where the bytes belong in the file, which may hold older ones there or none. */
  readonly address: number;
  readonly bytes: Uint8Array;
  /** Number libhdf5 gives the kind of metadata. */
  readonly type: number;
  /** 0x01 dirty, 0x02 in the LRU list, 0x04 flush dependency parent, 0x08 child. */
  readonly flags: number;
  readonly ring: number;
  readonly age: number;
  readonly dirtyChildren: number;
  readonly children: number;
  /** Place in the LRU list, as the 32 bits stored. */
  readonly lruRank: number;
  /** Addresses of the entries that must be flushed after this one. */
  readonly parents: readonly number[];
}

const STRUCTURE = "metadata cache image";

/** Bytes of an image with these entries. */
export function sizeOfCacheImageBlock(entries: readonly CacheImageEntry[], widths: Widths): number {
  const head = 10 + widths.lengthSize;
  return entries.reduce((sum, entry) => sum + sizeOfEntry(entry, widths), head) + 4;
}

function sizeOfEntry({ parents, bytes }: CacheImageEntry, { offsetSize, lengthSize }: Widths): number {
  return 14 + offsetSize + lengthSize + parents.length * offsetSize + bytes.length;
}

/**
 * The block a metadata cache image message leads to (`H5Cimage.c`; not in specification 3.0).
 *
 *     4  "MDCI"
 *     1  version (0)
 *     1  flags (0)
 *     L  bytes of the image
 *     4  entries, at least 1
 *        for each entry:
 *        1  kind of metadata
 *        1  flags
 *        1  ring
 *        1  age
 *        2  flush dependency children
 *        2  dirty ones among them
 *        2  flush dependency parents
 *        4  place in the LRU list
 *        O  address
 *        L  length
 *        O  address of each parent
 *        n  the metadata
 *     4  checksum
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeCacheImageBlock(block: Uint8Array, widths: Widths, address?: number): CacheImageEntry[] {
  const reader = new ByteReader(block, STRUCTURE, address);
  reader.signature("MDCI");
  verifyChecksum(block, block.length - 4, STRUCTURE, address);
  decodeVersion(reader, 0);
  const flags = reader.u8();
  if (flags !== 0) reader.fail(`expected no flags, got ${flags}`, 5);
  const length = reader.lengthField(widths);
  if (length !== block.length) reader.fail(`expected a length of ${block.length}, got ${length}`, 6);
  const count = reader.u32();
  const entries: CacheImageEntry[] = [];
  for (let i = 0; i < count; i++) entries.push(decodeEntry(reader, widths));
  return entries;
}

function decodeEntry(reader: ByteReader, widths: Widths): CacheImageEntry {
  const [type, flags, ring, age] = [reader.u8(), reader.u8(), reader.u8(), reader.u8()];
  const [children, dirtyChildren, parentCount] = [reader.u16(), reader.u16(), reader.u16()];
  const lruRank = reader.u32();
  const address = reader.definedOffset(widths, "entry address");
  const length = reader.lengthField(widths, "entry length");
  const parents: number[] = [];
  for (let i = 0; i < parentCount; i++) parents.push(reader.definedOffset(widths, "parent address"));
  return { address, bytes: reader.take(length), type, flags, ring, age, children, dirtyChildren, lruRank, parents };
}

/** The inverse of {@link decodeCacheImageBlock}. */
export function encodeCacheImageBlock(entries: readonly CacheImageEntry[], widths: Widths): Uint8Array<ArrayBuffer> {
  const size = sizeOfCacheImageBlock(entries, widths);
  const writer = new ByteWriter(size, STRUCTURE);
  writer.ascii("MDCI");
  writer.u8(0);
  writer.u8(0);
  writer.lengthField(size, widths);
  writer.u32(entries.length);
  for (const entry of entries) encodeEntry(writer, entry, widths);
  appendChecksum(writer);
  return writer.finish();
}

function encodeEntry(writer: ByteWriter, entry: CacheImageEntry, widths: Widths): void {
  for (const field of [entry.type, entry.flags, entry.ring, entry.age]) writer.u8(field);
  for (const field of [entry.children, entry.dirtyChildren, entry.parents.length]) writer.u16(field);
  writer.u32(entry.lruRank);
  writer.offsetField(entry.address, widths);
  writer.lengthField(entry.bytes.length, widths);
  for (const parent of entry.parents) writer.offsetField(parent, widths);
  writer.put(entry.bytes);
}
