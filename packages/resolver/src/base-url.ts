import {
  asBytes,
  type ByteSource,
  encodeText,
  httpSource,
  InvalidArgumentError,
  InvalidFieldError,
  isH5Error,
  SharedMap,
  type SourceError,
} from "@h5/framing";
import type { ExternalFile } from "@h5/reader";
import { memberNames } from "./driver-member.ts";
import { guardedFetch, type UrlFetch } from "./guarded-fetch.ts";
import { candidateNames, encodeParts, folderOf, foldName, isAbsolute, isUrl } from "./location.ts";
import { fixedPrefixes, type Prefixes, prefixesFor } from "./prefixes.ts";
import { checkName, firstFound, type ResolveRequest, type Resolver, refusal } from "./resolver.ts";

/** Options of {@link baseUrlResolver}. */
export interface BaseUrlOptions {
  /** Used in place of the platform's `fetch`. */
  readonly fetch?: UrlFetch | undefined;
  /** Sent with every request to the origin of the base URL, and to no other. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** URLs below which files may be opened too: an origin (`"https://data.example.org"`), a folder, a file, `"file:"`. */
  readonly allow?: readonly string[] | undefined;
  /** Folders in which names are looked for first, relative to the base URL; files below them may be opened. */
  readonly prefixes?: Prefixes | undefined;
}

/** Bytes with which a file is looked for: a block of the cache that will ask for them next. */
const HEAD = 65536;

/**
 * A resolver over HTTP: files below a URL, `new URL(".", url)`. Their names are their URLs.
 *
 * A name in a file is a path, not a URL: what is special in URLs is escaped. It is looked for under the prefixes, beside
 * the file that asks and in the base folder (for raw data, which libhdf5 takes from the working directory, there first),
 * then its last part in these. A name with a scheme is that URL. What lies outside of the base folder, be it by an
 * absolute name, by `..` or by a redirect (which is not followed then), is refused with UnsupportedFeatureError unless
 * `allow` has it. A status 404 or 410 is no file.
 *
 * @throws InvalidArgumentError where a URL is none
 */
export function baseUrlResolver(url: string | URL, options: BaseUrlOptions = {}): Resolver {
  return new BaseUrl(url, options);
}

/** The URL a name means, and whether it may be opened. */
interface Meant {
  readonly url: string;
  readonly permitted: boolean;
}

/** The URLs to try, and one that is meant but may not be opened. */
interface Candidates {
  readonly inside: readonly string[];
  readonly outside: string | undefined;
}

function parted(meant: readonly Meant[]): Candidates {
  return {
    inside: meant.filter(({ permitted }) => permitted).map(({ url }) => url),
    outside: meant.find(({ permitted }) => !permitted)?.url,
  };
}

class BaseUrl implements Resolver {
  readonly #base: string;
  /** What may be opened besides. */
  readonly #granted: readonly string[];
  readonly #prefixes: Prefixes | undefined;
  readonly #fetch: ReturnType<typeof guardedFetch>;
  readonly #files: SharedMap<string, ExternalFile | null>;

