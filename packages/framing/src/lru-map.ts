interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** A map that forgets its least recently used entries, so that their weights never sum to more than `bound`. */
export class LruMap<K, V> {
  readonly bound: number;
  readonly #entries: Map<K, Entry<V>>;
  #weight: number;
  /** The key that was used last, which most often is used next. */
  #latest: K | undefined;

  constructor(bound: number) {
    this.bound = bound;
    this.#entries = new Map();
    this.#weight = 0;
  }

  /** What the entries weigh together. */
  get weight(): number {
    return this.#weight;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The value of `key`, which counts as used now. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined && key !== this.#latest) this.#use(key, entry);
    return entry?.value;
  }

  /** Keeps `value`, unless it alone is above the bound: it would drive out all others, and itself. */
  set(key: K, value: V, weight: number): void {
    this.#drop(key);
    if (weight > this.bound) return;
    this.#use(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.bound) return;
      this.#drop(oldest);
    }
  }

  #use(key: K, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#latest = key;
  }

  #drop(key: K): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
