import { InvalidArgumentError } from "@h5/framing";
import { BitWriter } from "./bit-writer.ts";
import type { SyncEncoder } from "./filter.ts";
import { type Coding, ones, PREFIX_BYTES, REST_OF_SEGMENT, SEGMENT_BLOCKS, szipCoding } from "./szip-format.ts";

/**
 * The szip filter, id 4; parameters and layout are those of `szipDecoder`. Chooses codes as libaec does, for the same
 * bytes. Gives `undefined` where the code would be larger than the data, and for data that it would not give back: no
 * whole pixels, or with bits above those of a pixel.
 *
 * @throws InvalidArgumentError for parameters out of range
 */
export const szipEncoder: SyncEncoder = { id: 4, name: "szip", encode: encodeSzip };

function encodeSzip(bytes: Uint8Array, params: readonly number[]): Uint8Array | undefined {
  const coding = szipCoding(params, fail);
  if (bytes.length % (coding.sampleBytes * coding.planes) !== 0) return undefined;
  const samples = readSamples(coding.planes === 1 ? bytes : splitPlanes(bytes, coding.planes), coding);
  if (samples === undefined) return undefined;
  const output = new Uint8Array(PREFIX_BYTES + bytes.length);
  new DataView(output.buffer).setUint32(0, bytes.length, true);
  const bits = new BitWriter(output, PREFIX_BYTES);
  const blocks = new BlockWriter(bits, coding);
  for (let at = 0; at < samples.length && bits.wholeBytes < output.length; at += coding.lineSize) {
    blocks.scanline(paddedLine(samples.subarray(at, at + coding.lineSize), coding));
  }
  // libaec wants a byte to end in, even where the last one is full.
  return bits.wholeBytes < output.length ? output.subarray(0, bits.length) : undefined;
}

function fail(message: string): never {
  throw new InvalidArgumentError(message, { structure: "szip filter" });
}

function readSamples(bytes: Uint8Array, { bits, sampleBytes, bigEndian }: Coding): Uint32Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Uint32Array(bytes.length / sampleBytes);
  const highest = ones(bits);
  for (let i = 0; i < samples.length; i++) {
    const at = i * sampleBytes;
    const sample =
      sampleBytes === 1
        ? view.getUint8(at)
        : sampleBytes === 2
          ? view.getUint16(at, !bigEndian)
          : view.getUint32(at, !bigEndian);
    if (sample > highest) return undefined;
    samples[i] = sample;
  }
  return samples;
}

/** The first bytes of all pixels, the second ones and so on. */
function splitPlanes(input: Uint8Array, planes: number): Uint8Array {
  const output = new Uint8Array(input.length);
  const count = input.length / planes;
  for (let plane = 0, to = 0; plane < planes; plane++) {
    for (let i = 0, at = plane; i < count; i++, at += planes) output[to++] = input[at]!;
  }
  return output;
}

/** A scanline filled up to whole blocks: with its last sample where samples are predicted, else with zeros. */
function paddedLine(samples: Uint32Array, { predicted, blockSize, lineSize }: Coding): Uint32Array {
  const line = new Uint32Array(blockSize * Math.ceil(lineSize / blockSize));
  line.set(samples);
  if (predicted) line.fill(samples.at(-1)!, samples.length);
  return line;
}

/** The inverse of the decoder's prediction: samples to mapped errors, the first to 0. */
function predict(line: Uint32Array, bits: number): Uint32Array {
  const highest = ones(bits);
  return line.map((sample, i) => {
    if (i === 0) return 0;
    const before = line[i - 1]!;
    const room = Math.min(before, highest - before);
    const distance = Math.abs(sample - before);
    if (distance > room) return before > highest >>> 1 ? highest - sample : sample;
    return sample >= before ? 2 * distance : 2 * distance - 1;
  });
}

/** Codes scanline after scanline, keeping the split width of the last block as the first guess for the next. */
class BlockWriter {
  readonly #bits: BitWriter;
  readonly #coding: Coding;
  #splitWidth: number = 0;

  constructor(bits: BitWriter, coding: Coding) {
    this.#bits = bits;
    this.#coding = coding;
  }

