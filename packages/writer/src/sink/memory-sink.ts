import { InvalidArgumentError, SourceError } from "@h5/framing";
import type { ByteSink } from "./byte-sink.ts";

/** A {@link ByteSink} in memory. */
export interface MemorySink extends ByteSink {
  /** End of the last byte written. */
  readonly byteLength: number;
  write(position: number, bytes: Uint8Array): void;
  /** A copy of what was written; zeros where nothing was. */
  bytes(): Uint8Array<ArrayBuffer>;
}

/** Bytes a sink begins with. */
const FIRST = 4096;

/**
 * A sink that grows as it is written to, in any order.
 *
 * Its `write` throws InvalidArgumentError for a position that is no whole number from 0 to 2^53−1, SourceError for a file
 * too large for memory.
 */
export function memorySink(): MemorySink {
  let buffer = new Uint8Array(FIRST);
  let end = 0;
  return {
    get byteLength(): number {
      return end;
    },
    write(position: number, bytes: Uint8Array): void {
      const after = position + bytes.length;
      if (!Number.isSafeInteger(after) || position < 0) {
        throw new InvalidArgumentError(`no position ${position} for ${bytes.length} bytes`);
      }
      if (after > buffer.length) buffer = grown(buffer, after);
      buffer.set(bytes, position);
      end = Math.max(end, after);
    },
    bytes: () => buffer.slice(0, end),
  };
}

/** Doubled at least, so that many small writes cost no more than one large one. */
function grown(buffer: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = allocated(Math.max(needed, buffer.length * 2));
  larger.set(buffer);
  return larger;
}

function allocated(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new SourceError(`there is no memory for a file of ${size} bytes`, { cause });
  }
}
