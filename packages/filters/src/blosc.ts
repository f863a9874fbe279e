import { InvalidArgumentError } from "@h5/framing";
import { bitsToElements, elementsToBits } from "./bit-transpose.ts";
import { type Undo, undoOf } from "./blosc-codecs.ts";
import { checkOutputSize, type DecodeOptions, type Decoder, outputOf, type SyncEncoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { encodeLz4Block } from "./lz4-block.ts";
import { transposed } from "./transpose.ts";

/**
 * Undoes the Blosc filter, id 32001: one c-blosc 1 frame, of BloscLZ, LZ4, Snappy, zlib or Zstandard streams, with its
 * byte or bit shuffle. The parameters, which the frame repeats, are not used. README_CHUNK_FORMAT.rst and blosc.c of
 * c-blosc.
 *
 * @throws InvalidFieldError for corrupt or truncated data; LimitExceededError where the header says more than `maxBytes`;
 * UnsupportedFeatureError for another codec, or where Zstandard is needed and `fzstd` is not installed
 */
export const bloscDecoder: Decoder = { id: 32001, name: "blosc", decode };

function decode(
  bytes: Uint8Array,
  _params: readonly number[],
  options: DecodeOptions,
): Uint8Array | Promise<Uint8Array> {
  const frame = frameHeader(bytes, options);
  const output = outputOf(frame.total, options);
  if (frame.plain) {
    const end = HEADER + frame.total;
    if (end > bytes.length) throw corrupt("blosc", `expected ${end} bytes, got ${bytes.length}`, options);
    output.set(bytes.subarray(HEADER, end));
    return output;
  }
  const run = (undo: Undo) => decodeBlocks(bytes, frame, output, undo, options);
  const undo = undoOf(frame.codec, options);
  return undo instanceof Promise ? undo.then(run) : run(undo);
}

const HEADER = 16;

interface BloscFrame {
  readonly total: number;
  readonly block: number;
  readonly size: number;
  readonly codec: number;
  readonly plain: boolean;
  readonly bytesShuffled: boolean;
  readonly bitsShuffled: boolean;
  /** Whether blocks are one stream each, never one for each byte of the elements. */
  readonly whole: boolean;
}

/**
 * Reads the header of a frame, all little-endian (README_CHUNK_FORMAT.rst):
 *
 *     0   1  version of the format, 2
 *     1   1  version of the codec's format
 *     2   1  bit 0 bytes shuffled, 1 stored plain, 2 bits shuffled, 4 blocks not split, 5-7 codec
 *     3   1  element size
 *     4   4  bytes of the decoded chunk
 *     8   4  bytes of a decoded block
 *     12  4  bytes of the frame
 */
function frameHeader(bytes: Uint8Array, options: DecodeOptions): BloscFrame {
  if (bytes.length < HEADER) throw corrupt("blosc", `expected ${HEADER} bytes of header, got ${bytes.length}`, options);
  const [version, , flags = 0, size = 0] = bytes;
  if (version !== 1 && version !== 2) throw corrupt("blosc", `expected version 1 or 2, got ${version}`, options);
  const total = u32(bytes, 4);
  const block = u32(bytes, 8);
  checkOutputSize("blosc", total, options);
  if (size === 0 || (total > 0 && (block === 0 || block > total))) {
    throw corrupt("blosc", `${total} bytes in blocks of ${block}, elements of ${size}, make no sense`, options);
  }
  return {
    total,
    block,
    size,
    codec: flags >>> 5,
    plain: (flags & 2) !== 0,
    bytesShuffled: (flags & 1) !== 0 && size > 1,
    bitsShuffled: (flags & 4) !== 0 && block >= size,
    whole: (flags & 16) !== 0,
  };
}

/** The numbers after the header tell where in the frame each block begins. */
function decodeBlocks(
  bytes: Uint8Array,
  frame: BloscFrame,
  output: Uint8Array,
  undo: Undo,
  options: DecodeOptions,
): Uint8Array {
  const { total, block } = frame;
  const blocks = total === 0 ? 0 : Math.ceil(total / block);
  if (HEADER + 4 * blocks > bytes.length) throw corrupt("blosc", `no room for ${blocks} blocks`, options);
  const shuffled = frame.bytesShuffled || frame.bitsShuffled ? new Uint8Array(block) : undefined;
  for (let i = 0; i < blocks; i++) {
    const part = output.subarray(i * block, (i + 1) * block);
    const room = shuffled?.subarray(0, part.length) ?? part;
    decodeStreams(bytes, u32(bytes, HEADER + 4 * i), streamsOf(frame, part.length), room, undo, options);
    if (shuffled !== undefined) unshuffle(room, frame, part);
  }
  return output;
}

/** Streams of a block: one for each byte of the elements, for long full blocks (blosc.c, `blosc_d`). */
function streamsOf({ whole, size, block }: BloscFrame, length: number): number {
  return !whole && size <= 16 && Math.floor(length / size) >= 128 && length === block ? size : 1;
}

/** Each stream has its stored size, 4 bytes, before it; of the size of what it gives, it is that as it is. */
function decodeStreams(
  bytes: Uint8Array,
  start: number,
  count: number,
  output: Uint8Array,
  undo: Undo,
  options: DecodeOptions,
): void {
  const length = output.length / count;
  let at = start;
  if (!Number.isInteger(length)) throw corrupt("blosc", `${output.length} bytes in ${count} streams`, options);
  for (let i = 0; i < count; i++) {
    const end = at + 4 <= bytes.length ? at + 4 + u32(bytes, at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length)
      throw corrupt("blosc", `a stream goes on past the end of the ${bytes.length} bytes`, options);
    const stored = bytes.subarray(at + 4, end);
    const part = output.subarray(i * length, (i + 1) * length);
    if (stored.length === length) part.set(stored);
    else undo(stored, part, options);
    at = end;
  }
}

function unshuffle(from: Uint8Array, { size, bytesShuffled }: BloscFrame, to: Uint8Array): void {
  const count = Math.floor(from.length / size);
  if (bytesShuffled) {
    transposed(from, size, count, to);
    return;
  }
  // A block whose elements are no multiple of 8 is left as it is.
  const sorted = count % 8 === 0 ? count * size : 0;
  if (sorted > 0) bitsToElements(from, size, count, to);
  to.set(from.subarray(sorted), sorted);
}

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/**
 * The Blosc filter, id 32001, with LZ4: one block in one stream. Of the parameters these are used: the third, the size of
 * an element, 1 to 255, and the sixth, the shuffle: 0 none, 1 of bytes, 2 of bits.
 *
 * @throws InvalidArgumentError for parameters without meaning
 */
export const bloscEncoder: SyncEncoder = { id: 32001, name: "blosc", encode };

const LZ4 = 1;

function encode(bytes: Uint8Array, params: readonly number[]): Uint8Array {
  const [, , size = 0, , , kind = 0] = params;
  if (size < 1 || size > 255 || kind > 2) {
    const reason = `expected an element size from 1 to 255 and a shuffle from 0 to 2, got [${params}]`;
    throw new InvalidArgumentError(reason, { structure: "blosc filter" });
  }
  const stored = encodeLz4Block(shuffled(bytes, size, kind));
  const head = HEADER + 8;
  const plain = stored.length >= bytes.length;
  const output = new Uint8Array(plain ? HEADER + bytes.length : head + stored.length);
  const view = new DataView(output.buffer);
  output.set([2, 1, (LZ4 << 5) | 16 | (plain ? 2 : 0) | [0, 1, 4][kind]!, size]);
  for (const [i, number] of [bytes.length, bytes.length, output.length].entries())
    view.setUint32(4 + 4 * i, number, true);
  output.set(plain ? bytes : stored, plain ? HEADER : head);
  if (plain) return output;
  view.setUint32(HEADER, HEADER + 4, true);
  view.setUint32(HEADER + 4, stored.length, true);
  return output;
}

function shuffled(bytes: Uint8Array, size: number, kind: number): Uint8Array {
  const count = Math.floor(bytes.length / size);
  if (kind === 0 || (kind === 1 && size === 1) || (kind === 2 && count % 8 !== 0)) return bytes;
  const output = new Uint8Array(bytes.length);
  if (kind === 1) return transposed(bytes, count, size, output);
  elementsToBits(bytes, size, count, output);
  output.set(bytes.subarray(count * size), count * size);
  return output;
}
