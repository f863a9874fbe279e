import { bitsToElements } from "./bit-transpose.ts";
import { type BlockGrid, blockGrid, blocksOf, putBlock } from "./block-grid.ts";
import { type Undo, undoOf } from "./blosc-codecs.ts";
import { CHUNK_HEADER, type Chunk, readChunk } from "./blosc2-chunk.ts";
import { type Frame, readFrame } from "./blosc2-frame.ts";
import { checkOutputSize, type DecodeOptions, type Decoder, outputOf } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { transposed } from "./transpose.ts";

/**
 * Undoes the Blosc 2 filter, id 32026: a contiguous frame with one chunk, whose bytes may be those of blocks of an array
 * (b2nd). Byte and bit shuffle and truncated precision are undone, all codecs of Blosc (1) and all chunks of one value.
 * The parameters are not used. README_CFRAME_FORMAT.rst and README_CHUNK_FORMAT.rst of c-blosc2.
 *
 * @throws InvalidFieldError for corrupt or truncated data; LimitExceededError where the frame says more than `maxBytes`;
 * UnsupportedFeatureError for several chunks, codecs and filters of other plugins, the delta filter and dictionaries, or
 * where Zstandard is needed and `fzstd` is not installed
 */
export const blosc2Decoder: Decoder = { id: 32026, name: "blosc2", decode };

function decode(
  bytes: Uint8Array,
  _params: readonly number[],
  options: DecodeOptions,
): Uint8Array | Promise<Uint8Array> {
  const frame = readFrame(bytes, options);
  checkOutputSize("blosc2", frame.total, options);
  const output = outputOf(frame.total, options);
  const offset = chunkOffset(bytes, frame, options);
  if (typeof offset !== "number") return filled(output, offset.special, new Uint8Array(0), frame.size, options);
  const chunk = readChunk(bytes, frame.headerBytes + offset, options);
  const grid = frame.grid ?? blockGrid([frame.total], [chunk.block], 1);
  const { special } = chunk;
  if (special !== 0) return filled(output, special, chunk.bytes.subarray(CHUNK_HEADER), chunk.size, options);
  // The blocks of an array are all whole.
  const total = frame.grid === undefined ? frame.total : blocksOf(grid) * bytesOfBlock(grid);
  if (bytesOfBlock(grid) !== chunk.block || chunk.total !== total) {
    const sizes = `${chunk.total} bytes in blocks of ${chunk.block}`;
    throw corrupt("blosc2", `expected ${total} bytes in blocks of ${bytesOfBlock(grid)}, got ${sizes}`, options);
  }
  const run = (undo: Undo) => {
    decodeBlocks(chunk, undo, options, (block, i) => putBlock(block, i, grid, output));
    return output;
  };
  const undo = undoOf(chunk.codec, options);
  return undo instanceof Promise ? undo.then(run) : run(undo);
}

function bytesOfBlock({ blockShape, size }: BlockGrid): number {
  return blockShape.reduce((product, length) => product * length, size);
}

/**
 * The place of the chunk behind the header, or the value that all of it has: the offsets are a chunk of their own behind
 * the chunks, 8 bytes each, with the highest bit for a value.
 */
function chunkOffset(bytes: Uint8Array, frame: Frame, options: DecodeOptions): number | { special: number } {
  const index = readChunk(bytes, frame.headerBytes + frame.storedBytes, options);
  if (frame.storedBytes > 0) return 0;
  if (!index.plain || index.total !== 8 || index.bytes.length < CHUNK_HEADER + 8) {
    throw corrupt("blosc2", "it has no offset of its chunk", options);
  }
  const last = index.bytes[CHUNK_HEADER + 7]!;
  if (last < 128) throw corrupt("blosc2", "it has no chunk", options);
  return { special: last & 127 };
}

