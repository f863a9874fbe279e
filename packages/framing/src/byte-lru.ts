/** Byte arrays by key, the least recently used dropped first once they hold more than `maxBytes` together. */
export class ByteLru<K> {
  readonly maxBytes: number;
  readonly #entries: Map<K, Uint8Array>;
  #bytes: number;
  /** The key that was used last, which most often is used next. */
  #latest: K | undefined;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#entries = new Map();
    this.#bytes = 0;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#bytes;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The bytes of `key`, which count as used now. */
  get(key: K): Uint8Array | undefined {
    const bytes = this.#entries.get(key);
    if (bytes !== undefined && key !== this.#latest) {
      this.#entries.delete(key);
      this.#entries.set(key, bytes);
      this.#latest = key;
    }
    return bytes;
  }

  /** Keeps `bytes`, unless they alone are above the bound. */
  set(key: K, bytes: Uint8Array): void {
    this.#drop(key);
    if (bytes.length > this.maxBytes) return;
    this.#entries.set(key, bytes);
    this.#latest = key;
    this.#bytes += bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: K): void {
    this.#bytes -= this.#entries.get(key)?.length ?? 0;
    this.#entries.delete(key);
  }
}
