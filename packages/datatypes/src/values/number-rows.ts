import type { FloatArray } from "./float-bits.ts";
import type { IntegerArray } from "./integers.ts";
import type { ByteSpan } from "./options.ts";

/** What rows of numbers come in. */
export type Numbers = IntegerArray | FloatArray;

/** Bytes of one block: large enough to make a decoder's call cheap, small beside any heap that is worth it. */
const BLOCK = 65536;
/** Rows of more bytes are decoded by themselves. */
const LARGE = 4096;
/** Up to so many bytes a loop is faster than making a view to copy from. */
const SHORT = 48;

/**
 * Turns many short rows of numbers into typed arrays. They are collected into blocks that are decoded at once; each row is
 * a view of its part of one, since memory of its own takes longer to get than the row to decode.
 */
export class NumberRows {
  readonly #size: number;
  readonly #decode: (bytes: Uint8Array, count: number) => Numbers;
  readonly #rows: Numbers[] = [];
  readonly #block: Uint8Array = new Uint8Array(BLOCK);
  /** Where each row in the block ends, in elements. */
  readonly #ends: number[] = [];
  #used = 0;

  /** @param size - bytes of an element */
  constructor(size: number, decode: (bytes: Uint8Array, count: number) => Numbers) {
    this.#size = size;
    this.#decode = decode;
  }

  /** Appends the first `count` elements of a span, which holds them. */
  add({ bytes, start }: ByteSpan, count: number): void {
    const length = count * this.#size;
    if (length > BLOCK - this.#used || length > LARGE) this.#flush();
    if (length > LARGE) {
      this.#rows.push(this.#decode(bytes.subarray(start, start + length), count));
      return;
    }
    const block = this.#block;
    const used = this.#used;
    if (length > SHORT) block.set(bytes.subarray(start, start + length), used);
    else for (let k = 0; k < length; k++) block[used + k] = bytes[start + k]!;
    this.#used = used + length;
    this.#ends.push(this.#used / this.#size);
  }

  #flush(): void {
    const ends = this.#ends;
    const numbers = this.#decode(this.#block.subarray(0, this.#used), this.#used / this.#size);
    let start = 0;
    for (const end of ends) {
      this.#rows.push(numbers.subarray(start, end));
      start = end;
    }
    ends.length = 0;
    this.#used = 0;
  }

  /** The rows, in the order they were added. */
  finish(): Numbers[] {
    this.#flush();
    return this.#rows;
  }
}
