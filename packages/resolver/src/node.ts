import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute as isAbsolutePath, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ioFailure, SharedMap, SourceError } from "@h5/framing";
import { type FileSource, fileSource } from "@h5/framing/node";
import type { ExternalFile } from "@h5/reader";
import { memberNames } from "./driver-member.ts";
import { candidateNames, folderOf, isAbsolute, isUrl } from "./location.ts";
import { fixedPrefixes, type Prefixes, prefixesFor } from "./prefixes.ts";
import { checkName, firstFound, type ResolveRequest, type Resolver, refusal } from "./resolver.ts";

/** Options of {@link folderResolver}. */
export interface FolderOptions {
  /** Further folders from which files may be opened, with what is below them. */
  readonly allow?: readonly string[] | undefined;
  /** Folders in which names are looked for first, relative to the folder; what is below them may be opened. */
  readonly prefixes?: Prefixes | undefined;
}

/** A resolver that holds files open. */
export interface FolderResolver extends Resolver {
  open(name: string, request: ResolveRequest): Promise<ExternalFile | null>;
  /** Closes the files it has opened; nothing can be read from them, or found, after. May be called again. */
  close(): Promise<void>;
}

/**
 * A resolver over a folder, on Node, Deno and Bun. The names of files are their absolute paths. The caller closes it.
 *
 * A name is looked for under the prefixes, beside the file that asks (and beside that file itself where it was reached
 * through a symbolic link) and in the folder (for raw data, which libhdf5 takes from the working directory, there first),
 * then its last part in these. What lies outside of the folder, be it by an absolute name, by `..` or by a symbolic link,
 * is refused with UnsupportedFeatureError unless `allow` has its folder. What is not a regular file is no file.
 */
export function folderResolver(folder: string | URL, options: FolderOptions = {}): FolderResolver {
  return new Folder(typeof folder === "string" ? folder : fileURLToPath(folder), options);
}

class Folder implements FolderResolver {
  readonly #folder: string;
  readonly #allowed: readonly string[];
  readonly #prefixes: Prefixes | undefined;
  readonly #files: SharedMap<string, ExternalFile | null>;
  readonly #open: Set<FileSource>;
  #realFolders: Promise<readonly string[]> | undefined;
  #closed: boolean;

  constructor(folder: string, { allow = [], prefixes }: FolderOptions) {
    this.#folder = resolve(folder);
    this.#prefixes = prefixes;
    this.#allowed = [
      this.#folder,
      ...[...allow, ...fixedPrefixes(prefixes)].map((path) => resolve(this.#folder, path)),
    ];
    this.#files = new SharedMap();
    this.#open = new Set();
    this.#closed = false;
  }

  async open(name: string, request: ResolveRequest): Promise<ExternalFile | null> {
    checkName(name, request);
    if (this.#closed) throw new SourceError(`${this.#folder}: the resolver is closed`);
    request.signal?.throwIfAborted();
    try {
      return await firstFound(await this.#candidates(name, request), (path) => this.#find(path, request));
    } catch (error) {
      throw ioFailure(error, `looking for ${name}`, request.signal);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#open, (source) => source.close()));
  }

  async #candidates(name: string, request: ResolveRequest): Promise<string[]> {
    const { kind, from = "" } = request;
    const asking = resolve(this.#folder, from === "" ? "." : from);
    const folder = from === "" ? slashed(this.#folder) : folderOf(slashes(asking));
    if (kind === "root") return [meant(name, folder)];
    if (kind === "driver member") {
      const members = memberNames(name, slashes(asking), await readdir(folder));
      return members.map((member) => meant(member, folder));
    }
    const prefixes = prefixesFor(this.#prefixes, kind, folder).map((path) => slashed(resolve(this.#folder, path)));
    const beside = [folder, ...(await realFolder(asking))];
    const base = slashed(this.#folder);
    const folders = kind === "raw data" ? [base, ...beside] : [...beside, base];
    const found = candidateNames(name, [...prefixes, ...folders]).map((path) => resolve(path));
    const asWritten = meant(name, folder);
    const tried = isAbsolute(name) ? [asWritten, ...found] : found;
    // Of the places that are tried besides, those outside are left out; the one that is meant is refused.
    const roots = await this.#roots();
    return [...new Set(tried)].filter((path) => path === asWritten || isInside(path, roots));
  }

  async #find(path: string, request: ResolveRequest): Promise<ExternalFile | null> {
    const roots = await this.#roots();
    if (!isInside(path, roots)) throw this.#refusal(path, request);
    const real = await realPath(path);
    if (real === undefined) return null;
    if (!isInside(real, roots)) throw this.#refusal(real, request);
    return this.#files.get(real, () => this.#openFile(path, real), request.signal);
  }

  async #openFile(name: string, real: string): Promise<ExternalFile | null> {
    // Asked before it is opened, which for a pipe waits for who writes into it.
    if (!(await stat(real)).isFile()) return null;
    const source = await fileSource(real);
    this.#open.add(source);
    if (this.#closed) await source.close();
    return { name, source };
  }

  /** The folders from which files may be opened, as they were given and as they are. */
  #roots(): Promise<readonly string[]> {
    this.#realFolders ??= Promise.all(this.#allowed.map(realPath)).then((real) => [
      ...this.#allowed,
      ...real.filter((path) => path !== undefined),
    ]);
    return this.#realFolders;
  }

  #refusal(path: string, request: ResolveRequest): Error {
    return refusal(request, `${path} is not in ${this.#folder}; to open it, name its folder in the option allow`);
  }
}

/** The path a name would be by itself, seen from a folder; what can be none here, a URL or a drive, stays as it is. */
function meant(name: string, folder: string): string {
  if (isUrl(name)) return pathOfUrl(name);
  const path = sep === "/" ? name.replaceAll("\\", "/") : name;
  return isAbsolute(name) ? path : resolve(folder, path);
}

function pathOfUrl(name: string): string {
  try {
    return fileURLToPath(name);
  } catch {
    return name;
  }
}

function isInside(path: string, folders: readonly string[]): boolean {
  if (!isAbsolutePath(path)) return false;
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolutePath(way);
  });
}

/** The folder of a file reached through symbolic links, where that is there. */
async function realFolder(path: string): Promise<string[]> {
  const real = await realPath(path);
  return real === undefined ? [] : [folderOf(slashes(real))];
}

/** A path with its symbolic links resolved; `undefined` where nothing is there, or no such name can be. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

function slashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

function slashed(path: string): string {
  return slashes(path).replace(/(?<!\/)$/, "/");
}
