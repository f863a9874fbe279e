import type { ExternalFile, Input } from "@h5/reader";
import { sourceOf } from "@h5/reader";
import { memberNames } from "./driver-member.ts";
import { candidateNames, folderOf } from "./location.ts";
import { type Prefixes, prefixesFor } from "./prefixes.ts";
import { checkName, firstFound, type ResolveRequest, type Resolver } from "./resolver.ts";

/** Files by name. */
export type NamedSources = Readonly<Record<string, Input>> | ReadonlyMap<string, Input>;

/** What a function gives for a name: a file under that name, or under one of its own. */
export type Found = Input | ExternalFile | null | undefined;

/**
 * Finds a file by its name. It is asked in turn for the names it may have: exactly as it is written, beside the file that
 * asks, and its last part, until it finds one. What may be opened is its own affair: names come as files hold them.
 */
export type ResolveFunction = (name: string, request: ResolveRequest) => Found | Promise<Found>;

/** Options of {@link namedSources}. */
export interface NameOptions {
  /** Folders in which names are looked for first. */
  readonly prefixes?: Prefixes | undefined;
}

/**
 * A resolver over sources at hand. A name is looked for exactly as a file holds it, then under the prefixes and beside
 * the file that asks, then by its last part alone.
 */
export function namedSources(sources: NamedSources, options: NameOptions = {}): Resolver {
  const byName: ReadonlyMap<string, Input> = isMap(sources) ? sources : new Map(Object.entries(sources));
  const siblings = (folder: string): string[] =>
    [...byName.keys()].filter((name) => folderOf(name) === folder).map((name) => name.slice(folder.length));
  return lookingUp((name) => byName.get(name), options, siblings);
}

function isMap(sources: NamedSources): sources is ReadonlyMap<string, Input> {
  return typeof sources.get === "function";
}

/** A resolver that asks a function. */
export function functionResolver(find: ResolveFunction): Resolver {
  return lookingUp(find, {}, () => []);
}

function lookingUp(find: ResolveFunction, options: NameOptions, siblings: (folder: string) => string[]): Resolver {
  // By what was found, so that one source has one name and is converted once.
  const known = new Map<unknown, ExternalFile>();
  return {
    async open(name, request) {
      checkName(name, request);
      return firstFound(namesOf(name, request, options, siblings), async (candidate) => {
        const found = await find(candidate, request);
        if (found === null || found === undefined) return null;
        const file = known.get(found) ?? fileOf(found, candidate);
        known.set(found, file);
        return file;
      });
    },
  };
}

function namesOf(
  name: string,
  { kind, from = "" }: ResolveRequest,
  { prefixes }: NameOptions,
  siblings: (folder: string) => string[],
): string[] {
  const folder = folderOf(from);
  switch (kind) {
    case "root":
      return [name];
    case "driver member":
      return memberNames(name, from, siblings(folder)).flatMap((member) => candidateNames(member, [folder]));
    default:
      return [...new Set([name, ...candidateNames(name, [...prefixesFor(prefixes, kind, folder), folder, ""])])];
  }
}

function fileOf(found: Input | ExternalFile, name: string): ExternalFile {
  if (typeof found === "object" && "source" in found) return found;
  return { name, source: sourceOf(found) };
}
