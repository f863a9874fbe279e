import type { ZfpBits } from "./zfp-bits.ts";

/** Kinds of numbers in a field, as its header counts them. */
export interface ZfpScalar {
  readonly bytes: 4 | 8;
  /** Bits of the exponent of a block; 0 for integers, which have none. */
  readonly exponentBits: number;
}

/** How many bits, bit planes and what exponents a block may have (zfp.h, `zfp_stream`). */
export interface ZfpMode {
  readonly minBits: number;
  readonly maxBits: number;
  readonly maxPlanes: number;
  /** Of the smallest bit that counts. */
  readonly minExponent: number;
}

/** An exponent below that of the smallest double: the field is lossless (zfp.h, `ZFP_MIN_EXP`). */
const REVERSIBLE_BELOW = -1074;

/**
 * Decodes one block after another: 4 numbers along each of 1 to 4 dimensions (template/decode*.c of zfp 1.0, and the
 * algorithm section of its documentation). A block is
 *
 *     1      only for floating point: not all zero
 *     1      only for lossless floating point: has no common exponent, its bits are those of integers
 *     e      the exponent, biased
 *     5, 6   only where lossless: bit planes, less one
 *     …      bit planes of the coefficients, from the highest on
 */
export class ZfpBlocks {
  /** The numbers of the latest block, the first dimension varying fastest. */
  readonly numbers: DataView;
  readonly #bits: ZfpBits;
  readonly #mode: ZfpMode;
  readonly #scalar: ZfpScalar;
  readonly #dims: number;
  readonly #littleEndian: boolean;
  readonly #order: readonly number[];
  /** Of each coefficient, in the order of the stream; `#high` of wide ones only. */
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #narrow: Int32Array;
  readonly #wide: BigInt64Array;

  constructor(bits: ZfpBits, mode: ZfpMode, scalar: ZfpScalar, dims: number, littleEndian: boolean) {
    const size = 4 ** dims;
    const wide = scalar.bytes === 8 ? size : 0;
    this.numbers = new DataView(new ArrayBuffer(size * scalar.bytes));
    this.#bits = bits;
    this.#mode = mode;
    this.#scalar = scalar;
    this.#dims = dims;
    this.#littleEndian = littleEndian;
    this.#order = coefficientOrder(dims);
    this.#low = new Uint32Array(size);
    this.#high = new Uint32Array(wide);
    this.#narrow = new Int32Array(size - wide);
    this.#wide = new BigInt64Array(wide);
  }

