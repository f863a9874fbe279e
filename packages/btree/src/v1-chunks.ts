import { type FileContext, InvalidFieldError, type Plan } from "@h5/framing";
import { type ChunkBox, type ChunkLocation, compareCoordinates, firstInBox, inBox } from "./chunk-location.ts";
import { type V1Entry, type V1KeyCodec, walkV1Tree } from "./v1-node.ts";

const STRUCTURE = "chunk B-tree key";

/** A key of a chunk tree: the chunk that begins at its right. The last key of a node stands for no chunk. */
export interface V1ChunkKey {
  /** Stored bytes. */
  readonly size: number;
  readonly filterMask: number;
  /**
   * Offset in chunks, with one more member than the dataset has dimensions: the offset inside the element, 0 for a
   * chunk.
   */
  readonly scaled: readonly number[];
}

/*
 * Chunk key (spec III.A.1, "Key for node type 1")
 *
 *   0  4  stored size
 *   4  4  filter mask
 *   8  8  offset in elements, for each dimension
 *      8  offset inside the element
 */

/**
 * Keys of the chunk tree of a dataset whose chunks have `chunkShape` elements of `elementSize` bytes. Every offset, the
 * last key's too, is a multiple of the chunk's extent (H5D__btree_decode_key).
 */
export function chunkKeys(chunkShape: readonly number[], elementSize: number): V1KeyCodec<V1ChunkKey> {
  const units = [...chunkShape, elementSize];
  return {
    nodeType: 1,
    size: 8 + 8 * units.length,
    decode(reader) {
      const size = reader.u32();
      const filterMask = reader.u32();
      const scaled = units.map((unit) => {
        const offset = reader.u64("chunk offset");
        if (offset % unit !== 0) reader.fail(`chunk offset ${offset} is no multiple of ${unit}`, reader.offset - 8);
        return offset / unit;
      });
      return { size, filterMask, scaled };
    },
    encode(writer, { size, filterMask, scaled }) {
      writer.u32(size);
      writer.u32(filterMask);
      units.forEach((unit, d) => {
        writer.u64(scaled[d]! * unit);
      });
    },
    compare: (a, b) => compareCoordinates(a.scaled, b.scaled),
  };
}

/** What the chunk tree does not say itself. */
export interface V1ChunkTree {
  readonly address: number;
  readonly chunkShape: readonly number[];
  readonly elementSize: number;
  /** Bytes of an unfiltered chunk. */
  readonly chunkBytes: number;
  readonly filtered: boolean;
}

/**
 * The allocated chunks in `box`, in row-major order; only nodes that can hold some of them are read.
 *
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`, `nodes`)
 */
export function* readV1Chunks(context: FileContext, tree: V1ChunkTree, box: ChunkBox): Plan<ChunkLocation[]> {
  const rank = tree.chunkShape.length;
  const codec = chunkKeys(tree.chunkShape, tree.elementSize);
  const entries = yield* walkV1Tree(context, tree.address, codec, (left, right) => {
    const first = firstInBox(left.scaled, box);
    return first !== undefined && compareCoordinates([...first, 0], right.scaled) < 0;
  });
  // Keys ascend through the whole tree, so that no chunk comes twice.
  return entries.map((entry) => locate(entry, rank, tree)).filter(({ coordinate }) => inBox(coordinate, box));
}

function locate({ left, child }: V1Entry<V1ChunkKey>, rank: number, tree: V1ChunkTree): ChunkLocation {
  const coordinate = left.scaled.slice(0, rank);
  const place = { structure: STRUCTURE, address: tree.address };
  if (left.scaled[rank] !== 0) {
    throw new InvalidFieldError(`chunk [${coordinate}] begins inside an element`, place);
  }
  const good = tree.filtered ? left.size > 0 : left.size === tree.chunkBytes;
  if (!good) {
    const expected = tree.filtered ? "at least 1" : tree.chunkBytes;
    throw new InvalidFieldError(`chunk [${coordinate}]: expected a size of ${expected}, got ${left.size}`, place);
  }
  return { coordinate, address: child, size: left.size, filterMask: left.filterMask };
}
