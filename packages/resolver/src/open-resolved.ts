import { NotFoundError } from "@h5/framing";
import { type ExternalFile, type H5File, type Input, type OpenOptions, open, sourceOf } from "@h5/reader";
import { functionResolver, type NamedSources, namedSources, type ResolveFunction } from "./named-sources.ts";
import type { Resolver } from "./resolver.ts";

/** A root that is at hand, with the name by which the resolver would call it; default `<root>`. */
export interface RootFile {
  readonly name?: string | undefined;
  readonly source: Input;
}

/** Options of {@link openResolved}: those of the reader's `open`, except what this sets itself. */
export type ResolvedOptions = Omit<OpenOptions, "external" | "name">;

/**
 * Opens a file together with those it refers to: external links are followed, external raw data, virtual datasets and
 * files split over several by a driver are read, each file being opened when it is first needed, and once.
 *
 * @param root a name the resolver knows, or a file at hand
 * @param resolver named sources, a function, or a ready one: `folderResolver` of `@h5/resolver/node`, `baseUrlResolver`,
 *   `fileListResolver`. What it holds open is the caller's to close.
 * @throws NotFoundError where the resolver does not know the root, and what `open` of `@h5/reader` throws. What is read
 *   later throws LimitExceededError where more than `limits.files` files are asked for, and what the resolver throws.
 */
export async function openResolved(
  root: string | RootFile,
  resolver: Resolver | ResolveFunction | NamedSources,
  options: ResolvedOptions = {},
): Promise<H5File> {
  options.signal?.throwIfAborted();
  const chosen = resolverOf(resolver);
  const { name, source } = typeof root === "string" ? await findRoot(root, chosen, options) : rootAtHand(root);
  return open(source, { ...options, name, external: chosen });
}

function rootAtHand({ name = "<root>", source }: RootFile): ExternalFile {
  return { name, source: sourceOf(source) };
}

async function findRoot(name: string, resolver: Resolver, { signal }: ResolvedOptions): Promise<ExternalFile> {
  const file = await resolver.open(name, { kind: "root", from: undefined, signal });
  if (file === null) throw new NotFoundError(`no file ${JSON.stringify(name)}`);
  return file;
}

function resolverOf(resolver: Resolver | ResolveFunction | NamedSources): Resolver {
  if (typeof resolver === "function") return functionResolver(resolver);
  return isResolver(resolver) ? resolver : namedSources(resolver);
}

/** No source is a function, so that a record with a file called `open` is no resolver. */
function isResolver(resolver: Resolver | NamedSources): resolver is Resolver {
  return "open" in resolver && typeof resolver.open === "function";
}
