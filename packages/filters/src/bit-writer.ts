/** Writes bit fields, most significant bit first, into a buffer of a given size; what does not fit is dropped. */
export class BitWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #at: number;
  /** Bits left in the byte at `#at`. */
  #free: number = 8;

  constructor(bytes: Uint8Array<ArrayBuffer>, start: number) {
    this.bytes = bytes;
    this.#at = start;
  }

  /** Bytes written whole, also where they do not fit. */
  get wholeBytes(): number {
    return this.#at;
  }

  /** Bytes begun. */
  get length(): number {
    return this.#at + (this.#free < 8 ? 1 : 0);
  }

  /** The lowest `width` bits, 0 to 32, of a value. */
  write(value: number, width: number): void {
    for (let left = width; left > 0; ) {
      const taken = Math.min(left, this.#free);
      left -= taken;
      this.#free -= taken;
      this.bytes[this.#at]! |= ((value >>> left) & ((1 << taken) - 1)) << this.#free;
      if (this.#free > 0) continue;
      this.#at++;
      this.#free = 8;
    }
  }

  /** Zeros and a one. */
  zeros(count: number): void {
    const end = 8 - this.#free + count;
    this.#at += Math.floor(end / 8);
    this.#free = 8 - (end % 8);
    this.write(1, 1);
  }
}