  constructor(url: string | URL, { allow = [], prefixes, ...options }: BaseUrlOptions) {
    this.#base = parse(".", url);
    this.#prefixes = prefixes;
    this.#granted = [
      ...allow.map((allowed) => parse(allowed)),
      ...fixedPrefixes(prefixes).map((prefix) => parse(prefix, this.#base)),
    ];
    this.#fetch = guardedFetch(this.#base, options);
    this.#files = new SharedMap();
  }

  async open(name: string, request: ResolveRequest): Promise<ExternalFile | null> {
    checkName(name, request);
    const { inside, outside } = this.#candidates(name, request);
    const file = await firstFound(inside, (url) =>
      this.#files.get(url, (signal) => this.#probe(url, { ...request, signal }), request.signal),
    );
    if (file === null && outside !== undefined) throw this.#refusal(outside, request);
    return file;
  }

  #candidates(name: string, request: ResolveRequest): Candidates {
    const { kind, from = "" } = request;
    const folder = folderOf(isUrl(from) ? from : this.#base + encodeParts(from, encodePart));
    if (kind === "driver member") {
      return parted(memberNames(name, lastPart(from)).map((member) => this.#meant(member, folder, request)));
    }
    const { inside, outside } = parted([this.#meant(name, folder, request)]);
    if (kind === "root") return { inside, outside };
    const prefixes = prefixesFor(this.#prefixes, kind, folder).map((prefix) => parse(prefix, this.#base));
    const folders = kind === "raw data" ? [this.#base, folder] : [folder, this.#base];
    const found = candidateNames(name, [...prefixes, ...folders], encodePart).filter((url) => this.#allows(url));
    return { inside: isAbsolute(name) ? [...inside, ...found] : found, outside };
  }

  /** The URL a name is by itself, seen from a folder. An absolute path is not the base's, even where that is a whole server. */
  #meant(name: string, folder: string, request: ResolveRequest): Meant {
    if (isUrl(name)) {
      const url = hrefOf(name, request);
      return { url, permitted: this.#allows(url) };
    }
    const path = encodeParts(name.replace(/^[\\/]+/, ""), encodePart);
    const url = foldName((isAbsolute(name) ? originOf(this.#base) : folder) + path);
    return { url, permitted: isAbsolute(name) ? isBelowAny(url, this.#granted) : this.#allows(url) };
  }

  #allows(url: string): boolean {
    return isBelow(url, this.#base) || isBelowAny(url, this.#granted);
  }

  #refusal(url: string, request: ResolveRequest): Error {
    return refusal(
      request,
      `${url} is not below ${this.#base}; to open it, name its origin or folder in the option allow`,
    );
  }

  async #probe(url: string, request: ResolveRequest): Promise<ExternalFile | null> {
    const check = (target: string): void => {
      if (!this.#allows(target)) throw this.#refusal(target, request);
    };
    const source = httpSource(url, { fetch: (target, init) => this.#fetch(target, init, check) });
    try {
      const head = asBytes(await source.slice(0, HEAD, { signal: request.signal }));
      return { name: url, source: withHead(source, head) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return isH5Error(error, "SOURCE") && [404, 410].includes((error as SourceError).status ?? 0);
}

/** The same source, its first bytes at hand; fewer than were asked for are all there are. */
function withHead(source: ByteSource, head: Uint8Array): ByteSource {
  return {
    get byteLength(): number | undefined {
      return source.byteLength;
    },
    peek: (start, end) => source.peek?.(start, end),
    slice: (start, end, options) =>
      end <= head.length || head.length < HEAD ? head.subarray(start, end) : source.slice(start, end, options),
  };
}

/** Whether a URL is another, or below it. Not one with `..` left in it (some servers drop a `;…` after it), or an escaped `/` or `\`. */
function isBelow(url: string, folder: string): boolean {
  if (url === folder) return true;
  const path = url.replace(/[?#].*$/s, "");
  const root = folder.replace(/(?<!\/)$/, "/");
  return path.startsWith(root) && !/%(2f|5c)|\/(\.|%2e){2}([/;]|$)/i.test(path.slice(root.length - 1));
}

function isBelowAny(url: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(url, folder));
}

/** A part of a path in a URL; a byte that is not UTF-8 as itself (see `decodeText` of framing). */
function encodePart(part: string): string {
  return part.replaceAll(/[\ud800-\udfff]|[^\ud800-\udfff]+/gu, (run) =>
    /^[\ud800-\udfff]/u.test(run) ? `%${encodeText(run)[0]!.toString(16)}` : encodeURIComponent(run),
  );
}

/** The last part of a URL's path, as a name. */
function lastPart(url: string): string {
  const part = url.slice(folderOf(url).length).replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The scheme and host of a URL, with a `/`. */
function originOf(url: string): string {
  return /^[^/]*\/\/[^/]*\//.exec(url)![0];
}

function parse(url: string | URL, base?: string | URL): string {
  try {
    return new URL(String(url), base).href;
  } catch (cause) {
    throw new InvalidArgumentError(`expected a URL, got ${JSON.stringify(String(base ?? url))}`, { cause });
  }
}

/** A URL in its usual form, without its fragment: `..` and its escaped spellings are folded. */
function hrefOf(name: string, { kind }: ResolveRequest): string {
  try {
    return new URL(name).href.replace(/#.*$/s, "");
  } catch (cause) {
    throw new InvalidFieldError(`expected a URL, got ${JSON.stringify(name)}`, { structure: kind, cause });
  }
}
