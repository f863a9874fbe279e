import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { Widths } from "./widths.ts";

/** One name of an old-style group: the root group's in superblocks 0 and 1, the others in symbol table nodes. */
export interface SymbolTableEntry {
  /** Offset of the link's name in the group's local heap. */
  readonly nameOffset: number;
  /** Address of the object's header; undefined for a soft link. */
  readonly headerAddress?: number | undefined;
  /** What the scratch pad caches: 0 nothing, 1 a group's B-tree and heap, 2 a soft link's target. */
  readonly cacheType: 0 | 1 | 2;
  /** Cache type 1: address of the group's B-tree. */
  readonly btreeAddress?: number | undefined;
  /** Cache type 1: address of the group's local heap. */
  readonly heapAddress?: number | undefined;
  /** Cache type 2: offset of the soft link's target in the group's local heap. */
  readonly linkOffset?: number | undefined;
}

const STRUCTURE = "symbol table entry";
const SCRATCH = 16;

/** Bytes of one entry. */
export function sizeOfSymbolTableEntry(widths: Widths): number {
  return widths.lengthSize + widths.offsetSize + 8 + SCRATCH;
}

/**
 * Spec III.C, Symbol Table Entry. The name's offset has the width of a length, as `H5Gent.c` has it.
 *
 *     L   link name offset
 *     O   object header address
 *     4   cache type
 *     4   reserved
 *     16  scratch pad: nothing | B-tree address O, name heap address O | u32 offset of the soft link's target
 *
 * @throws InvalidFieldError for a cache type other than 0, 1 and 2
 */
export function decodeSymbolTableEntry(bytes: Uint8Array, widths: Widths, address?: number): SymbolTableEntry {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const nameOffset = reader.lengthField(widths, "name offset");
  const headerAddress = reader.offsetField(widths, "object header address");
  const cacheType = reader.u32();
  reader.skip(4);
  // The whole scratch pad must be there, whatever is used of it.
  const at = reader.skip(SCRATCH);
  reader.offset = at;
  switch (cacheType) {
    case 0:
      return { nameOffset, headerAddress, cacheType };
    case 1:
      return {
        nameOffset,
        headerAddress,
        cacheType,
        btreeAddress: reader.offsetField(widths, "B-tree address"),
        heapAddress: reader.offsetField(widths, "heap address"),
      };
    case 2:
      return { nameOffset, headerAddress, cacheType, linkOffset: reader.u32() };
    default:
      return reader.fail(`expected cache type 0, 1 or 2, got ${cacheType}`, at - 8);
  }
}

/** The inverse of {@link decodeSymbolTableEntry}; reserved and unused bytes are zero. */
export function encodeSymbolTableEntry(entry: SymbolTableEntry, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSymbolTableEntry(widths), STRUCTURE);
  writer.uint(entry.nameOffset, widths.lengthSize);
  writer.offsetField(entry.headerAddress, widths);
  writer.u32(entry.cacheType);
  writer.skip(4);
  if (entry.cacheType === 1) {
    writer.offsetField(entry.btreeAddress, widths);
    writer.offsetField(entry.heapAddress, widths);
  } else if (entry.cacheType === 2) {
    writer.u32(entry.linkOffset ?? 0);
  }
  writer.skip(writer.bytes.length - writer.offset);
  return writer.finish();
}
