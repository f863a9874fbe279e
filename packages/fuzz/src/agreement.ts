import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toJson } from "@h5/cli";
import { compareDocuments } from "@h5/conformance/compare";
import { type ObjectNode, withoutDangling } from "@h5/conformance/document";
import { readDocuments } from "@h5/conformance/libhdf5";
import { isH5Error } from "@h5/framing";
import { open } from "@h5/reader";
import { namedSources } from "@h5/resolver";
import type { Surroundings } from "./exercise.ts";
import { type Difference, reasonOf } from "./explained.ts";
import { companionsIn } from "./seeds.ts";

type Document = Parameters<typeof compareDocuments>[0];

/** A difference, and what explains it, if it is known. */
export interface Explained {
  readonly difference: Difference;
  readonly reason: string | undefined;
}

/** A mutant, and where our reading of it is not libhdf5's. */
export interface Compared {
  readonly name: string;
  readonly differences: readonly Explained[];
  /** Whether something about the whole file explains all of them. */
  readonly ofFile: boolean;
}

/** A mutant that gave values. */
export interface Sample {
  /** Name of its seed among the fixtures. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads mutants, and has Debian's libhdf5 read them too, both with the fixtures around them. What it refuses we may read
 * or refuse.
 */
export async function compareWithLibhdf5(
  samples: readonly Sample[],
  folder: string,
  fixtures: string,
): Promise<Compared[]> {
  const files = companionsIn(fixtures);
  const beside = join(folder, "samples");
  for (const [name, bytes] of files) put(join(beside, name), bytes);
  const names = samples.map(({ name }, i) => join(dirname(name), `mutant-${i}.h5`));
  for (const [i, { bytes }] of samples.entries()) put(join(beside, names[i]!), bytes);
  const theirs = readDocuments(beside, names, join(folder, "read"), join(fixtures, "make/canon.py"));
  const compared: Compared[] = [];
  for (const [i, { bytes }] of samples.entries()) {
    const name = names[i]!;
    const [expected, around] = [theirs(name), { name, files }];
    const differences = compareDocuments(expected, await documentOf(bytes, around));
    const ofFile = differences.length === 0 ? undefined : await reasonFor(expected, bytes, around);
    const explained = differences.map((difference) => {
      return { difference, reason: ofFile ?? reasonOf(difference, nodeAt(expected, difference.path)) };
    });
    compared.push({ name, differences: explained, ofFile: ofFile !== undefined });
  }
  return compared;
}

/** What a document has at the path of a difference: an object or, behind an `@`, an attribute. */
function nodeAt({ objects = {} }: Document, path: string): ObjectNode | undefined {
  const at = path.indexOf("@");
  return objects[path] ?? objects[path.slice(0, at)]?.attrs?.[path.slice(at + 1)];
}

function put(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

async function documentOf(bytes: Uint8Array, { name, files }: Surroundings): Promise<Document> {
  try {
    const file = await open(bytes, { name, external: namedSources(files) });
    return withoutDangling(JSON.stringify(await toJson(file)));
  } catch (error) {
    if (isH5Error(error)) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}

async function reasonFor(theirs: Document, bytes: Uint8Array, around: Surroundings): Promise<string | undefined> {
  const theirText = JSON.stringify(theirs);
  if (theirText.includes('"error":"timeout"')) return "libhdf5 did not come to an end in its time";
  if (theirText.includes("Unable to get link info"))
    return "H5G__stab_lookup searches by the tree's keys, and may not find what H5G__stab_iterate lists";
  if (theirText.includes('"links":{"') && (await hasNulInNames(bytes, around)))
    return "H5O__link_decode keeps a name as a C string, which ends at its first NUL";
  if (await hasTwins(bytes, around))
    return "two links have one name: libhdf5 opens by name what its search meets first";
  return undefined;
}

async function hasTwins(bytes: Uint8Array, { name, files }: Surroundings): Promise<boolean> {
  try {
    const paths = new Set<string>();
    for await (const { path } of (await open(bytes, { name, external: namedSources(files) })).visit()) {
      if (path !== undefined && paths.size === paths.add(path).size) return true;
    }
  } catch (error) {
    if (!isH5Error(error)) throw error;
  }
  return false;
}

async function hasNulInNames(bytes: Uint8Array, around: Surroundings): Promise<boolean> {
  return JSON.stringify(await documentOf(bytes, around)).includes("\\u0000");
}

/** Differences of one kind. */
export interface Kind {
  readonly kind: string;
  /** The mutants that have it. */
  readonly names: ReadonlySet<string>;
  readonly example: string;
  /** What explains it, if it is known. */
  readonly reason: string | undefined;
}

/** Kinds of differences, the commonest first. */
export function kindsOf(compared: readonly Compared[]): Kind[] {
  const kinds = new Map<string, Kind & { readonly names: Set<string> }>();
  for (const { name, differences, ofFile } of compared) {
    for (const { difference, reason } of differences) {
      const { what, error, path, expected, actual } = difference;
      const got = error === undefined ? `read otherwise: ${what}` : `refused: ${error.replace(/(: )\/.*?: /, "$1")}`;
      const kind = ofFile ? "something" : got.replace(/\d+/g, "N");
      const key = `${kind} ${reason}`;
      const example = `${name} ${path}: ${expected} but ${actual}`;
      const known = kinds.get(key) ?? { kind, names: new Set(), example, reason };
      known.names.add(name);
      kinds.set(key, known);
    }
  }
  return [...kinds.values()].sort((a, b) => b.names.size - a.names.size);
}
