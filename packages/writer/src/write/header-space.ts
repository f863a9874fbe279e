import { type FileSpace, lookup3 } from "@h5/framing";

/** Bytes there is room for at the start. */
const FIRST = 4096;

/** The front of the file, where all object headers are: room is taken from the file, and what is put goes into one buffer. */
export class HeaderSpace implements FileSpace {
  readonly offsetSize = 8;
  readonly lengthSize = 8;
  readonly #space: FileSpace;
  /** Address of the first byte, where the file ended before. */
  #start: number | undefined;
  #used = 0;
  #buffer = new Uint8Array(FIRST);

  constructor(space: FileSpace) {
    this.#space = space;
  }

  /** All headers; nothing else may have been given room between them. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#used);
  }

  allocate(size: number): number {
    const address = this.#space.allocate(size);
    this.#start ??= address;
    this.#used = address + size - this.#start;
    if (this.#used > this.#buffer.length) {
      const longer = new Uint8Array(Math.max(this.#used, 2 * this.#buffer.length));
      longer.set(this.#buffer);
      this.#buffer = longer;
    }
    return address;
  }

  put(address: number, bytes: Uint8Array): void {
    this.#buffer.set(bytes, address - this.#start!);
  }

  /** Puts the checksum of `length` bytes behind them. */
  seal(address: number, length: number): void {
    const at = address - this.#start!;
    const checksum = lookup3(this.#buffer.subarray(at, at + length));
    new DataView(this.#buffer.buffer).setUint32(at + length, checksum, true);
  }
}
