import { decodeText, decodeUtf8 } from "@h5/framing";

/** Bytes of one block at most: large enough to make a decoder's call cheap, small enough to be kept alive by one string. */
const BLOCK = 16384;

/** Below this many strings a block costs more than it saves. */
const FEW = 32;

/**
 * Turns many short byte strings into text. They are collected into blocks that are decoded at once and cut, which is
 * several times faster than a call for each; a block with bytes that are not UTF-8 is decoded string by string.
 */
export class TextColumn {
  readonly #strings: string[];
  /** Taken once there is something to put in. */
  #block: Uint8Array | undefined;
  /** Of each string in the block: its index, where its bytes end and where its UTF-16 units end. */
  readonly #indexes: number[] = [];
  readonly #ends: number[] = [];
  readonly #unitEnds: number[] = [];
  #used = 0;
  #units = 0;
  #next = 0;

  constructor(count: number) {
    this.#strings = new Array<string>(count).fill("");
  }

  /** Appends an empty text. */
  skip(): void {
    this.#next++;
  }

  /** Appends the text in `bytes[start, end)`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const index = this.#next++;
    if (start >= end) return;
    if (end - start > BLOCK - this.#used) this.#flush();
    // A string that began inside a sequence could complete the one before it.
    if (this.#strings.length < FEW || end - start > BLOCK || isContinuation(bytes[start]!)) {
      this.#strings[index] = decodeText(bytes.subarray(start, end));
      return;
    }
    this.#copy(bytes, start, end);
    this.#indexes.push(index);
    this.#ends.push(this.#used);
    this.#unitEnds.push(this.#units);
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    this.#block ??= new Uint8Array(BLOCK);
    const block = this.#block;
    let used = this.#used;
    let units = this.#units;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      block[used++] = byte;
      if (byte < 128) units++;
      else if (!isContinuation(byte)) units += byte < 0xf0 ? 1 : 2;
    }
    this.#used = used;
    this.#units = units;
  }

  #flush(): void {
    if (this.#block === undefined) return;
    const bytes = this.#block.subarray(0, this.#used);
    const text = decodeUtf8(bytes);
    const ends = text === undefined ? this.#ends : this.#unitEnds;
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i]!;
      this.#strings[this.#indexes[i]!] =
        text === undefined ? decodeText(bytes.subarray(start, end)) : text.slice(start, end);
      start = end;
    }
    this.#indexes.length = 0;
    this.#ends.length = 0;
    this.#unitEnds.length = 0;
    this.#used = 0;
    this.#units = 0;
  }

  /** The strings, in the order they were added. */
  finish(): string[] {
    this.#flush();
    return this.#strings;
  }
}

/** Whether a byte is of the second to fourth of a UTF-8 sequence. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
