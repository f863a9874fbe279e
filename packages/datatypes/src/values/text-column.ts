import { decodeText, decodeUtf8 } from "@h5/framing";

/**
 * Bytes of one block at most. A string cut out of a block keeps all of it alive; but blocks as large as this are not
 * moved when memory is collected, which halves the time of a large column.
 */
const BLOCK = 262144;
/**
 * Bytes of one whose strings are short: engines copy such out of it, so that it is garbage at once, of a size for which
 * memory is used again.
 */
const FLEETING_BLOCK = 65536;
/** Bytes from which on V8 does not copy a part of a string, but points at it. */
const KEPT_BYTES = 13;
/** Bytes of a block for few strings. */
const SMALL_BLOCK = 16384;
/** Bytes a string is thought to have when a block is made. */
const LIKELY_BYTES = 32;
/** Strings of one block at most. */
const BLOCK_STRINGS = 16384;
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
  /** Where the bytes of each string in the block end; the last of them is that before `#next`. */
  readonly #ends: Uint32Array;
  #held = 0;
  #used = 0;
  /** Bytes to put in the block; what the strings of the one before it were like is what these are taken to be like. */
  #room = FLEETING_BLOCK;
  #next = 0;

  constructor(count: number) {
    this.#strings = new Array<string>(count).fill("");
    this.#ends = new Uint32Array(count < FEW ? 0 : Math.min(count, BLOCK_STRINGS));
  }

  /** Appends the text in `bytes[start, end)`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const few = this.#ends.length === 0;
    // A string that began inside a sequence could complete the one before it.
    if (few || end - start > SMALL_BLOCK || (end > start && isContinuation(bytes[start]!))) {
      this.#flush();
      if (end > start) this.#strings[this.#next] = decodeText(bytes.subarray(start, end));
      this.#next++;
      return;
    }
    this.#block ??= new Uint8Array(Math.min(BLOCK, Math.max(SMALL_BLOCK, this.#strings.length * LIKELY_BYTES)));
    const block = this.#block;
    if (end - start > Math.min(block.length, this.#room) - this.#used || this.#held === this.#ends.length)
      this.#flush();
    let used = this.#used;
    for (let at = start; at < end; at++) block[used++] = bytes[at]!;
    this.#used = used;
    this.#ends[this.#held++] = used;
    this.#next++;
  }

  #flush(): void {
    if (this.#used > 0) {
      const bytes = this.#block!.subarray(0, this.#used);
      const text = decodeUtf8(bytes);
      // Only of ASCII are there as many UTF-16 units as bytes.
      if (text === undefined) this.#cut((start, end) => decodeText(bytes.subarray(start, end)));
      else if (text.length === bytes.length) this.#cut((start, end) => text.slice(start, end));
      else this.#cutUnits(bytes, text);
      this.#room = this.#used < KEPT_BYTES * this.#held ? FLEETING_BLOCK : BLOCK;
    }
    this.#held = 0;
    this.#used = 0;
  }

  #cut(stringOf: (start: number, end: number) => string): void {
    const first = this.#next - this.#held;
    for (let i = 0, start = 0; i < this.#held; i++) {
      const end = this.#ends[i]!;
      this.#strings[first + i] = stringOf(start, end);
      start = end;
    }
  }

  #cutUnits(bytes: Uint8Array, text: string): void {
    let unit = 0;
    this.#cut((start, end) => {
      const first = unit;
      for (let at = start; at < end; at++) {
        const byte = bytes[at]!;
        if (!isContinuation(byte)) unit += byte < 0xf0 ? 1 : 2;
      }
      return text.slice(first, unit);
    });
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
