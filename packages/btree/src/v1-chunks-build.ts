import type { FileSpace } from "@h5/framing";
import type { ChunkLocation } from "./chunk-location.ts";
import { buildV1Tree } from "./v1-build.ts";
import { chunkKeys, type V1ChunkKey } from "./v1-chunks.ts";
import type { V1KeyCodec } from "./v1-node.ts";

/**
 * Writes the version 1 B-tree of a dataset's chunks and gives the address of its root (spec III.A.1).
 *
 * @param dataset - elements of a chunk in each dimension, and bytes of an element
 * @param chunks - in row-major order
 * @param chunkK - half of what a node has room for: the superblock's, or the default of 32
 * @throws InvalidArgumentError for chunks out of order, or of 4 GiB and more
 */
export function buildChunkTreeV1(
  space: FileSpace,
  dataset: { readonly chunkShape: readonly number[]; readonly elementSize: number },
  chunks: readonly ChunkLocation[],
  chunkK: number = 32,
): number {
  const codec = chunkKeys(dataset.chunkShape, dataset.elementSize);
  const keys = chunks.map(({ coordinate, size, filterMask }) => ({ size, filterMask, scaled: [...coordinate, 0] }));
  const addresses = chunks.map(({ address }) => address);
  return buildV1Tree(space, codec, [...keys, ...endKey(keys, codec)], addresses, chunkK);
}

/**
 * The key behind the last chunk: a chunk of no bytes. libhdf5 puts it one further in every dimension than the first
 * chunk, and again so for every chunk that is not below it (H5D__btree_new_node); here the chunks come in order.
 */
function endKey(keys: readonly V1ChunkKey[], { compare }: V1KeyCodec<V1ChunkKey>): V1ChunkKey[] {
  let end: V1ChunkKey | undefined;
  for (const key of keys) {
    if (end !== undefined && compare!(key, end) < 0) continue;
    end = { size: 0, filterMask: 0, scaled: key.scaled.map((at) => at + 1) };
  }
  return end === undefined ? [] : [end];
}
