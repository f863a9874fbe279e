/** What the two directions of the szip filter share; the layout stands in szip.ts. */

const BIG_ENDIAN = 16;
const NEAREST_NEIGHBOUR = 32;
const MAX_PIXELS_PER_BLOCK = 32;
const MAX_PIXELS_PER_SCANLINE = 4096;
/** Bytes of the decoded size before the code. */
export const PREFIX_BYTES = 4;
/** Length of the zero-block code that stands for the rest of a segment. */
export const REST_OF_SEGMENT = 5;
/** Blocks of a segment, the most a zero-block code stands for. */
export const SEGMENT_BLOCKS = 64;

/** What the parameters of a pipeline entry say. */
export interface Coding {
  /** Samples are preprocessed, and every scanline starts with a reference sample. */
  readonly predicted: boolean;
  readonly bigEndian: boolean;
  readonly blockSize: number;
  /** Bits of a sample: the pixel's, or 8 where pixels are coded as bytes. */
  readonly bits: number;
  /** Bytes of a decoded sample. */
  readonly sampleBytes: number;
  /** Bytes a pixel was split in, 1 where it was not. */
  readonly planes: number;
  /** Samples of a scanline. */
  readonly lineSize: number;
  /** Bits of the option that starts a block; its highest value means samples as they are. */
  readonly optionWidth: number;
}

/** Reads and checks the parameters of a pipeline entry. */
export function szipCoding(params: readonly number[], fail: (message: string) => never): Coding {
  const [mask, blockSize, pixelBits, lineSize] = params as [number, number, number, number];
  if (params.length !== 4) fail(`expected 4 parameters, got ${params.length}`);
  if (blockSize < 2 || blockSize > MAX_PIXELS_PER_BLOCK || blockSize % 2 !== 0) {
    fail(`expected an even number of pixels per block up to ${MAX_PIXELS_PER_BLOCK}, got ${blockSize}`);
  }
  if (pixelBits === 0 || (pixelBits > 32 && pixelBits !== 64)) {
    fail(`expected 1 to 32 or 64 bits per pixel, got ${pixelBits}`);
  }
  if (lineSize === 0 || lineSize > MAX_PIXELS_PER_SCANLINE) {
    fail(`expected 1 to ${MAX_PIXELS_PER_SCANLINE} pixels per scanline, got ${lineSize}`);
  }
  const planes = pixelBits >= 32 ? pixelBits / 8 : 1;
  const bits = planes > 1 ? 8 : pixelBits;
  return {
    predicted: (mask & NEAREST_NEIGHBOUR) !== 0,
    bigEndian: (mask & BIG_ENDIAN) !== 0,
    blockSize,
    bits,
    sampleBytes: bits > 16 ? 4 : bits > 8 ? 2 : 1,
    planes,
    lineSize,
    optionWidth: bits > 16 ? 5 : bits > 8 ? 4 : 3,
  };
}

/** The lowest `width` bits, 1 to 31, set. */
export function ones(width: number): number {
  return ((1 << width) - 1) >>> 0;
}
