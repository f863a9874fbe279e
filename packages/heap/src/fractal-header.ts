import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  bytesFor,
  decodeVersion,
  type FileContext,
  needSized,
  type Plan,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { type DoublingTable, doublingTable } from "./doubling-table.ts";

const STRUCTURE = "fractal heap header";

/** The header of a fractal heap. */
export interface FractalHeapHeader {
  /** Bytes of a heap id. */
  readonly idLength: number;
  /** Bit 0: ids of huge objects have been used up once; bit 1: direct blocks have checksums. */
  readonly flags: number;
  /** Bytes of the largest object that is kept in the heap's blocks; larger ones are huge. */
  readonly maxManagedSize: number;
  readonly nextHugeId: number;
  /** Version 2 B-tree of the huge objects. */
  readonly hugeTreeAddress: number | undefined;
  /** Free bytes in the direct blocks. */
  readonly freeBytes: number;
  /** Free-space manager of the direct blocks. */
  readonly freeSpaceAddress: number | undefined;
  readonly statistics: FractalHeapStatistics;
  readonly table: DoublingTable;
  /** A hint: rows a new root indirect block would have. */
  readonly startRows: number;
  /** The root: a direct block where `rootRows` is 0, else an indirect block; undefined in an empty heap. */
  readonly rootAddress: number | undefined;
  readonly rootRows: number;
  /** Set where blocks and huge objects are filtered. */
  readonly filter: FractalHeapFilter | undefined;
}

/** What a filtered heap says besides. */
export interface FractalHeapFilter {
  /** Stored bytes of a root that is a direct block. */
  readonly rootSize: number;
  /** Filter mask of a root that is a direct block. */
  readonly rootFilterMask: number;
  /** The filter pipeline message, as it stands in object headers. */
  readonly pipeline: Uint8Array;
}

/** What the header counts. */
export interface FractalHeapStatistics {
  /** Bytes of the managed space. */
  readonly managedSize: number;
  /** Bytes of it that have blocks. */
  readonly allocatedSize: number;
  /** Where the next block will be. */
  readonly iteratorOffset: number;
  readonly managedObjects: number;
  readonly hugeSize: number;
  readonly hugeObjects: number;
  readonly tinySize: number;
  readonly tinyObjects: number;
}

/** Flag of {@link FractalHeapHeader}: direct blocks have checksums. */
export const CHECKSUM_BLOCKS = 2;

/** Bytes of a heap's header. */
export function sizeOfFractalHeapHeader(header: Pick<FractalHeapHeader, "filter">, widths: Widths): number {
  return sizeOfHeader(header.filter?.pipeline.length ?? 0, widths);
}

function sizeOfHeader(pipeline: number, { offsetSize, lengthSize }: Widths): number {
  return 26 + 12 * lengthSize + 3 * offsetSize + (pipeline > 0 ? lengthSize + 4 + pipeline : 0);
}

/*
 * Fractal heap header (spec III.G)
 *
 *   0  4  "FRHP"
 *   4  1  version, 0
 *   5  2  heap id length
 *   7  2  length of the filter pipeline message, 0 for none
 *   9  1  flags
 *  10  4  maximum size of managed objects
 *  14  L  next huge object id;  O  huge object B-tree address
 *      L  free bytes in direct blocks;  O  free-space manager address
 *      L  managed space;  L  allocated managed space;  L  iterator offset;  L  managed objects
 *      L  bytes of huge objects;  L  huge objects;  L  bytes of tiny objects;  L  tiny objects
 *      2  table width;  L  starting block size;  L  maximum direct block size;  2  maximum heap size, its logarithm
 *      2  starting rows of the root indirect block;  O  root block address;  2  rows of the root, 0 if it is direct
 *         filtered: L  stored size of a direct root;  4  its filter mask;  the filter pipeline message
 *      4  checksum
 */

