import { join } from "node:path";
import { type KnownFailures, readList } from "./known-failures.ts";
import type { Outcome } from "./pool.ts";

const FILE = join(import.meta.dirname, "../known-copies.txt");

/** Reads known-copies.txt: files in whose copies libhdf5 does not read what it reads in them, and why. */
export function readKnownCopies(): KnownFailures {
  return readList(FILE);
}

/** What is wrong with a copy, one line each; for a listed one that is that nothing is. */
export function copyProblems({ case: { name }, differences }: Outcome, known: KnownFailures): string[] {
  const reason = known.get(name);
  if (reason !== undefined) return differences.length > 0 ? [] : [`agrees, but known-copies.txt lists it (${reason})`];
  return differences.map(({ path, what, expected, actual }) => `${path}: ${what}: expected ${expected}, got ${actual}`);
}
