import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";
import {
  type ChunkedLayout,
  decodeChunkedVersion3,
  decodeChunkedVersion12,
  decodeChunkedVersion45,
  encodeChunkedVersion3,
  encodeChunkedVersion12,
  encodeChunkedVersion45,
  sizeOfChunked,
} from "./chunked-layout.ts";

/** Data in the message itself. */
export interface CompactLayout {
  readonly class: "compact";
  readonly version: 1 | 2 | 3 | 4 | 5;
  readonly data: Uint8Array;
  /** Versions 1 and 2: dimensions as stored. The dataspace rules. */
  readonly dims?: readonly number[] | undefined;
}

/** Data in one piece. */
export interface ContiguousLayout {
  readonly class: "contiguous";
  readonly version: 1 | 2 | 3 | 4 | 5;
  /** Where the data is; undefined before allocation, and where it is in external files. */
  readonly address?: number | undefined;
  /**
   * Bytes of the data, from version 3 on; versions 1 and 2 leave it to dataspace and datatype. A `bigint` where it is
   * above 2^53−1, as it may be where no data is stored.
   */
  readonly size?: number | bigint | undefined;
  /** Versions 1 and 2: dimensions as stored, which may be truncated to 32 bits. The dataspace rules. */
  readonly dims?: readonly number[] | undefined;
}

/** Data that is a view of other datasets; the mappings are an object of the global heap. */
export interface VirtualLayout {
  readonly class: "virtual";
  readonly version: 4 | 5;
  /** Address of the global heap collection; undefined where there are no mappings. */
  readonly heapAddress?: number | undefined;
  /** Index of the object in the collection. */
  readonly heapIndex: number;
}

/** How a dataset's elements are stored. */
export type Layout = CompactLayout | ContiguousLayout | ChunkedLayout | VirtualLayout;

const STRUCTURE = "data layout message";
const classNumbers = { compact: 0, contiguous: 1, chunked: 2, virtual: 3 } as const;

/** Bytes of the message. */
export function sizeOfLayout(layout: Layout, widths: Widths): number {
  return layout.version <= 2 ? sizeOfVersion12(layout, widths) : 2 + sizeOfProperties(layout, widths);
}

function sizeOfVersion12(layout: Layout, widths: Widths): number {
  const dims = 4 * storedDims(layout).length;
  switch (layout.class) {
    case "compact":
      return 8 + dims + 4 + layout.data.length;
    case "chunked":
      return 8 + sizeOfChunked(layout, widths);
    default:
      return 8 + widths.offsetSize + dims;
  }
}

function sizeOfProperties(layout: Layout, widths: Widths): number {
  switch (layout.class) {
    case "compact":
      return 2 + layout.data.length;
    case "contiguous":
      return widths.offsetSize + widths.lengthSize;
    case "chunked":
      return sizeOfChunked(layout, widths);
    case "virtual":
      return widths.offsetSize + 4;
  }
}

function storedDims(layout: Layout): readonly number[] {
  return ("dims" in layout && layout.dims) || [];
}

/**
 * Message 0x08 (spec IV.A.2.i; version 5 in the specification 4.0), versions 1 to 5.
 *
 *     versions 1, 2                                        versions 3, 4, 5
 *     1  version                                           1  version
 *     1  number of dimensions                              1  class: 0 compact, 1 contiguous, 2 chunked,
 *     1  class: 0 compact, 1 contiguous, 2 chunked            3 virtual (from 4 on)
 *     5  reserved                                          compact:     2  size, n  data
 *     O  address, of the data or the chunk B-tree          contiguous:  O  address, L  size
 *        (not if compact)                                  chunked, 3:  1  number of dimensions,
 *     4  each dimension; if chunked, the element size                   O  B-tree address,
 *        is the last                                                    4  each dimension, the element size last
 *     4  size of the data (compact)                        chunked, 4 and 5: see `decodeChunkedVersion45`
 *     n  data (compact)                                    virtual:     O  heap address, 4  heap index
 *
 * @throws UnsupportedFeatureError for another version; InvalidFieldError for a class, index kind, flag, dimension or
 *   parameter out of range; UnexpectedEofError
 */
export function decodeLayout(body: Uint8Array, widths: Widths, address?: number): Layout {
  const reader = new ByteReader(body, STRUCTURE, address);
  const version = decodeVersion(reader, 1, 5) as Layout["version"];
  return version <= 2
    ? decodeVersion12(reader, version as 1 | 2, widths)
    : decodeVersion345(reader, version as 3 | 4 | 5, widths);
}

