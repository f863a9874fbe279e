import { realpath, stat } from "node:fs/promises";
import { delimiter, dirname, resolve } from "node:path";
import { type Decoder, defaultFilters } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import { type ByteSource, httpSource, isH5Error, NotFoundError, SourceError } from "@h5/framing";
import { fileSource } from "@h5/framing/node";
import type { H5File } from "@h5/reader";
import { baseUrlResolver, openResolved, type Prefixes, type Resolver } from "@h5/resolver";
import { folderResolver } from "@h5/resolver/node";

/** An open file, the path inside it that a location names, and what to do once done with it. */
export interface Opened {
  readonly file: H5File;
  /** The file's own name or URL. */
  readonly name: string;
  /** Path of an object in the file; `/` where the location names none. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Opens `FILE[/path]`: the longest part of it that is a file (or that an http(s) server has) is the file. Files that it
 * refers to are taken from its own folder (and, where it is a symbolic link, that of the file itself) or from under its
 * URL, and from where libhdf5's environment variables say.
 */
export async function openLocation(location: string): Promise<Opened> {
  return isHttp(location) ? await openUrl(location) : await openPath(location);
}

function isHttp(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

export const allFilters: readonly Decoder[] = [...defaultFilters, ...communityFilters];

async function openPath(location: string): Promise<Opened> {
  for (const [name, path] of splits(location)) {
    if (await isFile(name)) return { ...(await openFile(name)), name, path };
  }
  const there = await stat(location).catch(() => undefined);
  throw new NotFoundError(`${there === undefined ? "no such file" : "not a regular file"}: ${location}`);
}

async function openFile(path: string): Promise<Pick<Opened, "file" | "close">> {
  const { name, source, external, close } = await sourceAt(path);
  try {
    return { file: await openResolved({ name, source }, external, { filters: allFilters }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The bytes of a file, what it is called, where those come from that it refers to, and what to do once done with it. */
export interface Located {
  readonly name: string;
  readonly source: ByteSource;
  readonly external: Resolver;
  close(): Promise<void>;
}

/** The bytes of the file that a location is. */
export async function locate(location: string): Promise<Located> {
  if (!isHttp(location)) return await sourceAt(location);
  const external = baseUrlResolver(location);
  return { name: new URL(location).href, source: httpSource(location), external, close: async () => {} };
}

async function sourceAt(path: string): Promise<Located> {
  const source = await fileSource(path);
  const name = resolve(path);
  const allow = [dirname(await realpath(name))];
  const external = folderResolver(dirname(name), { allow, prefixes: environmentPrefixes(process.env) });
  const close = async (): Promise<void> => {
    await Promise.all([source.close(), external.close()]);
  };
  return { name, source, external, close };
}

/** What libhdf5 takes from the environment: lists of folders, and a single one for raw data. */
function environmentPrefixes(environment: Readonly<Record<string, string | undefined>>): Prefixes {
  const folders = (variable: string, separator?: string): string[] => {
    const value = environment[variable] ?? "";
    const paths = separator === undefined ? [value] : value.split(separator);
    return paths.filter((path) => path !== "").map((path) => (/^\$\{ORIGIN\}/.test(path) ? path : resolve(path)));
  };
  return {
    externalLink: folders("HDF5_EXT_PREFIX", delimiter),
    virtualSource: folders("HDF5_VDS_PREFIX", delimiter),
    rawData: folders("HDF5_EXTFILE_PREFIX"),
  };
}

async function isFile(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isFile();
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return false;
    throw new SourceError(`cannot open ${name}: ${code ?? String(cause)}`, { cause });
  }
}

async function openUrl(location: string): Promise<Opened> {
  let missing: unknown;
  for (const [name, path] of splits(location)) {
    if (/^https?:\/?\/?$/i.test(name)) break;
    try {
      const root = { name: new URL(name).href, source: name };
      return {
        file: await openResolved(root, baseUrlResolver(name), { filters: allFilters }),
        name,
        path,
        close: async () => {},
      };
    } catch (error) {
      // Above a file that is missing there may be a folder, which the server shows as a page.
      if (missing !== undefined && isH5Error(error, "INVALID_FIELD") && error.structure === "superblock") break;
      if (!isH5Error(error, "SOURCE") || (error as SourceError).status !== 404) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** Every way to part a location into a file's name and a path in it, the longest name first. */
function* splits(location: string): Generator<[name: string, path: string]> {
  yield [location, "/"];
  for (let at = location.lastIndexOf("/"); at > 0; at = location.lastIndexOf("/", at - 1)) {
    yield [location.slice(0, at), location.slice(at)];
  }
}
