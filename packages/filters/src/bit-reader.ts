/**
 * Reads bit fields, most significant bit first, as nbit, scale-offset and szip pack them. What to throw past the end is
 * the filter's to say.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #fail: () => never;
  #at: number;
  /** The last bytes taken; the low `#count` bits of it are still to be read. */
  #word: number = 0;
  #count: number = 0;

  constructor(bytes: Uint8Array, start: number, fail: () => never) {
    this.#bytes = bytes;
    this.#at = start;
    this.#fail = fail;
  }

  /** An unsigned field of 0 to 32 bits. */
  read(width: number): number {
    return width <= 24 ? this.#short(width) : this.#short(width - 16) * 65536 + this.#short(16);
  }

  #short(width: number): number {
    while (this.#count < width) this.#more();
    this.#count -= width;
    return (this.#word >>> this.#count) & ((1 << width) - 1);
  }

  /** The number of zeros before the next one; takes them and the one. */
  zeros(): number {
    let zeros = 0;
    for (;;) {
      const rest = this.#word & ((1 << this.#count) - 1);
      if (rest !== 0) {
        const highest = 31 - Math.clz32(rest);
        zeros += this.#count - 1 - highest;
        this.#count = highest;
        return zeros;
      }
      zeros += this.#count;
      this.#count = 0;
      this.#more();
    }
  }

  #more(): void {
    if (this.#at >= this.#bytes.length) this.#fail();
    this.#word = (this.#word << 8) | this.#bytes[this.#at++]!;
    this.#count += 8;
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [stepBytes, stepBits] = [Math.floor(step / 8), step % 8];
  const lastWord = bytes.length - 4;
  let at = Math.floor(first / 8);
  let bit = first % 8;
  for (let i = 0; i < out.length; i++) {
    let word = (at <= lastWord ? view.getInt32(at) : endWord(bytes, at)) << bit;
    if (bit + width > 32) word |= bytes[at + 4]! >>> (8 - bit);
    out[i] = word >>> down;
    bit += stepBits;
    at += stepBytes + (bit >>> 3);
    bit &= 7;
  }
}

function endWord(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++) word = (word << 8) | (bytes[i] ?? 0);
  return word;
}
