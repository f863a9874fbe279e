import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toJson } from "@h5/cli";
import { compareDocuments } from "@h5/conformance/compare";
import { readDocuments } from "@h5/conformance/libhdf5";
import { isH5Error } from "@h5/framing";
import { open } from "@h5/reader";

type Document = Parameters<typeof compareDocuments>[0];

/** A mutant, and where our reading of it is not libhdf5's. */
export interface Compared {
  readonly name: string;
  readonly differences: ReturnType<typeof compareDocuments>;
}

/** Reads mutants, and has Debian's libhdf5 read them too. What it refuses we may read or refuse. */
export async function compareWithLibhdf5(
  samples: readonly Uint8Array[],
  folder: string,
  root: string,
): Promise<Compared[]> {
  mkdirSync(folder, { recursive: true });
  const names = samples.map((_, i) => `${i}.h5`);
  for (const [i, bytes] of samples.entries()) writeFileSync(join(folder, names[i]!), bytes);
  const theirs = readDocuments(folder, names, join(folder, "read"), join(root, "fixtures/make/canon.py"));
  const compared: Compared[] = [];
  for (const [i, bytes] of samples.entries()) {
    compared.push({ name: names[i]!, differences: compareDocuments(theirs(names[i]!), await documentOf(bytes)) });
  }
  return compared;
}

async function documentOf(bytes: Uint8Array): Promise<Document> {
  try {
    return JSON.parse(JSON.stringify(await toJson(await open(bytes)))) as Document;
  } catch (error) {
    if (isH5Error(error)) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}

/** Kinds of differences, the commonest first, each with the mutants that have it and what explains it if that is an error of ours. */
export function kindsOf(compared: readonly Compared[]): string[] {
  const kinds = new Map<string, { readonly names: Set<string>; readonly example: string }>();
  for (const { name, differences } of compared) {
    for (const { what, error, path, expected, actual } of differences) {
      const kind =
        error === undefined
          ? `read otherwise: ${what}`
          : `refused: ${error.replace(/\/[^:]*: /, "").replace(/\d+/g, "N")}`;
      const known = kinds.get(kind) ?? { names: new Set(), example: `${name} ${path}: ${expected} but ${actual}` };
      known.names.add(name);
      kinds.set(kind, known);
    }
  }
  const sorted = [...kinds].sort(([, a], [, b]) => b.names.size - a.names.size);
  return sorted.map(([kind, { names, example }]) => `${names.size} × ${kind}\n      ${example}`);
}
