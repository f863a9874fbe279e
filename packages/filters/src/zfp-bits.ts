/** Reads bits, the lowest of each byte first, as zfp packs them. Past the end come zeros; {@link ZfpBits.over} tells. */
export class ZfpBits {
  readonly #bytes: Uint8Array;
  /** Bits taken so far. */
  position: number = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether more bits were taken than there are. */
  get over(): boolean {
    return this.position > 8 * this.#bytes.length;
  }

  /** The next 0 to 53 bits as a number. */
  read(width: number): number {
    const end = this.position + width;
    let value = 0;
    for (let weight = 1; this.position < end; this.position++, weight *= 2) {
      const byte = this.#bytes[Math.floor(this.position / 8)];
      if (byte !== undefined && ((byte >>> (this.position % 8)) & 1) === 1) value += weight;
    }
    return value;
  }

  /** Leaves bits out, none where there are fewer than 0. */
  skip(count: number): void {
    this.position += Math.max(0, count);
  }
}
