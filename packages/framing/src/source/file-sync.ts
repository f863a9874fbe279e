import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource, SliceOptions } from "../byte-source.ts";
import { ioFailure, SourceError } from "../errors.ts";
import { MOST_PER_READ, readFlags } from "./file.ts";

/** A source over an open file, whose reads hold up the program. */
export interface SyncFileSource extends ByteSource {
  /** Length of the file when it was opened. */
  readonly byteLength: number;
  slice(start: number, end: number, options?: SliceOptions): Uint8Array;
  readInto(start: number, target: Uint8Array, options?: SliceOptions): Promise<number>;
  /** Closes the file; further reads are a SourceError. May be called again. */
  close(): void;
}

/**
 * Opens a file for reading, as `fileSource` does, but each read is over before anything else goes on: for scripts and
 * commands, which have nothing else to do. A small read of what the system has in memory then takes a small part of the
 * time that its way to another thread and back would; a server, or a slow disk, is better off with `fileSource`.
 *
 * The caller closes it.
 *
 * @throws SourceError, with the system's error as `cause`, where the file cannot be opened or is not a regular file; the
 * source's methods throw it where reading fails
 */
export function fileSourceSync(path: string | URL): SyncFileSource {
  let opened: number | undefined;
  try {
    opened = openSync(path, readFlags());
    const stat = fstatSync(opened);
    if (stat.isFile()) return new OpenFile(opened, String(path), stat.size);
    throw new SourceError(`${path}: expected a regular file`);
  } catch (error) {
    if (opened !== undefined) closeSync(opened);
    throw ioFailure(error, `opening ${path}`);
  }
}

class OpenFile implements SyncFileSource {
  readonly byteLength: number;
  /** `undefined` once closed: the system gives its number to others then. */
  #descriptor: number | undefined;
  readonly #path: string;

  constructor(descriptor: number, path: string, byteLength: number) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.byteLength = byteLength;
  }

  slice(start: number, end: number, options?: SliceOptions): Uint8Array {
    const target = new Uint8Array(Math.max(0, Math.min(end, this.byteLength) - start));
    return target.subarray(0, this.#read(start, target, options));
  }

  async readInto(start: number, target: Uint8Array, options?: SliceOptions): Promise<number> {
    return this.#read(start, target, options);
  }

  #read(start: number, target: Uint8Array, { signal }: SliceOptions = {}): number {
    if (this.#descriptor === undefined) throw new SourceError(`${this.#path}: the file is closed`);
    let read = 0;
    try {
      while (read < target.length) {
        signal?.throwIfAborted();
        const length = Math.min(target.length - read, MOST_PER_READ);
        const got = readSync(this.#descriptor, target, read, length, start + read);
        if (got === 0) break;
        read += got;
      }
    } catch (error) {
      throw ioFailure(error, `${this.#path}: reading ${target.length} bytes at ${start}`, signal);
    }
    return read;
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
