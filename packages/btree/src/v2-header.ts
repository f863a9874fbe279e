import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  bytesFor,
  decodeVersion,
  verifyChecksum,
  type Widths,
} from "@h5/framing";

const STRUCTURE = "version 2 B-tree header";

/** Where a node lies and what it holds. */
export interface V2NodePointer {
  readonly address: number;
  /** Records in the node itself. */
  readonly records: number;
  /** Records in the node and all below it. */
  readonly total: number;
}

/** The header of a version 2 B-tree. */
export interface V2Header {
  /** Kind of records, 1 to 11. */
  readonly type: number;
  /** Bytes of every node. */
  readonly nodeSize: number;
  readonly recordSize: number;
  /** Levels below the root; 0 where the root is a leaf. */
  readonly depth: number;
  /** Fullness in percent at which a node is split, and below which it is merged. */
  readonly splitPercent: number;
  readonly mergePercent: number;
  /** Undefined where the tree is empty. */
  readonly root: V2NodePointer | undefined;
}

/** Bytes of a tree's header. */
export function sizeOfV2Header(widths: Widths): number {
  return 22 + widths.offsetSize + widths.lengthSize;
}

/*
 * Version 2 B-tree header (spec III.A.2)
 *
 *   0  4  "BTHD"
 *   4  1  version, 0
 *   5  1  type of the records
 *   6  4  node size
 *  10  2  record size
 *  12  2  depth
 *  14  1  split percent
 *  15  1  merge percent
 *  16  O  root node address
 *      2  records in the root node
 *      L  records in the tree
 *      4  checksum
 */

/**
 * Decodes a tree's header.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeV2Header(bytes: Uint8Array, widths: Widths, address?: number): V2Header {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  reader.signature("BTHD");
  verifyChecksum(bytes, sizeOfV2Header(widths) - 4, STRUCTURE, address);
  decodeVersion(reader, 0);
  const type = reader.u8();
  const nodeSize = reader.u32();
  const recordSize = reader.u16();
  const depth = reader.u16();
  const splitPercent = reader.u8();
  const mergePercent = reader.u8();
  const rootAddress = reader.offsetField(widths, "root address");
  const records = reader.u16();
  const total = reader.lengthField(widths, "number of records");
  if (rootAddress === undefined && total > 0) reader.fail(`${total} records in a tree without a root`);
  const root = rootAddress === undefined ? undefined : { address: rootAddress, records, total };
  return { type, nodeSize, recordSize, depth, splitPercent, mergePercent, root };
}

/** Encodes a tree's header. */
export function encodeV2Header(header: V2Header, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfV2Header(widths), STRUCTURE);
  writer.ascii("BTHD");
  writer.u8(0);
  writer.u8(header.type);
  writer.u32(header.nodeSize);
  writer.u16(header.recordSize);
  writer.u16(header.depth);
  writer.u8(header.splitPercent);
  writer.u8(header.mergePercent);
  writer.offsetField(header.root?.address, widths);
  writer.u16(header.root?.records ?? 0);
  writer.lengthField(header.root?.total ?? 0, widths);
  appendChecksum(writer);
  return writer.finish();
}

/** What a node of one level may hold, and how it points at its children. */
export interface V2Level {
  /** Most records of a node. */
  readonly capacity: number;
  /** Most records of a node and all below it. */
  readonly total: number;
  /** Bytes of a child's record count, sized for a leaf on every level; 0 in a leaf. */
  readonly countWidth: number;
  /** Bytes of a child's total, sized for the level below; 0 in a leaf and right above the leaves. */
  readonly totalWidth: number;
}

/** Signature, version, type and checksum of a node. */
const NODE_OVERHEAD = 10;

/**
 * The levels of a tree from the leaves up (H5B2hdr.c `H5B2__hdr_init`): how many records fit in a node follows from the
 * width of its pointers, and that from how many fit below.
 */
export function v2Levels(
  { nodeSize, recordSize, depth }: Pick<V2Header, "nodeSize" | "recordSize" | "depth">,
  widths: Widths,
): V2Level[] {
  const leaf = Math.max(0, Math.floor((nodeSize - NODE_OVERHEAD) / recordSize));
  const levels: V2Level[] = [{ capacity: leaf, total: leaf, countWidth: 0, totalWidth: 0 }];
  const countWidth = bytesFor(leaf);
  for (let d = 1; d <= depth; d++) {
    const below = levels[d - 1]!.total;
    const totalWidth = d === 1 ? 0 : Math.min(8, bytesFor(below));
    const pointer = widths.offsetSize + countWidth + totalWidth;
    const capacity = Math.max(0, Math.floor((nodeSize - NODE_OVERHEAD - pointer) / (recordSize + pointer)));
    levels.push({ capacity, total: (capacity + 1) * below + capacity, countWidth, totalWidth });
  }
  return levels;
}
