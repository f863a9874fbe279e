/** One call to a source, `[start, end)`. */
export interface CountedRead {
  readonly start: number;
  readonly end: number;
}

/** A byte source that remembers what it was asked for. Structural: it has the shape of `ByteSource`. */
export interface CountingSource {
  readonly byteLength: number;
  slice(start: number, end: number): Promise<Uint8Array>;
  /** The reads so far, in order. */
  readonly reads: CountedRead[];
  /** Number of reads so far. */
  readonly requests: number;
  /** Bytes answered so far. */
  readonly bytesRead: number;
  reset(): void;
}

/** Counts requests and bytes over bytes in memory, or made as they are asked for; answers asynchronously and never peeks, as a remote source does. */
export function countingSource(bytes: Pick<Uint8Array, "length" | "slice">): CountingSource {
  const reads: CountedRead[] = [];
  return {
    byteLength: bytes.length,
    reads,
    get requests() {
      return reads.length;
    },
    get bytesRead() {
      return reads.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, bytes.length) - start), 0);
    },
    async slice(start, end) {
      reads.push({ start, end });
      return bytes.slice(start, end);
    },
    reset() {
      reads.length = 0;
    },
  };
}
