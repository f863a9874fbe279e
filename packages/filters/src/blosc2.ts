import { UnsupportedFeatureError } from "@h5/framing";
import { bitsToElements } from "./bit-transpose.ts";
import { type BlockGrid, blockGrid, blocksOf, putBlock } from "./block-grid.ts";
import { type Undo, undoOf } from "./blosc-codecs.ts";
import { checkOutputSize, type DecodeOptions, type Decoder, filterPlace, outputOf } from "./filter.ts";
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
  if (bytesOfBlock(grid) !== chunk.block || (frame.grid === undefined && chunk.total !== frame.total)) {
    const sizes = `${chunk.total} bytes in blocks of ${chunk.block}`;
    throw corrupt("blosc2", `expected ${frame.total} bytes in blocks of ${bytesOfBlock(grid)}, got ${sizes}`, options);
  }
  const run = (undo: Undo) => {
    decodeBlocks(chunk, undo, options, (block, i) => putBlock(block, i, grid, output), blocksOf(grid));
    return output;
  };
  const undo = undoOf(chunk.codec, options);
  return undo instanceof Promise ? undo.then(run) : run(undo);
}

function bytesOfBlock({ blockShape, size }: BlockGrid): number {
  return blockShape.reduce((product, length) => product * length, size);
}

interface Frame {
  readonly headerBytes: number;
  /** Bytes of all stored chunks. */
  readonly storedBytes: number;
  /** Bytes of the decoded array. */
  readonly total: number;
  readonly size: number;
  /** Where the frame has an array. */
  readonly grid: BlockGrid | undefined;
}

/** Bytes of the header up to what it has for other layers. */
const FRAME_HEADER = 0x5e;

/**
 * Reads the header of the frame, MessagePack with numbers big-endian:
 *
 *     00  9e a8 "b2frame\0"
 *     0a  d2, 4  bytes of this header
 *     1d  d3, 8  bytes of the decoded chunks
 *     26  d3, 8  bytes of the stored chunks
 *     2f  d2, 4  size of an element
 *     39  d2, 4  bytes of a decoded chunk
 *     57  93 cd, 2, de, 2  number of layers; for each its name, d2 and the place of what it has
 */
function readFrame(bytes: Uint8Array, options: DecodeOptions): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FRAME_HEADER || textAt(bytes, 2, 8) !== "b2frame\0") {
    throw corrupt("blosc2", `expected a frame, got ${bytes.length} bytes of something else`, options);
  }
  const headerBytes = view.getUint32(0x0b);
  const [decoded, storedBytes] = [Number(view.getBigUint64(0x1e)), Number(view.getBigUint64(0x27))];
  const [size, chunkBytes] = [view.getUint32(0x30), view.getUint32(0x3a)];
  if (headerBytes < FRAME_HEADER || headerBytes + storedBytes > bytes.length || size === 0) {
    const parts = `${headerBytes} bytes of header, ${storedBytes} of chunks, elements of ${size}`;
    throw corrupt("blosc2", `${parts} make no frame of ${bytes.length} bytes`, options);
  }
  if (chunkBytes !== decoded && chunkBytes !== 0) {
    throw new UnsupportedFeatureError("Blosc 2 frames of several chunks", filterPlace("blosc2", options));
  }
  const grid = readGrid(bytes.subarray(0, headerBytes), view.getUint16(0x5c), size, options);
  const total = grid?.shape.reduce((product, length) => product * length, size) ?? decoded;
  return { headerBytes, storedBytes, total, size, grid };
}

/**
 * Reads what the layer "b2nd" has, if there is one: c6, 4 bytes of length, 97, version, dimensions, and the lengths of the
 * array (9n, each d3, 8), of a chunk and of a block (9n, each d2, 4), the last dimension varying fastest.
 */
