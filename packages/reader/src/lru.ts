/** A map that forgets its least recently used entries, so that their weights never sum to more than a bound. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>();
  readonly #bound: number;
  #total: number = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, weight: number): void {
    const old = this.#entries.get(key);
    if (old !== undefined) this.#total -= old.weight;
    this.#entries.delete(key);
    // It would drive out all others, and itself.
    if (weight > this.#bound) return;
    this.#entries.set(key, { value, weight });
    this.#total += weight;
    if (this.#total <= this.#bound) return;
    for (const [oldest, entry] of this.#entries) {
      if (this.#total <= this.#bound) break;
      this.#entries.delete(oldest);
      this.#total -= entry.weight;
    }
  }
}
