import { InvalidFieldError } from "@h5/framing";
import { BitReader } from "./bit-reader.ts";
import { checkOutputSize, type DecodeOptions, filterPlace, memoryOf, outputOf, type SyncDecoder } from "./filter.ts";
import { reverseElements } from "./reverse-elements.ts";
import { type Coding, ones, PREFIX_BYTES, REST_OF_SEGMENT, SEGMENT_BLOCKS, szipCoding } from "./szip-format.ts";
import { transposed } from "./transpose.ts";

/**
 * Undoes the szip filter, id 4: the extended-Rice coding of CCSDS 121.0-B, as libaec and the szip library write it. The
 * parameters:
 *
 *     0  options: 16 samples are big-endian, 32 nearest-neighbour preprocessing; 4 (entropy coding alone), 8
 *        (little-endian), 128 (no szip header), 1 and 2 (old chips) change nothing here
 *     1  pixels per block: even, up to 32
 *     2  bits per pixel: 1 to 32, or 64
 *     3  pixels per scanline: up to 4096
 *
 * and a chunk:
 *
 *     0  u32 decoded bytes
 *     4  coded scanlines, without alignment; each is filled up to whole blocks
 *
 * Pixels of 32 and 64 bits are coded as bytes, all first bytes before all second ones. H5Zszip.c; CCSDS 121.0-B.
 *
 * @throws InvalidFieldError for parameters out of range and for a chunk that is corrupt or too short;
 * LimitExceededError where the output would have more than `maxBytes`
 */
export const szipDecoder: SyncDecoder = { id: 4, name: "szip", decode: decodeSzip, decodeSync: decodeSzip };

/** Two bytes of code give at most 64 blocks of 32 samples of 4 bytes. */
const MAX_EXPANSION = 8192;

function decodeSzip(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  const fail = (message: string): never => {
    throw new InvalidFieldError(message, filterPlace("szip", options));
  };
  const coding = szipCoding(params, fail);
  if (bytes.length < PREFIX_BYTES) fail(`expected a length of 4 bytes, got ${bytes.length}`);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  checkOutputSize("szip", size, options);
  if (size > MAX_EXPANSION * bytes.length) fail(`${bytes.length} bytes cannot give the ${size} they claim`);
  const pixelBytes = coding.sampleBytes * coding.planes;
  if (size % pixelBytes !== 0) fail(`expected whole pixels of ${pixelBytes} bytes, got ${size} bytes`);
  const reader = new BitReader(bytes, PREFIX_BYTES, () => fail("the code goes on past the end of the chunk"));
  const blocks = new BlockReader(reader, coding, fail);
  const { planes } = coding;
  if (planes === 1) return decodeScanlines(blocks, coding, outputOf(size, options, coding.sampleBytes));
  const separate = decodeScanlines(blocks, coding, memoryOf(size, options));
  return transposed(separate, planes, size / planes, outputOf(size, options));
}

/** The memory of samples of one, two or four bytes, in the machine's order. */
function samplesOf({ buffer, byteOffset, length }: Uint8Array, bytes: number): Uint8Array | Uint16Array | Uint32Array {
  if (bytes === 1) return new Uint8Array(buffer, byteOffset, length);
  if (bytes === 2) return new Uint16Array(buffer, byteOffset, length / 2);
  return new Uint32Array(buffer, byteOffset, length / 4);
}

function decodeScanlines(blocks: BlockReader, coding: Coding, output: Uint8Array): Uint8Array {
  const { predicted, bits, lineSize, sampleBytes, bigEndian } = coding;
  const samples = samplesOf(output, sampleBytes);
  for (let at = 0; at < samples.length; at += lineSize) {
    const count = Math.min(lineSize, samples.length - at);
    const line = blocks.scanline(count);
    if (predicted) undoPrediction(line, count, bits);
    samples.set(line.subarray(0, count), at);
  }
  if (bigEndian) reverseElements(output, sampleBytes);
  return output;
}