  /** Decodes the next block into `numbers`. */
  next(): void {
    const { minBits, maxBits, maxPlanes, minExponent } = this.#mode;
    const { bytes, exponentBits } = this.#scalar;
    const reversible = minExponent < REVERSIBLE_BELOW;
    const bits = this.#bits;
    const start = bits.position;
    const bias = 2 ** (exponentBits - 1) - 1;
    let exponent: number | undefined;
    let planes = maxPlanes;
    const nonzero = exponentBits === 0 || bits.read(1) === 1;
    if (nonzero) {
      if (exponentBits > 0 && (!reversible || bits.read(1) === 0)) exponent = bits.read(exponentBits) - bias;
      if (reversible) planes = bits.read(bytes === 8 ? 6 : 5) + 1;
      else if (exponent !== undefined) {
        planes = Math.min(maxPlanes, Math.max(0, exponent - minExponent + 2 * this.#dims + 2));
      }
      this.#readPlanes(planes, maxBits - (bits.position - start));
    }
    bits.skip(minBits - (bits.position - start));
    if (!nonzero) {
      new Uint8Array(this.numbers.buffer).fill(0);
      return;
    }
    this.#transform(reversible);
    this.#put(exponent);
  }

  /**
   * Reads bit planes of all coefficients: of as many as had a bit in an earlier plane the bits as they are, then for the
   * others, until a 0 says that there is none, the distance to the next 1 in ones less than it.
   */
  #readPlanes(planes: number, most: number): void {
    const [low, high, bits] = [this.#low, this.#high, this.#bits];
    const size = low.length;
    low.fill(0);
    high.fill(0);
    const top = 8 * this.#scalar.bytes;
    let rest = most;
    let known = 0;
    for (let plane = top - 1; plane >= Math.max(0, top - planes) && rest > 0; plane--) {
      const words = plane < 32 ? low : high;
      const bit = 1 << (plane & 31);
      const told = Math.min(known, rest);
      for (let i = 0; i < told; i++) if (bits.read(1) === 1) words[i]! |= bit;
      rest -= told;
      while (known < size && rest > 0) {
        rest--;
        if (bits.read(1) === 0) break;
        while (known < size - 1 && rest > 0) {
          rest--;
          if (bits.read(1) === 1) break;
          known++;
        }
        words[known++]! |= bit;
      }
    }
  }

  /** Coefficients, whose base is -2, to numbers. */
  #transform(reversible: boolean): void {
    const [low, high, narrow, wide, order] = [this.#low, this.#high, this.#narrow, this.#wide, this.#order];
    for (let i = 0; i < narrow.length; i++) narrow[order[i]!] = (low[i]! ^ 0xaaaaaaaa) - 0xaaaaaaaa;
    for (let i = 0; i < wide.length; i++) {
      const word = (BigInt(high[i]!) << 32n) | BigInt(low[i]!);
      wide[order[i]!] = (word ^ 0xaaaaaaaaaaaaaaaan) - 0xaaaaaaaaaaaaaaaan;
    }
    for (let step = low.length / 4; step >= 1; step /= 4) {
      for (let i = 0; i < low.length; i++) {
        // The first of four along this dimension.
        if (Math.floor(i / step) % 4 !== 0) continue;
        if (narrow.length > 0) (reversible ? addUpNarrow : liftNarrow)(narrow, i, step);
        else (reversible ? addUpWide : liftWide)(wide, i, step);
      }
    }
  }

  /** Integers as they are, or times a power of two; lossless floating point without an exponent has the bits of them. */
  #put(exponent: number | undefined): void {
    const [numbers, narrow, wide, little] = [this.numbers, this.#narrow, this.#wide, this.#littleEndian];
    const bitsOfFloats = this.#scalar.exponentBits > 0;
    if (exponent !== undefined) {
      const scale = 2 ** (exponent - 8 * this.#scalar.bytes + 2);
      const single = Math.fround(scale);
      for (let i = 0; i < narrow.length; i++) numbers.setFloat32(4 * i, Math.fround(narrow[i]!) * single, little);
      for (let i = 0; i < wide.length; i++) numbers.setFloat64(8 * i, Number(wide[i]) * scale, little);
      return;
    }
    // A negative number has the sign and the bits inverted.
    for (let i = 0; i < narrow.length; i++) {
      const number = narrow[i]!;
      numbers.setInt32(4 * i, bitsOfFloats && number < 0 ? number ^ 0x7fffffff : number, little);
    }
    for (let i = 0; i < wide.length; i++) {
      const number = wide[i]!;
      numbers.setBigInt64(8 * i, bitsOfFloats && number < 0n ? number ^ 0x7fffffffffffffffn : number, little);
    }
  }
}

/** Undoes the lifting of four numbers, `step` apart. */
function liftNarrow(p: Int32Array, at: number, step: number): void {
  let [x, y, z, w] = [p[at]!, p[at + step]!, p[at + 2 * step]!, p[at + 3 * step]!];
  y = (y + (w >> 1)) | 0;
  w = (w - (y >> 1)) | 0;
  y = (y + w) | 0;
  w = (2 * w - y) | 0;
  z = (z + x) | 0;
  x = (2 * x - z) | 0;
  y = (y + z) | 0;
  z = (2 * z - y) | 0;
  w = (w + x) | 0;
  x = (2 * x - w) | 0;
  p[at] = x;
  p[at + step] = y;
  p[at + 2 * step] = z;
  p[at + 3 * step] = w;
}

function liftWide(p: BigInt64Array, at: number, step: number): void {
  let [x, y, z, w] = [p[at]!, p[at + step]!, p[at + 2 * step]!, p[at + 3 * step]!];
  y += w >> 1n;
  w -= y >> 1n;
  y += w;
  w = 2n * w - y;
  z += x;
  x = 2n * x - z;
  y += z;
  z = 2n * z - y;
  w += x;
  x = 2n * x - w;
  p[at] = x;
  p[at + step] = y;
  p[at + 2 * step] = z;
  p[at + 3 * step] = w;
}

/** Undoes three times the differences between neighbours of four, `step` apart: the lossless transform. */
function addUpNarrow(p: Int32Array, at: number, step: number): void {
  for (const first of [3, 2, 1]) {
    for (let i = first; i < 4; i++) p[at + i * step]! += p[at + (i - 1) * step]!;
  }
}

function addUpWide(p: BigInt64Array, at: number, step: number): void {
  for (const first of [3, 2, 1]) {
    for (let i = first; i < 4; i++) p[at + i * step]! += p[at + (i - 1) * step]!;
  }
}

/**
 * Places in a block, in hex, of the coefficients as the stream has them: by the sum of their indices, then of the squares
 * (template/codec*.c, `perm`).
 */
const ORDERS = [
  "00010203",
  "0001040502080609030c0a070d0b0e0f",
  "0001041014110502082015061218092124030c3016192528220a07131c0d313429261a171d350b232c0e32382a1b272d1e36393c330f2b2e3a3d371f3e3b2f3f",
  "00010410400550114441140208208054514515061242184809602124818490030c30c0555246164919582564619491850aa0228882280713431c4c0d703134c1c4d056596595a189298626a41a989268624a5347174d1d5c357471d4d1c50b23832c8c0eb03238c2c8e05aa566999669a8a28a2a575d75d51b4b632787936c2d8d9c1e4eb1b436727839c6d2d8c9e1e40ff033ccc33ca9a69a6a5b67976d9d5eb57679d6d9e5a38b2b8e2eac3ab8b2e8e2caf1cd3dc737f41fdcd37c734faaa79b6b9e6ead7ab9b6e9e6da5ff577ddd77df2ce3ecb3bf82fece3bcb38fabaebaeaf6de7edb7bf96fede7bdb79ffcf3cf3faffabbeeebbefdf7df7ffefbefbfff",
];

function coefficientOrder(dims: number): number[] {
  const hex = ORDERS[dims - 1]!;
  return Array.from({ length: 4 ** dims }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}
