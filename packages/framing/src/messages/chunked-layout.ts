import type { ByteReader } from "../byte-reader.ts";
import type { ByteWriter } from "../byte-writer.ts";
import { decodeFlags } from "../version-and-flags.ts";
import { bytesFor, type Widths } from "../widths.ts";
import { type ChunkIndex, decodeChunkIndex, encodeChunkIndex, sizeOfChunkIndex } from "./chunk-index.ts";

/** Data in chunks of equal shape, found through an index. */
export interface ChunkedLayout {
  readonly class: "chunked";
  readonly version: 1 | 2 | 3 | 4 | 5;
  /** Elements of a chunk in each dimension, the dataset's rank of them. */
  readonly chunkShape: readonly number[];
  /** Bytes of an element, which the message stores as one more dimension. */
  readonly elementSize: number;
  /** Bits of {@link layoutFlag}, versions 4 and 5. */
  readonly flags?: number | undefined;
  /** Bytes of a stored dimension, versions 4 and 5; undefined is what libhdf5 takes. */
  readonly dimensionWidth?: number | undefined;
  /** Versions 1 to 3 know only "btree1", versions 4 and 5 all others. */
  readonly index: ChunkIndex;
}

/** Bits of {@link ChunkedLayout.flags} (`H5Oprivate.h`). */
export const layoutFlag = {
  /** Chunks that stick out of the dataset are not filtered; their filter mask does not say so. */
  unfilteredEdges: 0x01,
  /** The single chunk is filtered: its size and mask are in the message. */
  filteredSingle: 0x02,
} as const;

/** A dataset has at most 32 dimensions, and the element size is stored as one more. */
const MAX_DIMENSIONS = 33;

/** Bytes of what the functions below decode and encode. */
export function sizeOfChunked(layout: ChunkedLayout, widths: Widths): number {
  const dimensions = layout.chunkShape.length + 1;
  if (layout.version <= 3) return (layout.version === 3 ? 1 : 0) + widths.offsetSize + 4 * dimensions;
  return 3 + dimensions * dimensionWidth(layout) + sizeOfChunkIndex(layout.index, layout.flags ?? 0, widths);
}

/** The width libhdf5 takes for all dimensions, element size included: what the largest needs (`H5Dchunk.c`). */
function dimensionWidth(layout: ChunkedLayout): number {
  return layout.dimensionWidth ?? bytesFor(Math.max(layout.elementSize, ...layout.chunkShape));
}

/** Versions 1 and 2 from the B-tree address on: it, then `dimensions` 4-byte numbers, the element size last. */
export function decodeChunkedVersion12(
  reader: ByteReader,
  version: 1 | 2 | 3,
  dimensions: number,
  widths: Widths,
): ChunkedLayout {
  const address = reader.offsetField(widths, "B-tree address");
  return { class: "chunked", version, ...decodeDimensions(reader, dimensions, 4), index: { kind: "btree1", address } };
}

/** Version 3 after version and class: the number of dimensions, then as {@link decodeChunkedVersion12}. */
export function decodeChunkedVersion3(reader: ByteReader, widths: Widths): ChunkedLayout {
  return decodeChunkedVersion12(reader, 3, reader.u8(), widths);
}

/**
 * Versions 4 and 5 after version and class.
 *
 *     1  flags
 *     1  number of dimensions, the element size counted in
 *     1  width of a dimension
 *     n  dimensions, the element size last
 *        index, see {@link decodeChunkIndex}
 */
export function decodeChunkedVersion45(reader: ByteReader, version: 4 | 5, widths: Widths): ChunkedLayout {
  const flags = decodeFlags(reader, layoutFlag.unfilteredEdges | layoutFlag.filteredSingle);
  const dimensions = reader.u8();
  const width = reader.u8();
  if (width < 1 || width > 8) reader.fail(`dimension width ${width}, expected 1 to 8`, reader.offset - 1);
  const shape = decodeDimensions(reader, dimensions, width);
  const index = decodeChunkIndex(reader, flags, widths);
  return { class: "chunked", version, ...shape, flags, dimensionWidth: width, index };
}

function decodeDimensions(
  reader: ByteReader,
  count: number,
  width: number,
): Pick<ChunkedLayout, "chunkShape" | "elementSize"> {
  if (count < 2 || count > MAX_DIMENSIONS) reader.fail(`${count} dimensions, expected 2 to ${MAX_DIMENSIONS}`);
  const chunkShape: number[] = [];
  for (let i = 0; i < count - 1; i++) chunkShape.push(decodeDimension(reader, width));
  const elementSize = decodeDimension(reader, width);
  const bytes = chunkShape.reduce((product, length) => product * length, elementSize);
  if (bytes > Number.MAX_SAFE_INTEGER)
    reader.fail(`a chunk of ${chunkShape.join("x")} elements of ${elementSize} bytes`);
  return { chunkShape, elementSize };
}

function decodeDimension(reader: ByteReader, width: number): number {
  const at = reader.offset;
  return reader.uint(width, "chunk dimension") || reader.fail("chunk dimension is zero", at);
}

/** The inverse of {@link decodeChunkedVersion12}. */
export function encodeChunkedVersion12(writer: ByteWriter, layout: ChunkedLayout, widths: Widths): void {
  writer.offsetField(layout.index.address, widths);
  encodeDimensions(writer, layout, 4);
}

/** The inverse of {@link decodeChunkedVersion3}. */
export function encodeChunkedVersion3(writer: ByteWriter, layout: ChunkedLayout, widths: Widths): void {
  writer.u8(layout.chunkShape.length + 1);
  encodeChunkedVersion12(writer, layout, widths);
}

/** The inverse of {@link decodeChunkedVersion45}. */
export function encodeChunkedVersion45(writer: ByteWriter, layout: ChunkedLayout, widths: Widths): void {
  writer.u8(layout.flags ?? 0);
  writer.u8(layout.chunkShape.length + 1);
  writer.u8(dimensionWidth(layout));
  encodeDimensions(writer, layout, dimensionWidth(layout));
  encodeChunkIndex(writer, layout.index, layout.flags ?? 0, widths);
}

function encodeDimensions(writer: ByteWriter, layout: ChunkedLayout, width: number): void {
  for (const dimension of layout.chunkShape) writer.uint(dimension, width);
  writer.uint(layout.elementSize, width);
}
