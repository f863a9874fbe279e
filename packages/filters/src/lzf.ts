import { type DecodeOptions, grownOutput, outputOf, type SyncDecoder, type SyncEncoder } from "./filter.ts";
import { copyBack, corrupt } from "./lz-copy.ts";

/**
 * Undoes the LZF filter, id 32000, of h5py: LibLZF without a header, so that only decoding tells the size. A stream is
 * a sequence of
 *
 *     000nnnnn                     n+1 bytes that follow, as they are
 *     LLLooooo          oooooooo   L+2 bytes from o+1 bytes back, L from 1 to 6
 *     111ooooo LLLLLLLL oooooooo   L+9 bytes from o+1 bytes back
 *
 * @throws InvalidFieldError for a stream that ends within a step or reaches back before its start; LimitExceededError
 * once more than `maxBytes` come out
 */
export const lzfDecoder: SyncDecoder = { id: 32000, name: "lzf", decode: decompress, decodeSync: decompress };

/** No stream expands further: three bytes give at most 264. */
const MAX_EXPANSION = 88;

function decompress(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  // The third parameter is the chunk's nominal size where h5py wrote the pipeline entry.
  const nominal = options.expectedBytes ?? (params[2] || 4 * bytes.length);
  let output: Uint8Array = outputOf(Math.min(nominal, MAX_EXPANSION * bytes.length, options.maxBytes), options);
  const place = { from: 0, to: 0 };
  while (place.from < bytes.length) {
    takeEasySteps(bytes, output, place, options);
    if (place.from < bytes.length) output = takeStep(bytes, output, place, options);
  }
  return place.to === output.length ? output : output.subarray(0, place.to);
}

/** How far a stream has been undone. */
interface Place {
  from: number;
  to: number;
}

/** A step that may go to the end of the stream, or beyond; gives the output, which may have had to grow. */
function takeStep(bytes: Uint8Array, output: Uint8Array, place: Place, options: DecodeOptions): Uint8Array {
  let { from } = place;
  const { to } = place;
  const control = bytes[from++]!;
  const literal = control < 32;
  let length = literal ? control + 1 : control >>> 5;
  if (length === 7 && !literal) length += bytes[from++] ?? 0;
  if (!literal) length += 2;
  if (from + (literal ? length : 1) > bytes.length)
    throw corrupt("lzf", "it goes on past the end of the chunk", options);
  const room = to + length > output.length ? grownOutput("lzf", output, to + length, options) : output;
  if (literal) room.set(bytes.subarray(from, from + length), to);
  else copyBack(room, to, distanceOf(control, bytes[from]!, to, options), length);
  place.from = from + (literal ? length : 1);
  place.to = to + length;
  return room;
}

/** Bytes of input and output that no step goes beyond, with the eight that may be moved too much. */
const EASY_INPUT = 48;
const EASY_OUTPUT = 280;

/** Takes steps as long as any would do, so that nothing is left to check but distances, and eight bytes move at a time. */
function takeEasySteps(bytes: Uint8Array, output: Uint8Array, place: Place, options: DecodeOptions): void {
  const input = viewOf(bytes);
  const room = viewOf(output);
  let { from, to } = place;
  while (from + EASY_INPUT <= bytes.length && to + EASY_OUTPUT <= output.length) {
    const control = bytes[from++]!;
    if (control < 32) {
      const end = to + control + 1;
      for (let source = from; to < end; source += 8, to += 8) move(input, source, room, to);
      from += control + 1;
      to = end;
      continue;
    }
    let length = (control >>> 5) + 2;
    if (length === 9) length += bytes[from++]!;
    const distance = distanceOf(control, bytes[from++]!, to, options);
    const end = to + length;
    if (distance < 4) copyBack(output, to, distance, length);
    else for (; to < end; to += 8) move(room, to - distance, room, to);
    to = end;
  }
  place.from = from;
  place.to = to;
}

function distanceOf(control: number, low: number, to: number, options: DecodeOptions): number {
  const distance = (((control & 31) << 8) | low) + 1;
  if (distance > to) throw corrupt("lzf", "a reference reaches back before its start", options);
  return distance;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Moves eight bytes, the first four of which may be among the last four. */
function move(source: DataView, from: number, target: DataView, to: number): void {
  target.setInt32(to, source.getInt32(from, true), true);
  target.setInt32(to + 4, source.getInt32(from + 4, true), true);
}

/**
 * The LZF filter, id 32000, of h5py. Gives `undefined` where the stream would not be smaller than its input, as h5py's
 * filter fails then. Greedy, with one candidate for each hash of three bytes, as LibLZF is; not its very bytes.
 */
export const lzfEncoder: SyncEncoder = { id: 32000, name: "lzf", encode: compress };

const HASH_BITS = 14;
const MAX_DISTANCE = 8192;
const MAX_MATCH = 264;
const MAX_LITERALS = 32;

function compress(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  // Room for the steps that are found to be too many only once they are written.
  const output = new Uint8Array(bytes.length + MAX_LITERALS + 5);
  const latest = new Int32Array(1 << HASH_BITS).fill(-1);
  let to = 0;
  let literals = 0;
  let at = 0;
  while (at < bytes.length && to < bytes.length) {
    const length = at + 2 < bytes.length ? matchLength(bytes, at, latest) : 0;
    if (length > 0) {
      const distance = at - latest[hash(bytes, at)]! - 1;
      to = putLiterals(bytes, at - literals, literals, output, to);
      to = putReference(distance, length - 2, output, to);
      literals = 0;
    } else if (++literals === MAX_LITERALS) {
      to = putLiterals(bytes, at + 1 - literals, literals, output, to);
      literals = 0;
    }
    if (at + 2 < bytes.length) latest[hash(bytes, at)] = at;
    at += Math.max(1, length);
  }
  if (to >= bytes.length) return undefined;
  to = putLiterals(bytes, at - literals, literals, output, to);
  return to < bytes.length ? output.subarray(0, to) : undefined;
}

function hash(bytes: Uint8Array, at: number): number {
  const three = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  return Math.imul(three, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Bytes at `at` that repeat those at the latest place with the same hash: 0, or 3 to 264. */
function matchLength(bytes: Uint8Array, at: number, latest: Int32Array): number {
  const candidate = latest[hash(bytes, at)]!;
  if (candidate < 0 || at - candidate > MAX_DISTANCE) return 0;
  const most = Math.min(MAX_MATCH, bytes.length - at);
  let length = 0;
  while (length < most && bytes[candidate + length] === bytes[at + length]) length++;
  return length < 3 ? 0 : length;
}

function putLiterals(bytes: Uint8Array, from: number, count: number, output: Uint8Array, to: number): number {
  if (count === 0) return to;
  output[to] = count - 1;
  output.set(bytes.subarray(from, from + count), to + 1);
  return to + 1 + count;
}

function putReference(offset: number, length: number, output: Uint8Array, to: number): number {
  output[to++] = (Math.min(length, 7) << 5) | (offset >>> 8);
  if (length >= 7) output[to++] = length - 7;
  output[to++] = offset & 255;
  return to;
}
