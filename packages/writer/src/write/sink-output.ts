import type { ByteSink } from "../sink/byte-sink.ts";

/** Bytes a sink is given at a time: with fewer, files are written slower. */
const PIECE = 8 << 20;

/** How far a write is. */
export interface WriteProgress {
  /** Bytes the sink has taken. */
  readonly bytesWritten: number;
  /** Bytes of the whole file, once they are known: from the start for sequential sinks, near the end for others. */
  readonly totalBytes?: number | undefined;
}

/** Options of writing. */
export interface WriteOptions {
  /** Ends the write with its reason; what the sink got is worth nothing then. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each piece that the sink has taken. What it throws ends the write. */
  readonly onProgress?: ((done: WriteProgress) => void) | undefined;
}

/** A sink with what the caller wants to know and say while it is written to. */
export class SinkOutput {
  readonly sequential: boolean;
  readonly #sink: ByteSink;
  readonly #options: WriteOptions;
  #bytesWritten = 0;
  /** Bytes of the whole file, once they are known. */
  totalBytes: number | undefined;

  constructor(sink: ByteSink, options: WriteOptions) {
    this.sequential = sink.sequential ?? false;
    this.#sink = sink;
    this.#options = options;
  }

  /** Throws the signal's reason once it has aborted. */
  check(): void {
    this.#options.signal?.throwIfAborted();
  }

  async write(position: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { signal, onProgress } = this.#options;
    for (let at = 0; at < bytes.length; at += PIECE) {
      this.check();
      const piece = bytes.subarray(at, at + PIECE);
      await this.#sink.write(position + at, piece, { signal });
      this.check();
      this.#bytesWritten += piece.length;
      onProgress?.({ bytesWritten: this.#bytesWritten, totalBytes: this.totalBytes });
    }
  }
}