/**
 * Decodes a heap's header.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeFractalHeapHeader(bytes: Uint8Array, widths: Widths, address?: number): FractalHeapHeader {
  const size = headerSize(bytes, widths, address);
  verifyChecksum(bytes, size - 4, STRUCTURE, address);
  const reader = new ByteReader(bytes, STRUCTURE, address, 5);
  const idLength = reader.u16();
  const pipelineLength = reader.u16();
  const flags = reader.u8();
  if (flags > 3) reader.fail(`unknown flags 0x${flags.toString(16)}`, 9);
  const maxManagedSize = reader.u32();
  const length = (name: string): number => reader.lengthField(widths, name);
  const nextHugeId = length("next huge object id");
  const hugeTreeAddress = reader.offsetField(widths, "huge object B-tree address");
  const freeBytes = length("free bytes");
  const freeSpaceAddress = reader.offsetField(widths, "free-space manager address");
  const statistics = readStatistics(length);
  const width = reader.u16();
  const startBlockSize = length("starting block size");
  const maxDirectSize = length("maximum direct block size");
  const maxHeapBits = reader.u16();
  const table = doublingTable({ width, startBlockSize, maxDirectSize, maxHeapBits }, address);
  const startRows = reader.u16();
  const rootAddress = reader.offsetField(widths, "root block address");
  const rootRows = reader.u16();
  if (rootRows > table.maxRows) reader.fail(`expected at most ${table.maxRows} rows, got ${rootRows}`);
  const filter = pipelineLength === 0 ? undefined : readFilter(reader, pipelineLength, widths);
  return {
    idLength,
    flags,
    maxManagedSize,
    nextHugeId,
    hugeTreeAddress,
    freeBytes,
    freeSpaceAddress,
    statistics,
    table,
    startRows,
    rootAddress,
    rootRows,
    filter,
  };
}

/** Checks signature and version, and gives the bytes of the header. */
function headerSize(bytes: Uint8Array, widths: Widths, address?: number): number {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  reader.signature("FRHP");
  decodeVersion(reader, 0);
  reader.skip(2);
  return sizeOfHeader(reader.u16(), widths);
}

function readStatistics(length: (name: string) => number): FractalHeapStatistics {
  return {
    managedSize: length("managed space"),
    allocatedSize: length("allocated managed space"),
    iteratorOffset: length("iterator offset"),
    managedObjects: length("number of managed objects"),
    hugeSize: length("bytes of huge objects"),
    hugeObjects: length("number of huge objects"),
    tinySize: length("bytes of tiny objects"),
    tinyObjects: length("number of tiny objects"),
  };
}

function readFilter(reader: ByteReader, pipelineLength: number, widths: Widths): FractalHeapFilter {
  const rootSize = reader.lengthField(widths, "stored size of the root");
  return { rootSize, rootFilterMask: reader.u32(), pipeline: reader.take(pipelineLength).slice() };
}

/** Encodes a heap's header. */
export function encodeFractalHeapHeader(header: FractalHeapHeader, widths: Widths): Uint8Array<ArrayBuffer> {
  const { table, statistics, filter } = header;
  const writer = new ByteWriter(sizeOfFractalHeapHeader(header, widths), STRUCTURE);
  writer.ascii("FRHP");
  writer.u8(0);
  writer.u16(header.idLength);
  writer.u16(filter?.pipeline.length ?? 0);
  writer.u8(header.flags);
  writer.u32(header.maxManagedSize);
  writer.lengthField(header.nextHugeId, widths);
  writer.offsetField(header.hugeTreeAddress, widths);
  writer.lengthField(header.freeBytes, widths);
  writer.offsetField(header.freeSpaceAddress, widths);
  writeStatistics(writer, statistics, widths);
  writer.u16(table.width);
  writer.lengthField(table.startBlockSize, widths);
  writer.lengthField(table.maxDirectSize, widths);
  writer.u16(table.maxHeapBits);
  writer.u16(header.startRows);
  writer.offsetField(header.rootAddress, widths);
  writer.u16(header.rootRows);
  if (filter !== undefined) {
    writer.lengthField(filter.rootSize, widths);
    writer.u32(filter.rootFilterMask);
    writer.put(filter.pipeline);
  }
  appendChecksum(writer);
  return writer.finish();
}

function writeStatistics(writer: ByteWriter, statistics: FractalHeapStatistics, widths: Widths): void {
  writer.lengthField(statistics.managedSize, widths);
  writer.lengthField(statistics.allocatedSize, widths);
  writer.lengthField(statistics.iteratorOffset, widths);
  writer.lengthField(statistics.managedObjects, widths);
  writer.lengthField(statistics.hugeSize, widths);
  writer.lengthField(statistics.hugeObjects, widths);
  writer.lengthField(statistics.tinySize, widths);
  writer.lengthField(statistics.tinyObjects, widths);
}

/** Reads a heap's header. */
export function* readFractalHeapHeader(context: FileContext, address: number): Plan<FractalHeapHeader> {
  const options = { guess: 512, min: sizeOfHeader(0, context), limits: context.limits };
  const bytes = yield* needSized(STRUCTURE, address, options, (head) => headerSize(head, context, address));
  return decodeFractalHeapHeader(bytes, context, address);
}

/** Bytes of an offset in the managed space, in blocks and in heap ids (H5HFhdr.c). */
export function heapOffsetWidth({ table }: FractalHeapHeader): number {
  return Math.ceil(table.maxHeapBits / 8);
}

/** Bytes of a managed object's length in a heap id: what the largest direct block or object needs, the less of both. */
export function heapLengthWidth({ table, maxManagedSize }: FractalHeapHeader): number {
  // The largest direct block is a power of two, which counts as one bit less: no object fills it.
  const block = bytesFor(table.maxDirectSize - 1);
  return Math.min(block, bytesFor(maxManagedSize));
}
