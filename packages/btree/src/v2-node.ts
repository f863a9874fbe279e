import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  decodeVersion,
  UnexpectedEofError,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import type { V2Level, V2NodePointer } from "./v2-header.ts";
import type { V2RecordCodec, V2RecordDecoder } from "./v2-records.ts";

const LEAF = "version 2 B-tree leaf";
const INTERNAL = "version 2 B-tree internal node";

/** A node: `children[i]` holds what comes before `records[i]`; a leaf has no children. */
export interface V2Node<R> {
  readonly records: readonly R[];
  readonly children: readonly V2NodePointer[];
}

/** Bytes in use of a node of `count` records on `depth` (0 for a leaf), with its checksum. */
export function sizeOfV2Node(
  count: number,
  depth: number,
  level: V2Level,
  codec: { readonly size: number },
  widths: Widths,
): number {
  return 10 + count * codec.size + (depth > 0 ? (count + 1) * sizeOfPointer(level, widths) : 0);
}

function sizeOfPointer(level: V2Level, widths: Widths): number {
  return widths.offsetSize + level.countWidth + level.totalWidth;
}

/*
 * Version 2 B-tree leaf and internal node (spec III.A.2)
 *
 *   0  4  "BTLF" or "BTIN"
 *   4  1  version, 0
 *   5  1  type of the records
 *   6     the records
 *         internal: one more child than records: O address, record count, and above depth 1 the total below
 *      4  checksum; then unused to the end of the node
 */

/**
 * Decodes a node, whose number of records stands in the pointer to it.
 *
 * @param depth - 0 for a leaf
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeV2Node<R>(
  bytes: Uint8Array,
  count: number,
  depth: number,
  level: V2Level,
  codec: V2RecordDecoder<R>,
  widths: Widths,
  address?: number,
): V2Node<R> {
  const structure = depth > 0 ? INTERNAL : LEAF;
  const size = sizeOfV2Node(count, depth, level, codec, widths);
  if (bytes.length < size) throw new UnexpectedEofError(structure, address, size, bytes.length);
  const reader = new ByteReader(bytes, structure, address);
  reader.signature(depth > 0 ? "BTIN" : "BTLF");
  verifyChecksum(bytes, size - 4, structure, address);
  decodeVersion(reader, 0);
  const type = reader.u8();
  if (type !== codec.type) reader.fail(`expected records of type ${codec.type}, got ${type}`, 5);
  const records: R[] = [];
  const children: V2NodePointer[] = [];
  for (let i = 0; i < count; i++) records.push(codec.decode(reader));
  for (let i = 0; depth > 0 && i <= count; i++) children.push(readPointer(reader, depth, level, widths));
  return { records, children };
}

function readPointer(reader: ByteReader, depth: number, level: V2Level, widths: Widths): V2NodePointer {
  const address = reader.definedOffset(widths, "child address");
  const records = reader.uint(level.countWidth, "number of records");
  return { address, records, total: depth > 1 ? reader.uint(level.totalWidth, "total of records") : records };
}

/** Encodes a node to `nodeSize` bytes; what is not in use is zero. */
export function encodeV2Node<R>(
  node: V2Node<R>,
  depth: number,
  level: V2Level,
  codec: V2RecordCodec<R>,
  widths: Widths,
  nodeSize: number,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(nodeSize, depth > 0 ? INTERNAL : LEAF);
  writer.ascii(depth > 0 ? "BTIN" : "BTLF");
  writer.u8(0);
  writer.u8(codec.type);
  for (const record of node.records) codec.encode(writer, record);
  for (const { address, records, total } of node.children) {
    writer.offsetField(address, widths);
    writer.uint(records, level.countWidth);
    if (depth > 1) writer.uint(total, level.totalWidth);
  }
  appendChecksum(writer);
  writer.skip(nodeSize - writer.offset);
  return writer.finish();
}
