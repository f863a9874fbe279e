/**
 * Reads bit fields, most significant bit first, as szip and bzip2 pack them. What to throw past the end is
 * the filter's to say.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #fail: () => never;
  #at: number;
  /** Bits of the byte at `#at` that are taken: 0 to 7. */
  #bit: number = 0;

  constructor(bytes: Uint8Array, start: number, fail: () => never) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#fail = fail;
    this.#at = start;
  }

  /** An unsigned field of 0 to 32 bits. */
  read(width: number): number {
    let word = this.#word(width);
    const bit = this.#bit;
    if (bit + width > 32) word |= this.#bytes[this.#at + 4]! >>> (8 - bit);
    this.#skip(width);
    // A shift by 32 would be none.
    return width === 0 ? 0 : word >>> (32 - width);
  }

  /** The next 1 to 25 bits, which stay; past the end come zeros. */
  peek(width: number): number {
    return this.#word(0) >>> (32 - width);
  }

  /** Takes bits. */
  skip(width: number): void {
    this.#skip(width);
    if (8 * this.#at + this.#bit > 8 * this.#bytes.length) this.#fail();
  }

  /** The number of zeros before the next one; takes them and the one. */
  zeros(): number {
    for (let zeros = 0; ; ) {
      const word = this.#word(1);
      const run = Math.clz32(word);
      if (word !== 0) {
        this.#skip(run + 1);
        return zeros + run;
      }
      zeros += 32 - this.#bit;
      this.#skip(32 - this.#bit);
    }
  }

  /** `zeros`, times 2^`shift`, for each of `out[start, end)`. */
  manyZeros(out: Int32Array, start: number, end: number, shift: number): void {
    // Bits that are at hand, and how many were taken of them.
    let word = 0;
    let taken = 0;
    for (let i = start; i < end; i++) {
      if (word === 0) {
        this.#skip(taken);
        word = this.#word(1);
        taken = 0;
        if (word === 0) {
          out[i] = this.zeros() << shift;
          continue;
        }
      }
      const run = Math.clz32(word);
      out[i] = run << shift;
      word = (word << run) << 1;
      taken += run + 1;
    }
    this.#skip(taken);
  }

  /** Adds a field of 1 to 32 bits to each of `out[start, end)`. */
  addFields(out: Int32Array, start: number, end: number, width: number): void {
    const bytes = this.#bytes;
    const view = this.#view;
    const at = this.#at;
    const bits = (end - start) * width;
    if (8 * at + this.#bit + bits > 8 * bytes.length) this.#fail();
    const down = 32 - width;
    // Sums of integers of 32 bits, or they would be floating-point ones.
    if (width <= 25 && at + (bits >>> 3) + 5 <= bytes.length) {
      for (let i = start, bit = this.#bit; i < end; i++, bit += width) {
        out[i]! += ((view.getInt32(at + (bit >>> 3)) << (bit & 7)) >>> down) | 0;
      }
      this.#skip(bits);
    } else for (let i = start; i < end; i++) out[i]! += this.read(width) | 0;
  }

  #skip(bits: number): void {
    const end = this.#bit + bits;
    this.#at += end >>> 3;
    this.#bit = end & 7;
  }

  /** The next bits at the top of a word, 25 at least, of which there must be `needed`; past the end come zeros. */
  #word(needed: number): number {
    const at = this.#at;
    if (at + 4 < this.#bytes.length) return this.#view.getInt32(at) << this.#bit;
    if (8 * at + this.#bit + needed > 8 * this.#bytes.length) this.#fail();
    return endWord(this.#bytes, at) << this.#bit;
  }
}

/**
 * Fields of 0 to 32 bits, one for each element of `out`: the first from bit `first` of the bytes on, each `step` bits
 * after the one before. Past the end come zeros. Far faster than a reader, which keeps its place between any two fields.
 */
export function readFields(bytes: Uint8Array, first: number, step: number, width: number, out: Uint32Array): void {
  // A shift by 32 would be none.
  if (width === 0) {
    out.fill(0);
    return;
  }
  const down = 32 - width;
  const mask = -1 >>> down;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastWord = bytes.length - 4;
  // Every eighth field begins at the same bit of a byte. Integers throughout, which engines count on as such.
  for (let lane = 0; lane < 8; lane++) {
    const start = first + lane * step;
    const bit = start & 7;
    const below = down - bit;
    let at = (start - bit) / 8;
    let i = lane;
    if (below >= 0) {
      for (; i < out.length && at <= lastWord; i += 8, at += step) out[i] = (view.getInt32(at) >>> below) & mask;
    }
    for (; i < out.length; i += 8, at += step) {
      let word = (at <= lastWord ? view.getInt32(at) : endWord(bytes, at)) << bit;
      if (below < 0) word |= bytes[at + 4]! >>> (8 - bit);
      out[i] = word >>> down;
    }
  }
}

function endWord(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++) word = (word << 8) | (bytes[i] ?? 0);
  return word;
}
