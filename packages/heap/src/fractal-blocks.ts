import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  checksumText,
  InvalidFieldError,
  lookup3,
  UnexpectedEofError,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { CHECKSUM_BLOCKS, type FractalHeapHeader, heapOffsetWidth } from "./fractal-header.ts";

const DIRECT = "fractal heap direct block";
const INDIRECT = "fractal heap indirect block";

/** Bytes that hold the longest prefix of a direct block, a multiple of 12. */
const PREFIX_ROOM = 36;

/** A heap's header and its own address, which every block must name. */
export interface FractalHeapOwner {
  readonly address: number;
  readonly header: FractalHeapHeader;
}

/** A direct block: objects one behind the other. */
export interface FractalDirectBlock {
  /** Offset of the block in the heap's managed space. */
  readonly offset: number;
  /** What follows the block's prefix. Offsets in heap ids count the prefix too. */
  readonly data: Uint8Array;
}

/** An entry of an indirect block: a child block. */
export interface FractalBlockEntry {
  /** Undefined where there is no block. */
  readonly address: number | undefined;
  /** Filtered heaps, direct blocks: stored bytes. */
  readonly size?: number | undefined;
  /** Filtered heaps, direct blocks: filters left out. */
  readonly filterMask?: number | undefined;
}

/** An indirect block: a table of blocks, row by row. */
export interface FractalIndirectBlock {
  /** Offset of the block in the heap's managed space. */
  readonly offset: number;
  readonly entries: readonly FractalBlockEntry[];
}

/** Bytes of a direct block's prefix. */
export function sizeOfDirectPrefix({ header }: FractalHeapOwner, widths: Widths): number {
  return 5 + widths.offsetSize + heapOffsetWidth(header) + (header.flags & CHECKSUM_BLOCKS ? 4 : 0);
}

function readPrefix(
  reader: ByteReader,
  signature: string,
  owner: FractalHeapOwner,
  offset: number,
  widths: Widths,
): void {
  reader.signature(signature);
  const version = reader.u8();
  if (version !== 0) reader.fail(`expected version 0, got ${version}`, 4);
  const heap = reader.definedOffset(widths, "heap header address");
  if (heap !== owner.address) reader.fail(`expected the heap header address ${owner.address}, got ${heap}`, 5);
  const at = reader.offset;
  const got = reader.uint(heapOffsetWidth(owner.header), "block offset");
  if (got !== offset) reader.fail(`expected block offset ${offset}, got ${got}`, at);
}

function writePrefix(
  writer: ByteWriter,
  signature: string,
  owner: FractalHeapOwner,
  offset: number,
  widths: Widths,
): void {
  writer.ascii(signature);
  writer.u8(0);
  writer.offsetField(owner.address, widths);
  writer.uint(offset, heapOffsetWidth(owner.header));
}

/*
 * Fractal heap direct block (spec III.G)
 *
 *   0  4  "FHDB"
 *   4  1  version, 0
 *   5  O  heap header address
 *         block offset, as wide as the maximum heap size needs
 *      4  checksum of the whole block, this field taken as zero; only where the heap's flags say so
 *         objects
 */

/**
 * Decodes a direct block, unfiltered, of which `bytes` must be all.
 *
 * @param offset - where the block must lie in the managed space
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeFractalDirectBlock(
  bytes: Uint8Array,
  owner: FractalHeapOwner,
  offset: number,
  widths: Widths,
  address?: number,
): FractalDirectBlock {
  const reader = new ByteReader(bytes, DIRECT, address);
  readPrefix(reader, "FHDB", owner, offset, widths);
  if (owner.header.flags & CHECKSUM_BLOCKS) {
    const at = reader.offset;
    const stored = reader.u32();
    const computed = blockChecksum(bytes, at);
    if (stored !== computed)
      reader.fail(`expected checksum ${checksumText(computed)}, got ${checksumText(stored)}`, at);
  }
  return { offset, data: bytes.subarray(reader.offset) };
}

/** The checksum of a direct block, whose own field at `at` counts as zero. */
function blockChecksum(bytes: Uint8Array, at: number): number {
  // A copy of the whole block would cost more than its checksum.
  const head = bytes.slice(0, PREFIX_ROOM);
  head.fill(0, at, at + 4);
  return bytes.length > PREFIX_ROOM ? lookup3(bytes, 0, head) : lookup3(head);
}

