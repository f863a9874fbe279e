import { InvalidArgumentError, InvalidFieldError, UnsupportedFeatureError } from "@h5/framing";
import { bitsToElements, elementsToBits } from "./bit-transpose.ts";
import { type DecodeOptions, type Decoder, filterPlace, outputOf, type SyncEncoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { decodeLz4Block, encodeLz4Block } from "./lz4-block.ts";
import { joinSized, SIZED_HEADER, sizedBlock, sizedHeader } from "./sized-blocks.ts";
import { loadZstd } from "./zstd-frame.ts";

/**
 * Undoes the bitshuffle filter, id 32008: blocks of elements whose bits are sorted, stored as they are, as LZ4 blocks or
 * as Zstandard frames. The parameters are two versions, the element size, the elements of a block (0 for those of about
 * 8 KiB) and the compression: 0 none, 2 LZ4, 3 Zstandard. bshuf_h5filter.c of the registered plugin. Elements past the
 * last eight are stored as they are.
 *
 * @throws InvalidFieldError for corrupt or truncated data and parameters without meaning; LimitExceededError where the
 * header says more than `maxBytes`; UnsupportedFeatureError for another compression, or where Zstandard is needed and
 * `fzstd` is not installed
 */
export const bitshuffleDecoder: Decoder = { id: 32008, name: "bitshuffle", decode };

function decode(
  bytes: Uint8Array,
  params: readonly number[],
  options: DecodeOptions,
): Uint8Array | Promise<Uint8Array> {
  const [, , size = 0, block = 0, compression = 0] = params;
  if (size === 0 || block % 8 !== 0) {
    const reason = `expected an element size above 0 and blocks of a multiple of 8, got [${params}]`;
    throw new InvalidFieldError(reason, filterPlace("bitshuffle", options));
  }
  if (compression === 0) return plainBlocks(bytes, size, block || defaultBlock(size), options);
  if (compression === 2) return storedBlocks(bytes, size, decodeLz4Block, options);
  if (compression !== 3) {
    throw new UnsupportedFeatureError(`bitshuffle with compression ${compression}`, filterPlace("bitshuffle", options));
  }
  return loadZstd(options).then((frame) => {
    const undo: Undo = (stored, output) => {
      const decoded = frame(stored, options);
      if (decoded.length !== output.length) {
        throw corrupt("bitshuffle", `expected a block of ${output.length} bytes, got ${decoded.length}`, options);
      }
      output.set(decoded);
    };
    return storedBlocks(bytes, size, undo, options);
  });
}

/** Elements of a block where nothing says how many (bitshuffle_core.c, `bshuf_default_block_size`). */
function defaultBlock(size: number): number {
  return Math.max(128, 8 * Math.floor(8192 / size / 8));
}

/** Gives the bits of a block of `output`'s length. */
type Undo = (stored: Uint8Array, output: Uint8Array, options: DecodeOptions) => void;

function storedBlocks(bytes: Uint8Array, size: number, undo: Undo, options: DecodeOptions): Uint8Array {
  const { total, blockBytes } = sizedHeader("bitshuffle", bytes, options);
  const block = blockBytes === 0 ? defaultBlock(size) : blockBytes / size;
  if (total % size !== 0 || block % 8 !== 0) {
    const sizes = `${total} bytes in blocks of ${blockBytes}, elements of ${size}`;
    throw corrupt("bitshuffle", `expected whole elements in blocks of a multiple of 8, got ${sizes}`, options);
  }
  let from = SIZED_HEADER;
  const bits = new Uint8Array(Math.min(block * size, total));
  const next = (length: number) => {
    const stored = sizedBlock("bitshuffle", bytes, from, options);
    const room = bits.subarray(0, length);
    undo(stored, room, options);
    from += 4 + stored.length;
    return room;
  };
  const output = outputOf(total, options);
  return withRest(eachBlock(output, size, block, next), output, bytes.subarray(from), options);
}

function plainBlocks(bytes: Uint8Array, size: number, block: number, options: DecodeOptions): Uint8Array {
  if (bytes.length % size !== 0) throw corrupt("bitshuffle", `${bytes.length} bytes are no whole elements`, options);
  const output = outputOf(bytes.length, options);
  const end = eachBlock(output, size, block, (length, at) => bytes.subarray(at, at + length));
  return withRest(end, output, bytes.subarray(end), options);
}

/** Fills `output` up to the last eight elements, from the sorted bits of each block; tells how far. */
function eachBlock(
  output: Uint8Array,
  size: number,
  block: number,
  bitsOf: (length: number, at: number) => Uint8Array,
): number {
  const eights = 8 * Math.floor(output.length / size / 8);
  for (let done = 0; done < eights; done += block) {
    const count = Math.min(block, eights - done);
    const [at, length] = [done * size, count * size];
    bitsToElements(bitsOf(length, at), size, count, output.subarray(at, at + length));
  }
  return eights * size;
}

function withRest(end: number, output: Uint8Array, rest: Uint8Array, options: DecodeOptions): Uint8Array {
  const missing = output.length - end;
  if (rest.length < missing) throw corrupt("bitshuffle", `expected ${missing} more bytes, got ${rest.length}`, options);
  output.set(rest.subarray(0, missing), end);
  return output;
}

/**
 * The bitshuffle filter, id 32008, without compression or with LZ4.
 *
 * @throws InvalidArgumentError for parameters without meaning, or another compression
 */
export const bitshuffleEncoder: SyncEncoder = { id: 32008, name: "bitshuffle", encode };

function encode(bytes: Uint8Array, params: readonly number[]): Uint8Array {
  const [, , size = 0, block = 0, compression = 0] = params;
  if (size === 0 || bytes.length % size !== 0 || block % 8 !== 0 || (compression !== 0 && compression !== 2)) {
    const reason = `expected whole elements, blocks of a multiple of 8, and compression 0 or 2, got [${params}]`;
    throw new InvalidArgumentError(reason, { structure: "bitshuffle filter" });
  }
  const output = new Uint8Array(bytes.length);
  const blocks: Uint8Array[] = [];
  const elements = block || defaultBlock(size);
  const end = size * 8 * Math.floor(bytes.length / size / 8);
  for (let at = 0; at < end; at += elements * size) {
    const part = bytes.subarray(at, Math.min(end, at + elements * size));
    const bits = output.subarray(at, at + part.length);
    elementsToBits(part, size, part.length / size, bits);
    if (compression === 2) blocks.push(encodeLz4Block(bits));
  }
  const rest = bytes.subarray(end);
  if (compression === 2) return joinSized(bytes.length, elements * size, blocks, rest);
  output.set(rest, end);
  return output;
}
