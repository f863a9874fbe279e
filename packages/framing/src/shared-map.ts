import { joinWork, type SharedWork, shareWork } from "./abort.ts";

/** Work by key that is done once, however many ask for it, and whose outcome is kept; what fails is forgotten. */
export class SharedMap<K, V> {
  readonly #works: Map<K, SharedWork<V>>;

  constructor() {
    this.#works = new Map();
  }

  /** The outcome for a key. An aborted `signal` ends this wait alone; the work goes on while others wait for it. */
  get(key: K, start: (signal: AbortSignal) => Promise<V>, signal?: AbortSignal | undefined): Promise<V> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    let work = this.#works.get(key);
    if (work === undefined || work.abandoned) work = this.#begin(key, start);
    return joinWork([work], signal).then(([value]) => value as V);
  }

  #begin(key: K, start: (signal: AbortSignal) => Promise<V>): SharedWork<V> {
    const work = shareWork(start);
    this.#works.set(key, work);
    work.result.catch(() => {
      if (this.#works.get(key) === work) this.#works.delete(key);
    });
    return work;
  }
}
