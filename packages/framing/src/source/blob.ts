import { abortable } from "../abort.ts";
import type { ByteSource } from "../byte-source.ts";
import { ioFailure } from "../errors.ts";

/** The part of a `Blob` (or `File`) a source needs. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A source over a `Blob` or `File`, read piece by piece. A `File` that changes on disk is a `SourceError`. */
export function blobSource(blob: BlobLike): ByteSource {
  return {
    byteLength: blob.size,
    async slice(start, end, { signal } = {}) {
      signal?.throwIfAborted();
      try {
        return await abortable(blob.slice(start, end).arrayBuffer(), signal);
      } catch (error) {
        throw ioFailure(error, `reading bytes [${start}, ${end}) of a blob`, signal);
      }
    },
  };
}
