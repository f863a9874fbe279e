/**
 * Buffers that are used again: new memory costs more than what is done with it, page for page, until the system has
 * handed it out.
 */
export class SpareBuffers {
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];

  /** A buffer of `length` bytes that holds anything. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const spare = this.#spare.pop();
    if (spare !== undefined && spare.buffer.byteLength >= length) return new Uint8Array(spare.buffer, 0, length);
    return new Uint8Array(length);
  }

  /** Gives back what nobody looks at any more. */
  give(buffer: Uint8Array<ArrayBuffer>): void {
    this.#spare.push(buffer);
  }
}