/** Encodes a direct block, unfiltered. */
export function encodeFractalDirectBlock(
  block: FractalDirectBlock,
  owner: FractalHeapOwner,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfDirectPrefix(owner, widths) + block.data.length, DIRECT);
  writePrefix(writer, "FHDB", owner, block.offset, widths);
  const at = writer.offset;
  const checked = (owner.header.flags & CHECKSUM_BLOCKS) !== 0;
  if (checked) writer.skip(4);
  writer.put(block.data);
  if (checked) {
    const checksum = lookup3(writer.bytes);
    writer.offset = at;
    writer.u32(checksum);
    writer.offset = writer.bytes.length;
  }
  return writer.finish();
}

/** Bytes of an indirect block of `rows` rows. */
export function sizeOfFractalIndirectBlock({ header }: FractalHeapOwner, rows: number, widths: Widths): number {
  const { width, directRows } = header.table;
  const filtered = header.filter === undefined ? 0 : widths.lengthSize + 4;
  const entries = rows * width * widths.offsetSize + Math.min(rows, directRows) * width * filtered;
  return 5 + widths.offsetSize + heapOffsetWidth(header) + entries + 4;
}

/*
 * Fractal heap indirect block (spec III.G)
 *
 *   0  4  "FHIB"
 *   4  1  version, 0
 *   5  O  heap header address
 *         block offset, as wide as the maximum heap size needs
 *         for each direct block: O address; filtered: L stored size, 4 filter mask
 *         for each indirect block: O address
 *      4  checksum
 */

/**
 * Decodes an indirect block of `rows` rows.
 *
 * @param offset - where the block must lie in the managed space
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeFractalIndirectBlock(
  bytes: Uint8Array,
  owner: FractalHeapOwner,
  rows: number,
  offset: number,
  widths: Widths,
  address?: number,
): FractalIndirectBlock {
  const size = sizeOfFractalIndirectBlock(owner, rows, widths);
  if (bytes.length < size) throw new UnexpectedEofError(INDIRECT, address, size, bytes.length);
  const reader = new ByteReader(bytes, INDIRECT, address);
  readPrefix(reader, "FHIB", owner, offset, widths);
  verifyChecksum(bytes, size - 4, INDIRECT, address);
  const { width, directRows } = owner.header.table;
  const entries: FractalBlockEntry[] = [];
  for (let i = 0; i < rows * width; i++) {
    const child = reader.offsetField(widths, "child block address");
    const filtered = owner.header.filter !== undefined && i < directRows * width;
    entries.push(
      filtered
        ? { address: child, size: reader.lengthField(widths, "stored size"), filterMask: reader.u32() }
        : { address: child },
    );
  }
  return { offset, entries };
}

/** Encodes an indirect block. */
export function encodeFractalIndirectBlock(
  block: FractalIndirectBlock,
  owner: FractalHeapOwner,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const { width, directRows } = owner.header.table;
  const size = sizeOfFractalIndirectBlock(owner, block.entries.length / width, widths);
  const writer = new ByteWriter(size, INDIRECT);
  writePrefix(writer, "FHIB", owner, block.offset, widths);
  block.entries.forEach(({ address, size: stored, filterMask }, i) => {
    writer.offsetField(address, widths);
    if (owner.header.filter === undefined || i >= directRows * width) return;
    writer.lengthField(stored ?? 0, widths);
    writer.u32(filterMask ?? 0);
  });
  appendChecksum(writer);
  return writer.finish();
}

/**
 * The bytes of a managed object in a block.
 *
 * @param offset - where the object lies in the managed space
 * @throws InvalidFieldError where it is not wholly among the block's objects
 */
export function objectInBlock(
  block: FractalDirectBlock,
  prefix: number,
  offset: number,
  length: number,
  address?: number,
): Uint8Array {
  const start = offset - block.offset - prefix;
  if (start >= 0 && start + length <= block.data.length) return block.data.subarray(start, start + length);
  throw new InvalidFieldError(`an object of ${length} bytes at ${offset} is not in its block`, {
    structure: DIRECT,
    address,
  });
}