/** All of one value. What has none of meaning is zeros here. */
function filled(
  output: Uint8Array,
  special: number,
  value: Uint8Array,
  size: number,
  options: DecodeOptions,
): Uint8Array {
  let element = new Uint8Array(1);
  if (special === 2 && size === 4) element = Uint8Array.of(0, 0, 0xc0, 0x7f);
  else if (special === 2 && size === 8) element = Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf8, 0x7f);
  else if (special === 3 && value.length >= size) element = value.slice(0, size);
  else if (special !== 1 && special !== 4) throw corrupt("blosc2", `no value ${special} of ${size} bytes`, options);
  output.fill(0);
  if (element.length > 1) for (let i = 0; i < output.length; i++) output[i] = element[i % element.length]!;
  else output.fill(element[0]!);
  return output;
}

/** Hands over one block after another, in memory that the next one is put in too. */
function decodeBlocks(
  chunk: Chunk,
  undo: Undo,
  options: DecodeOptions,
  put: (block: Uint8Array, index: number) => void,
): void {
  const { bytes, total, block, size, plain, filters } = chunk;
  const blocks = total === 0 ? 0 : Math.ceil(total / block);
  if (CHUNK_HEADER + (plain ? total : 4 * blocks) > bytes.length) {
    throw corrupt("blosc2", `no room for ${blocks} blocks of ${block}`, options);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [room, spare] = [new Uint8Array(Math.min(block, total)), new Uint8Array(Math.min(block, total))];
  for (let i = 0; i < blocks; i++) {
    const length = Math.min(block, total - i * block);
    if (plain) {
      const start = CHUNK_HEADER + i * block;
      put(bytes.subarray(start, start + length), i);
      continue;
    }
    const streams = !chunk.whole && length === block ? size : 1;
    decodeStreams(view, view.getUint32(CHUNK_HEADER + 4 * i, true), streams, room.subarray(0, length), undo, options);
    for (const [filter, elementSize] of [...filters].reverse()) {
      if (filter !== 1 && filter !== 2) continue;
      const unshuffle = filter === 1 ? unshuffleBytes : unshuffleBits;
      unshuffle(room.subarray(0, length), elementSize, spare.subarray(0, length));
      [room, spare] = [spare, room];
    }
    put(room.subarray(0, length), i);
  }
}

/**
 * Each stream has its stored size, 4 bytes, before it: of the size of what it gives it is that as it is, 0 is zeros; a
 * negative one is a byte, negated, that is repeated, if the lowest bit of the byte after it is set.
 */
function decodeStreams(
  view: DataView,
  start: number,
  count: number,
  output: Uint8Array,
  undo: Undo,
  options: DecodeOptions,
): void {
  const length = output.length / count;
  if (!Number.isInteger(length)) throw corrupt("blosc2", `${output.length} bytes in ${count} streams`, options);
  let at = start;
  for (let i = 0; i < count; i++) {
    const part = output.subarray(i * length, (i + 1) * length);
    const stored = at + 4 <= view.byteLength ? view.getInt32(at, true) : Number.POSITIVE_INFINITY;
    at += 4;
    if (at + (stored < 0 ? 1 : stored) > view.byteLength) {
      throw corrupt("blosc2", `a stream goes on past the end of the ${view.byteLength} bytes`, options);
    }
    if (stored < 0) {
      if (stored < -255 || (view.getUint8(at) & 1) === 0) throw corrupt("blosc2", `a stream of ${stored}`, options);
      part.fill(-stored);
      at += 1;
      continue;
    }
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, stored);
    if (stored === 0) part.fill(0);
    else if (stored === length) part.set(bytes);
    else undo(bytes, part, options);
    at += stored;
  }
}

function unshuffleBytes(from: Uint8Array, size: number, to: Uint8Array): void {
  transposed(from, size, Math.floor(from.length / size), to);
}

/** Elements past the last eight are as they were. */
function unshuffleBits(from: Uint8Array, size: number, to: Uint8Array): void {
  const count = 8 * Math.floor(from.length / size / 8);
  bitsToElements(from, size, count, to);
  to.set(from.subarray(count * size), count * size);
}