/**
 * Mapped prediction errors after a reference sample back to samples, in place: even ones lie above the sample before,
 * odd ones below, and past the nearer end of the range only one direction is left (CCSDS 121.0-B, prediction error
 * mapper).
 */
function undoPrediction(line: Int32Array, count: number, bits: number): void {
  const highest = ones(bits);
  let sample = line[0]!;
  for (let i = 1; i < count; i++) {
    const mapped = line[i]!;
    const odd = mapped & 1;
    const distance = (mapped >>> 1) + odd;
    const upperHalf = sample > highest >>> 1;
    const room = upperHalf ? highest - sample : sample;
    if (distance > room) sample = upperHalf ? highest - mapped : mapped;
    else sample += (distance ^ -odd) + odd;
    line[i] = sample;
  }
}

/** Second-extension codes go up to a sum of 12 for a pair: 91 pairs. */
const MAX_PAIR_SUM = 12;

/** Decodes the blocks of one scanline after the other. */
class BlockReader {
  readonly #bits: BitReader;
  readonly #coding: Coding;
  readonly #fail: (message: string) => never;
  readonly #line: Int32Array;

  constructor(bits: BitReader, coding: Coding, fail: (message: string) => never) {
    this.#bits = bits;
    this.#coding = coding;
    this.#fail = fail;
    this.#line = new Int32Array(coding.blockSize * Math.ceil(coding.lineSize / coding.blockSize));
  }

  /** The next scanline, of which `count` samples matter. The array is used again. */
  scanline(count: number): Int32Array {
    for (let at = 0; at < count; ) at = this.#block(at);
    return this.#line;
  }

  /** Decodes the block at sample `at`, or several, and gives the sample after it. */
  #block(at: number): number {
    const { blockSize, bits, predicted, optionWidth } = this.#coding;
    const option = this.#bits.read(optionWidth);
    const end = at + blockSize;
    if (option === ones(optionWidth)) {
      this.#line.fill(0, at, end);
      this.#bits.addFields(this.#line, at, end, bits);
      return end;
    }
    const pairs = option === 0 && this.#bits.read(1) === 1;
    const hasReference = predicted && at === 0;
    if (hasReference) this.#line[0] = this.#bits.read(bits);
    const start = hasReference ? 1 : at;
    if (pairs) return this.#pairs(start, end);
    return option === 0 ? this.#zeros(at, start) : this.#split(start, end, option - 1);
  }

  /** Split samples: high parts in unary, then all low parts of `width` bits. */
  #split(start: number, end: number, width: number): number {
    this.#bits.manyZeros(this.#line, start, end, width);
    if (width > 0) this.#bits.addFields(this.#line, start, end, width);
    return end;
  }

  /** A run of all-zero blocks. */
  #zeros(at: number, start: number): number {
    const { blockSize } = this.#coding;
    const code = this.#bits.zeros() + 1;
    const block = at / blockSize;
    const left = this.#line.length / blockSize - block;
    let blocks = code > REST_OF_SEGMENT ? code - 1 : code;
    if (code === REST_OF_SEGMENT) blocks = Math.min(left, SEGMENT_BLOCKS - (block % SEGMENT_BLOCKS));
    if (blocks > left) this.#fail(`${blocks} zero blocks where the scanline has ${left} left`);
    this.#line.fill(0, start, at + blocks * blockSize);
    return at + blocks * blockSize;
  }

  /** Second extension: one code for two samples. Of the pair with the reference sample only the second counts. */
  #pairs(start: number, end: number): number {
    for (let i = start - (start % 2); i < end; i += 2) {
      let rest = this.#bits.zeros();
      let sum = 0;
      while (rest > sum) rest -= ++sum;
      if (sum > MAX_PAIR_SUM) this.#fail("a second-extension code above 90");
      if (i >= start) this.#line[i] = sum - rest;
      this.#line[i + 1] = rest;
    }
    return end;
  }
}
