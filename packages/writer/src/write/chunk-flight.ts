import type { EncodedChunk } from "@h5/filters";
import { abortable } from "@h5/framing";

/** Chunks that are with their filters at a time. */
const MOST = 4;

interface Encoding {
  readonly coordinate: readonly number[];
  readonly encoded: Promise<EncodedChunk>;
}

/**
 * Chunks on their way through filters that take their time, several at once. They are stored in the order in which they
 * came, whichever is done first, so that the same data gives the same file.
 */
export class ChunkFlight {
  readonly #store: (coordinate: readonly number[], chunk: EncodedChunk) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting: Encoding[] = [];

  constructor(store: (coordinate: readonly number[], chunk: EncodedChunk) => void, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#signal = signal;
  }

  /** Takes a chunk; waits for the first one to land where there are many. */
  async add(coordinate: readonly number[], encoded: EncodedChunk | Promise<EncodedChunk>): Promise<void> {
    if ("bytes" in encoded && this.#waiting.length === 0) {
      this.#store(coordinate, encoded);
      return;
    }
    const promise = Promise.resolve(encoded);
    // Its failure is told when its turn comes, which never does where another fails before.
    promise.catch(() => {});
    this.#waiting.push({ coordinate, encoded: promise });
    if (this.#waiting.length >= MOST) await this.#land();
  }

  /** Waits for all chunks to be stored. */
  async finish(): Promise<void> {
    while (this.#waiting.length > 0) await this.#land();
  }

  async #land(): Promise<void> {
    const { coordinate, encoded } = this.#waiting.shift()!;
    this.#store(coordinate, await abortable(encoded, this.#signal));
  }
}
