/**
 * Buffers that are used again: new memory costs more than what is done with it, page for page, until the system has
 * handed it out.
 */
export class SpareBuffers {
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  readonly #maxBytes: number;
  #bytes: number = 0;

  /** @param maxBytes - how much is kept of them */
  constructor(maxBytes: number = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** A buffer of `length` bytes that holds anything. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const spare = this.#spare.pop();
    if (spare === undefined) return new Uint8Array(length);
    this.#bytes -= spare.buffer.byteLength;
    return spare.buffer.byteLength < length ? new Uint8Array(length) : new Uint8Array(spare.buffer, 0, length);
  }

  /** Gives back what nobody looks at any more. */
  give(buffer: Uint8Array<ArrayBuffer>): void {
    const { byteLength } = buffer.buffer;
    if (this.#bytes + byteLength > this.#maxBytes) return;
    this.#bytes += byteLength;
    this.#spare.push(buffer);
  }
}
