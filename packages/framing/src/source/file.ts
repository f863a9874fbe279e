import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ByteSource, SliceOptions } from "../byte-source.ts";
import { ioFailure, SourceError } from "../errors.ts";

/** A source over an open file. */
export interface FileSource extends ByteSource {
  /** Length of the file when it was opened. */
  readonly byteLength: number;
  slice(start: number, end: number, options?: SliceOptions): Promise<Uint8Array>;
  readInto(start: number, target: Uint8Array, options?: SliceOptions): Promise<number>;
  /** Closes the file once the reads under way have ended; further reads are a SourceError. May be called again. */
  close(): Promise<void>;
}

/** One read asks the system for no more than this, which is below what it takes. */
export const MOST_PER_READ = 1073741824;

/** To open for reading. A named pipe that nobody writes to opens at once too, to be refused; Windows has no such flag. */
export function readFlags(): number {
  return constants.O_NONBLOCK ?? 0;
}

/**
 * Opens a file for reading, on Node, Deno and Bun. The caller closes it.
 *
 * @throws SourceError, with the system's error as `cause`, where the file cannot be opened or is not a regular file; the
 * source's methods throw it where reading fails
 */
export async function fileSource(path: string | URL): Promise<FileSource> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, readFlags());
    const stat = await handle.stat();
    if (stat.isFile()) return new OpenFile(handle, String(path), stat.size);
    throw new SourceError(`${path}: expected a regular file`);
  } catch (error) {
    await handle?.close();
    throw ioFailure(error, `opening ${path}`);
  }
}

class OpenFile implements FileSource {
  readonly byteLength: number;
  readonly #handle: FileHandle;
  readonly #path: string;
  #closing: Promise<void> | undefined;

  constructor(handle: FileHandle, path: string, byteLength: number) {
    this.#handle = handle;
    this.#path = path;
    this.byteLength = byteLength;
  }

  async slice(start: number, end: number, options?: SliceOptions): Promise<Uint8Array> {
    const target = new Uint8Array(Math.max(0, Math.min(end, this.byteLength) - start));
    return target.subarray(0, await this.readInto(start, target, options));
  }

  async readInto(start: number, target: Uint8Array, { signal }: SliceOptions = {}): Promise<number> {
    if (this.#closing) throw new SourceError(`${this.#path}: the file is closed`);
    let read = 0;
    try {
      while (read < target.length) {
        signal?.throwIfAborted();
        const length = Math.min(target.length - read, MOST_PER_READ);
        const { bytesRead } = await this.#handle.read(target, read, length, start + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
    } catch (error) {
      throw ioFailure(error, `${this.#path}: reading ${target.length} bytes at ${start}`, signal);
    }
    return read;
  }

  async close(): Promise<void> {
    this.#closing ??= this.#handle.close();
    await this.#closing;
  }
}
