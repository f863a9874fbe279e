import { abortable, InvalidArgumentError } from "@h5/framing";
import type { ByteSink } from "./byte-sink.ts";

/** The part of a `WritableStream<Uint8Array>` a sink needs. */
export interface WritableStreamLike {
  readonly locked: boolean;
  getWriter(): {
    readonly ready: Promise<unknown>;
    write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
  };
}

/**
 * A sink over a stream, which cannot seek: an upload, the body of a response, a pipe (`Writable.toWeb(process.stdout)`).
 * Waits wherever the stream asks to wait.
 *
 * Takes every file whose data is in memory; it is then gone through twice, first to learn where everything will be, and
 * filters must give the same bytes both times. Of data that comes as blocks it takes what is contiguous and of fixed
 * size, since only there is the size known beforehand; writing a file with other such data is an InvalidArgumentError
 * that names the dataset. The superblock goes first: a stream that ends early was aborted, and must not be taken for a
 * file.
 *
 * Its steps throw what the stream fails with.
 *
 * @throws InvalidArgumentError for a stream that something else is writing to
 */
export function streamSink(stream: WritableStreamLike): ByteSink {
  if (stream.locked) throw new InvalidArgumentError("the stream is locked to another writer");
  const writer = stream.getWriter();
  let end = 0;
  return {
    sequential: true,
    async write(position, bytes, { signal } = {}) {
      if (position !== end) throw new InvalidArgumentError(`a stream at ${end} cannot take bytes at ${position}`);
      await abortable(writer.ready, signal);
      end += bytes.length;
      // The stream may keep the bytes, or move them to another thread. How the write ends is told by the next step.
      writer.write(bytes.slice()).catch(() => {});
    },
    async close({ signal } = {}) {
      // Where the stream has failed, this tells how; closing it would only say that it has.
      await abortable(writer.ready, signal);
      await abortable(writer.close(), signal);
    },
    abort(reason) {
      // Not waited for: a stalled stream answers only when its reader goes on.
      writer.abort(reason).catch(() => {});
    },
  };
}
