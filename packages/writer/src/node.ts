import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ioFailure, SourceError } from "@h5/framing";
import type { ByteSink } from "./sink/byte-sink.ts";

/** The part of a file handle of `node:fs/promises` a sink needs. */
export interface FileHandleLike {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(length: number): Promise<void>;
}

/** Permissions of a new file, of which the process takes its umask. */
const USUAL_MODE = 0o666;

/**
 * A sink that makes a file, or puts a new one in the place of an old one, on Node, Deno and Bun. Takes every file.
 *
 * Until all is written the bytes are in a file beside it, named as it with a suffix; where writing fails or is aborted
 * that is removed, and what was there before stays as it was. A new file gets the permissions of the old one, less the
 * umask; where the path is a symbolic link, what it leads to is replaced.
 *
 * Its steps throw SourceError, with the system's error as `cause`, where the file cannot be made or written, or where
 * the path is that of a folder or device.
 */
export function fileSink(path: string | URL): ByteSink {
  return new FileReplacement(path);
}

/**
 * A sink over a file that the caller has open for writing, and closes. Takes every file. The file is emptied at the
 * first write, and again where writing fails or is aborted.
 *
 * Its steps throw SourceError, with the system's error as `cause`.
 */
export function fileHandleSink(handle: FileHandleLike): ByteSink {
  let begun = false;
  const empty = () => attempt("emptying the file", () => handle.truncate(0));
  return {
    async write(position, bytes) {
      if (!begun) await empty();
      begun = true;
      await attempt(`writing ${bytes.length} bytes at ${position}`, () => writeAll(handle, position, bytes));
    },
    abort: async () => {
      if (begun) await empty();
    },
  };
}

/** What is written, and where it goes once it is complete. */
interface Begun {
  readonly handle: FileHandle;
  readonly target: string;
  readonly temporary: string;
}

class FileReplacement implements ByteSink {
  readonly #path: string | URL;
  #begun: Begun | undefined;

  constructor(path: string | URL) {
    this.#path = path;
  }

  async write(position: number, bytes: Uint8Array): Promise<void> {
    this.#begun ??= await attempt(`making ${this.#path}`, () => begin(this.#path));
    const { handle } = this.#begun;
    const doing = `writing ${bytes.length} bytes at ${position} of ${this.#path}`;
    await attempt(doing, () => writeAll(handle, position, bytes));
  }

  async close(): Promise<void> {
    if (this.#begun === undefined) return;
    const { handle, target, temporary } = this.#begun;
    await attempt(`completing ${this.#path}`, async () => {
      await handle.close();
      await rename(temporary, target);
    });
  }

  async abort(): Promise<void> {
    if (this.#begun === undefined) return;
    const { handle, temporary } = this.#begun;
    try {
      await handle.close();
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** Opens a file beside the one at `path`, which need not be there. */
async function begin(path: string | URL): Promise<Begun> {
  const target = await realpath(path).catch(() => (typeof path === "string" ? path : fileURLToPath(path)));
  const known = await stat(target).catch(() => undefined);
  if (known?.isFile() === false) throw new SourceError(`${path}: expected a regular file`);
  const temporary = `${target}.${Math.random().toString(36).slice(2)}.part`;
  return { handle: await open(temporary, "wx", known?.mode ?? USUAL_MODE), target, temporary };
}

/** The system may take fewer bytes than it is given. */
async function writeAll(handle: Pick<FileHandleLike, "write">, position: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new SourceError(`the file takes no more than ${at} of ${bytes.length} bytes`);
    at += bytesWritten;
  }
}

async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioFailure(error, doing);
  }
}