function readGrid(header: Uint8Array, layers: number, size: number, options: DecodeOptions): BlockGrid | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const fail = () => corrupt("blosc2", "its layers go on past its header, or have an array without blocks", options);
  let at = FRAME_HEADER;
  for (let i = 0; i < layers; i++) {
    const length = (header[at] ?? 0) & 31;
    const place = at + 1 + length;
    if (place + 5 > header.length) throw fail();
    const name = textAt(header, at + 1, length);
    at = place + 5;
    if (name !== "b2nd" && name !== "caterva") continue;
    let from = view.getUint32(place + 1) + 8;
    const dims = header[from - 1] ?? 0;
    if (dims === 0 || dims > 15 || from + dims * 19 + 3 > header.length) throw fail();
    const lengths = (bytes: 4 | 8): number[] => {
      const start = from + 1;
      from = start + dims * (1 + bytes);
      const one = (_: unknown, k: number) => {
        const place = start + k * (1 + bytes) + 1;
        return bytes === 8 ? Number(view.getBigUint64(place)) : view.getUint32(place);
      };
      return Array.from({ length: dims }, one).reverse();
    };
    const [shape, chunk, block] = [lengths(8), lengths(4), lengths(4)];
    if (shape.some((length, k) => length !== chunk[k])) {
      throw new UnsupportedFeatureError("Blosc 2 arrays of several chunks", filterPlace("blosc2", options));
    }
    if (block.some((length, k) => length === 0 || length > shape[k]!)) throw fail();
    return blockGrid(shape, block, size);
  }
  return undefined;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
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

interface Chunk {
  /** From its header on. */
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly total: number;
  readonly block: number;
  readonly codec: number;
  readonly plain: boolean;
  /** Whether blocks are one stream each, never one for each byte of the elements. */
  readonly whole: boolean;
  /** 0, or what all of it is: 1 zeros, 2 NaN, 3 the value behind the header, 4 nothing of meaning. */
  readonly special: number;
  /** Filters in the order they were applied, each with the size of the elements for it. */
  readonly filters: readonly (readonly [filter: number, size: number])[];
}

const CHUNK_HEADER = 32;

/**
 * Reads the header of a chunk, all little-endian:
 *
 *     00  1  version of the format, up to 5
 *     02  1  bits 0 and 2 both set, 1 stored plain, 4 blocks not split, 5-7 codec
 *     03  1  element size
 *     04  4  bytes of the decoded chunk
 *     08  4  bytes of a decoded block
 *     0c  4  bytes of the chunk
 *     10  6  filters: 1 bytes shuffled, 2 bits shuffled, 3 delta, 4 precision truncated
 *     18  6  a number for each filter: of a shuffle the size of an element, if not 0
 *     1f  1  bit 0 a dictionary, 3 the streams are elsewhere, 4-6 all of one value
 */
function readChunk(bytes: Uint8Array, start: number, options: DecodeOptions): Chunk {
  if (start + CHUNK_HEADER > bytes.length) throw corrupt("blosc2", `no chunk at ${start} of ${bytes.length}`, options);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, CHUNK_HEADER);
  const [flags, size, more] = [view.getUint8(2), view.getUint8(3), view.getUint8(31)];
  const [total, block, stored] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  const unsupported = (what: string) => new UnsupportedFeatureError(what, filterPlace("blosc2", options));
  if ((flags & 5) !== 5 || view.getUint8(0) > 5) throw unsupported("Blosc 2 with chunks of another version");
  if ((more & 9) !== 0) throw unsupported("Blosc 2 with a dictionary or streams elsewhere");
  if (size === 0 || stored < CHUNK_HEADER || start + stored > bytes.length || (total > 0 && block === 0)) {
    const sizes = `${total} bytes in blocks of ${block}, elements of ${size}`;
    throw corrupt("blosc2", `${sizes}, in ${stored} bytes at ${start} of ${bytes.length} make no sense`, options);
  }
  const filters: (readonly [number, number])[] = [];
  for (let i = 0; i < 6; i++) {
    const filter = view.getUint8(16 + i);
    if (filter !== 0 && filter !== 1 && filter !== 2 && filter !== 4)
      throw unsupported(`Blosc 2 with filter ${filter}`);
    filters.push([filter, view.getUint8(24 + i) || size]);
  }
  const [plain, whole] = [(flags & 2) !== 0, (flags & 16) !== 0];
  const chunk = bytes.subarray(start, start + stored);
  return { bytes: chunk, size, total, block, codec: flags >>> 5, plain, whole, special: (more >>> 4) & 7, filters };
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
  blocks: number,
): void {
  const { bytes, total, block, size, plain, filters } = chunk;
  if (Math.ceil(total / block) !== blocks || (plain && CHUNK_HEADER + total > bytes.length)) {
    throw corrupt("blosc2", `expected ${blocks} blocks of ${block}, got ${total} bytes`, options);
  }
  if (!plain && CHUNK_HEADER + 4 * blocks > bytes.length) {
    throw corrupt("blosc2", `no room for ${blocks} blocks`, options);
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
