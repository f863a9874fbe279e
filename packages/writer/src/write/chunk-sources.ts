import { hasAddresses } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import { type BlockStore, cellsOf, type ElementBlock, rowsIn } from "../data/block-store.ts";
import type { BlockStream } from "../data/block-stream.ts";
import { copyBox, intersectBoxes } from "../data/box.ts";
import { type Slab, SlabCutter } from "../data/slabs.ts";
import { placeElements } from "../model/placement.ts";
import type { ChunkWriter } from "./chunk-writer.ts";
import type { WriteContext } from "./context.ts";
import { cannotStream } from "./contiguous.ts";
import { placedBlocks } from "./placed-blocks.ts";

/** Bytes of small chunks that share memory, since one for each of very many makes work for the garbage collector. */
const TOGETHER = 1048576;

/** Writes the chunks of a dataset whose elements are in memory. */
export async function writeStoredChunks(writer: ChunkWriter, store: BlockStore, context: WriteContext): Promise<void> {
  const { datatype, space } = writer.dataset;
  const moves = hasAddresses(datatype);
  const placed = (elements: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    if (!moves) return elements;
    const bytes = elements.slice();
    placeElements(datatype, bytes, bytes.length / datatype.size, context);
    return bytes;
  };
  for (const coordinate of store.touchedCells(space.shape)) {
    const raw = store.raw(coordinate);
    if (raw !== undefined) await writer.writeRaw(coordinate, raw.bytes, raw.filterMask);
    else {
      const elements = store.elements(writer.boxOf(coordinate)) ?? writer.filledChunk();
      await writer.write(coordinate, placed(elements), store.mask(coordinate));
    }
    await context.space.drain();
  }
  await writer.complete(() => placed(writer.filledChunk()));
}

/** Writes the chunks of a dataset whose elements come as blocks. */
export async function writeStreamedChunks(
  writer: ChunkWriter,
  stream: BlockStream,
  context: WriteContext,
): Promise<void> {
  const { dataset, chunkShape } = writer;
  if (context.dry) throw cannotStream(writer.path);
  const rowBytes = elementCount(dataset.space.shape.slice(1)) * dataset.datatype.size;
  const cutter = new SlabCutter(rowBytes, chunkShape[0]!);
  let chunks = 0;
  for await (const block of placedBlocks(dataset, stream, context)) {
    if (block.chunk === undefined) {
      if (rowBytes === 0 && block.bytes.length > 0) throw tooMuch(writer);
      for (const slab of cutter.add(block.bytes)) await writeSlab(writer, stream, slab, context);
      continue;
    }
    chunks++;
    if (block.filterMask === undefined) await writer.write(block.chunk, block.bytes);
    else await writer.writeRaw(block.chunk, block.bytes, block.filterMask);
  }
  for (const slab of cutter.rest()) await writeSlab(writer, stream, slab, context);
  if (rowBytes > 0 && (chunks === 0 || cutter.rows > 0)) checkRows(writer, cutter);
  await writer.complete(() => {
    const bytes = writer.filledChunk();
    placeElements(dataset.datatype, bytes, bytes.length / dataset.datatype.size, context);
    return bytes;
  });
}

/** Refuses a stream that ended inside a row, or before the shape was full. */
function checkRows({ dataset, path }: ChunkWriter, cutter: SlabCutter): void {
  const [rows = 0] = dataset.space.shape;
  if (cutter.waiting > 0) {
    throw new InvalidArgumentError(`the data ends ${cutter.waiting} bytes into row ${cutter.rows}`, { path });
  }
  if (cutter.rows !== rows)
    throw new InvalidArgumentError(`expected ${rows} rows of data, got ${cutter.rows}`, { path });
}

function tooMuch({ dataset, path }: ChunkWriter): InvalidArgumentError {
  return new InvalidArgumentError(`more data than the shape [${dataset.space.shape}] holds`, { path });
}

async function writeSlab(writer: ChunkWriter, stream: BlockStream, slab: Slab, { space }: WriteContext): Promise<void> {
  const { dataset, chunkShape } = writer;
  const [rows = 0, ...rest] = dataset.space.shape;
  const end = slab.start + slab.rows;
  if (end > rows) {
    if (!stream.grows) throw tooMuch(writer);
    dataset.space = { ...dataset.space, shape: [end, ...rest] };
  }
  const box = { start: [slab.start, ...rest.map(() => 0)], shape: [slab.rows, ...rest], bytes: slab.bytes };
  let left = rest.reduce((product, size, d) => product * Math.ceil(size / chunkShape[d + 1]!), 1);
  let memory = new Uint8Array(0);
  for (const coordinate of cellsOf(box, chunkShape)) {
    const whole = rowsIn(box, writer.boxOf(coordinate));
    if (whole === undefined && memory.length === 0) {
      memory = writer.filledChunk(Math.min(left, Math.ceil(TOGETHER / writer.chunkBytes)));
    }
    await writer.write(coordinate, whole ?? chunkOf(box, coordinate, memory.subarray(0, writer.chunkBytes), writer));
    memory = memory.subarray(writer.chunkBytes);
    left--;
    await space.drain();
  }
}

/** The elements of a chunk that a slab reaches into, in memory that holds the fill value. */
function chunkOf(
  slab: ElementBlock,
  coordinate: readonly number[],
  bytes: Uint8Array<ArrayBuffer>,
  writer: ChunkWriter,
): Uint8Array {
  const box = writer.boxOf(coordinate);
  copyBox(intersectBoxes(slab, box)!, slab, { ...box, bytes }, writer.dataset.datatype.size);
  return bytes;
}
