import type { Datatype, EncodableValues } from "@h5/datatypes";
import type { HeapPair } from "./heap-pair.ts";

/** A chunk in a stream, by its coordinate in the grid of chunks. */
export interface ChunkOfValues {
  readonly chunk: readonly number[];
  /** Values of all elements of the chunk shape, row-major; what sticks out of the dataset is not looked at. */
  readonly data: EncodableValues;
}

/** A chunk in a stream as it is to be stored: it has been through the filters. */
export interface ChunkOfBytes {
  readonly chunk: readonly number[];
  readonly bytes: Uint8Array;
  /** Bit i is set where filter i was left out; default 0. */
  readonly filterMask?: number | undefined;
}

/**
 * What a stream of data is made of: values that follow one another in row-major order, however many at a time; or, for
 * chunked datasets, chunks in any order. A block is copied when it is taken. Of values for a chunked dataset, as many rows
 * as a chunk is high wait in memory: give chunks where rows are too long for that.
 */
export type DataBlock = EncodableValues | ChunkOfValues | ChunkOfBytes;

/** Data that is asked for while the file is written, once. */
export interface BlockStream {
  readonly kind: "stream";
  readonly blocks: Iterable<DataBlock> | AsyncIterable<DataBlock>;
  /** Whether the dataset's first dimension is what the blocks make it. */
  readonly grows: boolean;
  /** Whether a write began to ask for the blocks and did not come to their end. */
  isCut: boolean;
  /** Encodes values; `heaps` keep what goes to the global heap. */
  encode(values: EncodableValues, heaps: HeapPair): Uint8Array<ArrayBuffer>;
}

/** Whether a block is a chunk with its coordinate; columns of a compound that has a member "chunk" are not. */
export function isChunkBlock(block: DataBlock, datatype: Datatype): block is ChunkOfValues | ChunkOfBytes {
  if (typeof block !== "object" || block === null || !("chunk" in block) || !("data" in block || "bytes" in block))
    return false;
  return datatype.class !== "compound" || !datatype.members.some(({ name }) => name === "chunk");
}
