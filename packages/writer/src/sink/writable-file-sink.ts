import { ioFailure } from "@h5/framing";
import type { ByteSink } from "./byte-sink.ts";

/** The part of a `FileSystemWritableFileStream` a sink needs. */
export interface WritableFileLike {
  write(chunk: {
    readonly type: "write";
    readonly position: number;
    readonly data: Uint8Array<ArrayBuffer>;
  }): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}

/**
 * A sink over a file of the browser's file system, the origin's private one or the user's: what `createWritable()` of a
 * `FileSystemFileHandle` gives. Takes every file. The browser shows nothing under the file's name until all is written,
 * and drops what was written where it fails.
 *
 * Its steps throw SourceError, with the browser's error as `cause`.
 */
export function writableFileSink(stream: WritableFileLike): ByteSink {
  return {
    async write(position, data) {
      try {
        await stream.write({ type: "write", position, data });
      } catch (error) {
        throw ioFailure(error, `writing ${data.length} bytes at ${position}`);
      }
    },
    async close() {
      try {
        await stream.close();
      } catch (error) {
        throw ioFailure(error, "closing the file");
      }
    },
    abort: (reason) => stream.abort(reason),
  };
}