function decodeVersion12(reader: ByteReader, version: 1 | 2, widths: Widths): Layout {
  const count = reader.u8();
  const layoutClass = reader.u8();
  reader.skip(5);
  if (count < 1 || count > 33) reader.fail(`${count} dimensions, expected 1 to 33`, 1);
  switch (layoutClass) {
    case classNumbers.compact: {
      const dims = decodeDims(reader, count);
      return { class: "compact", version, data: reader.take(reader.u32()), dims };
    }
    case classNumbers.contiguous: {
      const address = reader.offsetField(widths, "data address");
      return { class: "contiguous", version, address, dims: decodeDims(reader, count) };
    }
    case classNumbers.chunked:
      return decodeChunkedVersion12(reader, version, count, widths);
    default:
      return reader.fail(`expected layout class 0 to 2, got ${layoutClass}`, 2);
  }
}

function decodeDims(reader: ByteReader, count: number): number[] {
  const dims: number[] = [];
  for (let i = 0; i < count; i++) dims.push(reader.u32());
  return dims;
}

function decodeVersion345(reader: ByteReader, version: 3 | 4 | 5, widths: Widths): Layout {
  const layoutClass = reader.u8();
  switch (layoutClass) {
    case classNumbers.compact:
      return { class: "compact", version, data: reader.take(reader.u16()) };
    case classNumbers.contiguous: {
      const address = reader.offsetField(widths, "data address");
      return { class: "contiguous", version, address, size: decodeSize(reader, address, widths) };
    }
    case classNumbers.chunked:
      return version === 3 ? decodeChunkedVersion3(reader, widths) : decodeChunkedVersion45(reader, version, widths);
    case classNumbers.virtual: {
      if (version === 3) return reader.fail("expected layout class 0 to 2, got 3", 1);
      const heapAddress = reader.offsetField(widths, "global heap address");
      return { class: "virtual", version, heapAddress, heapIndex: reader.u32() };
    }
    default:
      return reader.fail(`expected layout class 0 to 3, got ${layoutClass}`, 1);
  }
}

/** What is not stored may be of any size, as fits no file. */
function decodeSize(reader: ByteReader, address: number | undefined, widths: Widths): number | bigint | undefined {
  if (address !== undefined || widths.lengthSize < 8) return reader.lengthOrUndefined(widths, "data size");
  const size = reader.bigU64();
  if (size === 0xffffffffffffffffn) return undefined;
  return size > BigInt(Number.MAX_SAFE_INTEGER) ? size : Number(size);
}

/** The inverse of {@link decodeLayout}. */
export function encodeLayout(layout: Layout, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfLayout(layout, widths), STRUCTURE);
  writer.u8(layout.version);
  if (layout.version <= 2) encodeVersion12(writer, layout, widths);
  else encodeVersion345(writer, layout, widths);
  return writer.finish();
}

function encodeVersion12(writer: ByteWriter, layout: Layout, widths: Widths): void {
  const dims = storedDims(layout);
  writer.u8(layout.class === "chunked" ? layout.chunkShape.length + 1 : dims.length);
  writer.u8(classNumbers[layout.class]);
  writer.skip(5);
  if (layout.class === "contiguous") writer.offsetField(layout.address, widths);
  if (layout.class === "chunked") encodeChunkedVersion12(writer, layout, widths);
  for (const dimension of dims) writer.u32(dimension);
  if (layout.class === "compact") {
    writer.u32(layout.data.length);
    writer.put(layout.data);
  }
}

function encodeVersion345(writer: ByteWriter, layout: Layout, widths: Widths): void {
  writer.u8(classNumbers[layout.class]);
  switch (layout.class) {
    case "compact":
      writer.u16(layout.data.length);
      writer.put(layout.data);
      break;
    case "contiguous":
      writer.offsetField(layout.address, widths);
      if (typeof layout.size === "bigint") writer.bigU64(layout.size);
      else writer.lengthField(layout.size, widths);
      break;
    case "chunked":
      if (layout.version === 3) encodeChunkedVersion3(writer, layout, widths);
      else encodeChunkedVersion45(writer, layout, widths);
      break;
    case "virtual":
      writer.offsetField(layout.heapAddress, widths);
      writer.u32(layout.heapIndex);
  }
}
