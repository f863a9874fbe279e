import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";

/** Half the sizes of version 1 B-tree and symbol table nodes, where superblocks 2 and 3 do not take the defaults. */
export interface BtreeK {
  /** Half the children of a chunk B-tree node; default 32. */
  readonly chunkInternalK: number;
  /** Half the children of a group B-tree node; default 16. */
  readonly groupInternalK: number;
  /** Half the entries of a symbol table node; default 4. */
  readonly groupLeafK: number;
}

const STRUCTURE = "B-tree K values message";

/** Bytes of the message. */
export function sizeOfBtreeK(): number {
  return 7;
}

/**
 * Message 0x13 (spec IV.A.2.t), of the superblock extension.
 *
 *     1  version (0)
 *     2  chunk internal node K
 *     2  group internal node K
 *     2  group leaf node K
 *
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeBtreeK(body: Uint8Array, address?: number): BtreeK {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 0);
  return { chunkInternalK: reader.u16(), groupInternalK: reader.u16(), groupLeafK: reader.u16() };
}

/** The inverse of {@link decodeBtreeK}. */
export function encodeBtreeK(values: BtreeK): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfBtreeK(), STRUCTURE);
  writer.u8(0);
  writer.u16(values.chunkInternalK);
  writer.u16(values.groupInternalK);
  writer.u16(values.groupLeafK);
  return writer.finish();
}
