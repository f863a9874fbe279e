import { LruMap } from "@h5/framing";

/** Tells what became of a chunk that others may wait for: its bytes, or that they were not had. */
export type Tell = (bytes?: Uint8Array) => void;

/**
 * Decoded chunks of which reads have wanted a part, for those that want another: the least recently used are dropped.
 * A chunk that one read decodes is not decoded by others meanwhile.
 */
export class ChunkCache {
  readonly #kept: LruMap<string, Uint8Array>;
  readonly #coming: Map<string, Promise<Uint8Array | undefined>> = new Map();

  constructor(maxBytes: number) {
    this.#kept = new LruMap(maxBytes);
  }

  get maxBytes(): number {
    return this.#kept.bound;
  }

  /** The bytes of a chunk, not to be written to, or what the read that decodes it comes to: nothing where that fails. */
  get(key: string): Uint8Array | Promise<Uint8Array | undefined> | undefined {
    return this.#kept.get(key) ?? this.#coming.get(key);
  }

  /** Says that a chunk is being decoded; what it gives is to be called once. */
  expect(key: string): Tell {
    let tell: (bytes: Uint8Array | undefined) => void;
    this.#coming.set(
      key,
      new Promise((resolve) => {
        tell = resolve;
      }),
    );
    return (bytes) => {
      if (bytes !== undefined) this.#kept.set(key, bytes, bytes.length);
      this.#coming.delete(key);
      tell(bytes);
    };
  }
}