  scanline(line: Uint32Array): void {
    const { predicted, blockSize, bits } = this.#coding;
    const coded = predicted ? predict(line, bits) : line;
    const blocks = coded.length / blockSize;
    let zeroBlocks = 0;
    for (let block = 0; block < blocks; block++) {
      const samples = coded.subarray(block * blockSize, (block + 1) * blockSize);
      const isZero = samples.every((sample) => sample === 0);
      if (isZero) zeroBlocks++;
      const isSegmentEnd = block + 1 === blocks || (block + 1) % SEGMENT_BLOCKS === 0;
      if (zeroBlocks > 0 && (!isZero || isSegmentEnd)) {
        const first = isZero ? block + 1 - zeroBlocks : block - zeroBlocks;
        this.#zeros(zeroBlocks, isZero, predicted && first === 0 ? line[0] : undefined);
        zeroBlocks = 0;
      }
      if (!isZero) this.#block(samples, predicted && block === 0 ? line[0] : undefined);
    }
  }

  /** A run of all-zero blocks, up to the end of its segment or not. */
  #zeros(count: number, atSegmentEnd: boolean, reference: number | undefined): void {
    this.#option(0, 0, reference);
    if (atSegmentEnd && count >= REST_OF_SEGMENT) this.#bits.zeros(REST_OF_SEGMENT - 1);
    else this.#bits.zeros(count < REST_OF_SEGMENT ? count - 1 : count);
  }

  /** A block by the shortest of its codes. */
  #block(samples: Uint32Array, reference: number | undefined): void {
    const { bits, optionWidth } = this.#coding;
    const coded = reference === undefined ? samples : samples.subarray(1);
    const plainLength = coded.length * bits;
    const splitLength = this.#findSplitWidth(coded);
    const pairsLength = 1 + pairCodes(samples).reduce((sum, code) => sum + code + 1, 0);
    if (pairsLength <= splitLength && pairsLength < plainLength) {
      this.#option(0, 1, reference);
      for (const code of pairCodes(samples)) this.#bits.zeros(code);
    } else if (splitLength < plainLength) {
      this.#option(this.#splitWidth + 1, undefined, reference);
      for (const sample of coded) this.#bits.zeros(sample >>> this.#splitWidth);
      for (const sample of coded) this.#bits.write(sample, this.#splitWidth);
    } else {
      this.#option(ones(optionWidth), undefined, reference);
      for (const sample of coded) this.#bits.write(sample, bits);
    }
  }

  /**
   * The length of the block as split samples. Walks from the last split width uphill or, where that is no better,
   * downhill, as far as the length gets smaller; that is libaec's search, and decides between equal lengths.
   */
  #findSplitWidth(coded: Uint32Array): number {
    const start = this.#splitWidth;
    const most = 2 ** this.#coding.optionWidth - 3;
    let best = Number.POSITIVE_INFINITY;
    for (let step = 1, width = start; width >= 0 && width <= most; width += step) {
      let unary = 0;
      for (const sample of coded) unary += sample >>> width;
      const length = unary + coded.length * (width + 1);
      const isBetter = length < best;
      if (isBetter) {
        best = length;
        this.#splitWidth = width;
      }
      const goesOn = isBetter && (step > 0 ? unary >= coded.length && width < most : unary < coded.length);
      if (goesOn) continue;
      if (step < 0 || this.#splitWidth !== start) break;
      step = -1;
      width = start;
    }
    return best;
  }

  #option(option: number, selector: number | undefined, reference: number | undefined): void {
    const { bits, optionWidth } = this.#coding;
    this.#bits.write(option, optionWidth);
    if (selector !== undefined) this.#bits.write(selector, 1);
    if (reference !== undefined) this.#bits.write(reference, bits);
  }
}

/** The second-extension code of each pair of samples. */
function pairCodes(samples: Uint32Array): number[] {
  const codes: number[] = [];
  for (let i = 0; i < samples.length; i += 2) {
    const sum = samples[i]! + samples[i + 1]!;
    codes.push((sum * (sum + 1)) / 2 + samples[i + 1]!);
  }
  return codes;
}
