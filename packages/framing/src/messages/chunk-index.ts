import type { ByteReader } from "../byte-reader.ts";
import type { ByteWriter } from "../byte-writer.ts";
import type { Widths } from "../widths.ts";

/** How the chunks of a dataset are found, with the parameters the data layout message holds. */
export type ChunkIndex = {
  /** Where the index is, of kinds "single" and "implicit" the chunks themselves; undefined before allocation. */
  readonly address?: number | undefined;
} & (
  | { readonly kind: "btree1" }
  | {
      readonly kind: "single";
      /** Stored bytes and filter mask of the chunk, where it is filtered. */
      readonly size?: number | undefined;
      readonly filterMask?: number | undefined;
    }
  | { readonly kind: "implicit" }
  | { readonly kind: "farray" /** Log2 of the elements in a page. */; readonly pageBits: number }
  | ({ readonly kind: "earray" } & ExtensibleArrayParameters)
  | {
      readonly kind: "btree2";
      /** Bytes of a node. */
      readonly nodeSize: number;
      readonly splitPercent: number;
      readonly mergePercent: number;
    }
);

/** Creation parameters of an extensible array. */
export interface ExtensibleArrayParameters {
  /** Bits of the largest element number. */
  readonly maxBits: number;
  /** Elements in the index block. */
  readonly indexElements: number;
  /** Fewest data block addresses in a super block. */
  readonly minPointers: number;
  /** Fewest elements in a data block. */
  readonly minElements: number;
  /** Log2 of the elements in a page. */
  readonly pageBits: number;
}

/** Layout flag `filteredSingle`: the single chunk is filtered, and the message holds its size and mask. */
const FILTERED_SINGLE = 0x02;

const kindNumbers = { btree1: 0, single: 1, implicit: 2, farray: 3, earray: 4, btree2: 5 } as const;

/** Bytes of {@link encodeChunkIndex}. */
export function sizeOfChunkIndex(index: ChunkIndex, flags: number, widths: Widths): number {
  const parameters = {
    btree1: 0,
    single: flags & FILTERED_SINGLE ? widths.lengthSize + 4 : 0,
    implicit: 0,
    farray: 1,
    earray: 5,
    btree2: 6,
  };
  return 1 + parameters[index.kind] + widths.offsetSize;
}

/**
 * The index part of a chunked layout, versions 4 and 5 (spec IV.A.2.i; widths of the parameters from `H5Olayout.c`).
 *
 *     1  kind
 *     1 single, filtered:  L  stored size, 4  filter mask
 *     2 implicit:          nothing
 *     3 fixed array:       1  page bits
 *     4 extensible array:  1  maximum bits, 1  index elements, 1  minimum pointers, 1  minimum elements, 1  page bits
 *     5 version 2 B-tree:  4  node size, 1  split percent, 1  merge percent
 *     O  address
 */
export function decodeChunkIndex(reader: ByteReader, flags: number, widths: Widths): ChunkIndex {
  const parameters = decodeParameters(reader, flags, widths);
  return { ...parameters, address: reader.offsetField(widths, "chunk index address") };
}

function decodeParameters(reader: ByteReader, flags: number, widths: Widths): ChunkIndex {
  const kind = reader.u8();
  switch (kind) {
    case kindNumbers.single:
      if (!(flags & FILTERED_SINGLE)) return { kind: "single" };
      return { kind: "single", size: reader.lengthField(widths, "chunk size"), filterMask: reader.u32() };
    case kindNumbers.implicit:
      return { kind: "implicit" };
    case kindNumbers.farray:
      return { kind: "farray", pageBits: positive(reader, "page bits") };
    case kindNumbers.earray:
      return {
        kind: "earray",
        maxBits: positive(reader, "maximum bits"),
        indexElements: positive(reader, "index elements"),
        minPointers: positive(reader, "minimum pointers"),
        minElements: positive(reader, "minimum elements"),
        pageBits: positive(reader, "page bits"),
      };
    case kindNumbers.btree2:
      return {
        kind: "btree2",
        nodeSize: reader.u32(),
        splitPercent: percent(reader, "split percent"),
        mergePercent: percent(reader, "merge percent"),
      };
    default:
      return reader.fail(`expected chunk index kind 1 to 5, got ${kind}`, reader.offset - 1);
  }
}

function positive(reader: ByteReader, name: string): number {
  return reader.u8() || reader.fail(`${name} is zero`, reader.offset - 1);
}

function percent(reader: ByteReader, name: string): number {
  const value = positive(reader, name);
  return value > 100 ? reader.fail(`${name} ${value}, expected 1 to 100`, reader.offset - 1) : value;
}

/** The inverse of {@link decodeChunkIndex}. */
export function encodeChunkIndex(writer: ByteWriter, index: ChunkIndex, flags: number, widths: Widths): void {
  writer.u8(kindNumbers[index.kind]);
  switch (index.kind) {
    case "single":
      if (flags & FILTERED_SINGLE) {
        writer.uint(index.size ?? 0, widths.lengthSize);
        writer.u32(index.filterMask ?? 0);
      }
      break;
    case "farray":
      writer.u8(index.pageBits);
      break;
    case "earray":
      writer.u8(index.maxBits);
      writer.u8(index.indexElements);
      writer.u8(index.minPointers);
      writer.u8(index.minElements);
      writer.u8(index.pageBits);
      break;
    case "btree2":
      writer.u32(index.nodeSize);
      writer.u8(index.splitPercent);
      writer.u8(index.mergePercent);
  }
  writer.offsetField(index.address, widths);
}
