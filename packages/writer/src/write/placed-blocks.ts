import type { EncodableValues } from "@h5/datatypes";
import { asBytes, InvalidArgumentError } from "@h5/framing";
import { type BlockStream, type DataBlock, isChunkBlock } from "../data/block-stream.ts";
import { heapPair } from "../data/heap-pair.ts";
import { untilAborted } from "../data/until-aborted.ts";
import { at } from "../model/at.ts";
import type { DatasetModel } from "../model/objects.ts";
import { placeElements } from "../model/placement.ts";
import { shown } from "../values/shown.ts";
import type { WriteContext } from "./context.ts";
import { FileHeaps } from "./file-heaps.ts";

/** A block of a stream as elements that lead to where their values are. */
export interface PlacedBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the block is a chunk: its coordinate. */
  readonly chunk?: readonly number[] | undefined;
  /** Where the bytes are a chunk as it is to be stored: filters left out of it. */
  readonly filterMask?: number | undefined;
}

/**
 * The blocks of a stream, one by one. They are copies: whoever gives them may use his memory again. Between them, what
 * waits to be written goes to the sink.
 *
 * @throws InvalidArgumentError for a block that does not fit, and where nothing is left of blocks that a write that failed
 *   had asked for: a generator gives its own but once, and a dataset that grows would be empty without a word
 */
export async function* placedBlocks(
  dataset: DatasetModel,
  stream: BlockStream,
  context: WriteContext,
): AsyncGenerator<PlacedBlock> {
  const { datatype } = dataset;
  const pair = heapPair();
  const heaps = new FileHeaps(pair, context.space, (target) => context.objectAddress(target));
  const place = (block: DataBlock): PlacedBlock => {
    const chunk = isChunkBlock(block, datatype) ? block : undefined;
    if (block === null) throw new InvalidArgumentError("expected a block of values, got null");
    if (chunk !== undefined && !Array.isArray(chunk.chunk)) {
      throw new InvalidArgumentError(`chunk ${shown(chunk.chunk)}, expected a list of whole numbers`);
    }
    if (chunk !== undefined && "bytes" in chunk) {
      return { chunk: [...chunk.chunk], bytes: asBytes(chunk.bytes).slice(), filterMask: chunk.filterMask ?? 0 };
    }
    const bytes = stream.encode(chunk === undefined ? (block as EncodableValues) : chunk.data, pair);
    placeElements(datatype, bytes, bytes.length / datatype.size, heaps);
    return { chunk: chunk && [...chunk.chunk], bytes };
  };
  const { isCut } = stream;
  let count = 0;
  stream.isCut = true;
  for await (const block of untilAborted(stream.blocks, context.signal)) {
    count++;
    yield at(context.pathOf(dataset), () => place(block));
    heaps.release();
    await context.space.drain();
  }
  if (isCut && count === 0) {
    const reason = "the blocks went to a write that failed, and there are no more";
    throw new InvalidArgumentError(reason, { path: context.pathOf(dataset) });
  }
  stream.isCut = false;
  heaps.finish();
}
