/** Bytes that share memory, and the most that are put there. */
const TOGETHER = 65536;
const SMALL = 1024;

/** The bytes of very many small values: a buffer for each takes hundreds of bytes besides its own. */
export class SmallBytes {
  #room = new Uint8Array(0);

  /** What to keep of bytes that nobody changes: a copy where they are few. */
  kept(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const { length } = bytes;
    if (length > SMALL) return bytes;
    if (length > this.#room.length) this.#room = new Uint8Array(TOGETHER);
    const copy = this.#room.subarray(0, length);
    copy.set(bytes);
    // Filters, the caller's own too, may look at elements as numbers, which must lie at a multiple of their size.
    this.#room = this.#room.subarray(Math.ceil(length / 8) * 8);
    return copy;
  }
}
