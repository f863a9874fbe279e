import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./pool.ts";

/** Case name to the feature that is missing. */
export type KnownFailures = ReadonlyMap<string, string>;

/** Begins the reason of a file whose expected values prove nothing, so that it may differ in any way. */
const UNPROVEN = "the expected values";
const FILE = join(import.meta.dirname, "../known-failures.txt");
const HEADER = `# Files that need a feature that is still missing: path, tab, feature. Enforced both ways: a listed file that agrees
# fails the run, and so does one that differs other than by a typed error. "pnpm conformance --update-known" rewrites it.
# Entries that begin "${UNPROVEN}" were added by hand: what libhdf5 read was not what lies there now.
`;

/** Reads known-failures.txt. */
export function readKnownFailures(): KnownFailures {
  return readList(FILE);
}

/** Reads a list of files: path, tab, reason. */
export function readList(file: string): KnownFailures {
  const lines = readFileSync(file, "utf8").split("\n");
  const entries = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(entries.map((line) => line.split("\t") as [string, string]));
}

/** What is wrong with an outcome, one line each; nothing where it agrees, or is listed and only lacks what it lists. */
export function problems({ case: { name }, differences }: Outcome, known: KnownFailures): string[] {
  const missing = known.get(name);
  if (missing === undefined) {
    return differences.map(
      ({ path, what, expected, actual }) => `${path}: ${what}: expected ${expected}, got ${actual}`,
    );
  }
  if (differences.length > 0 && missing.startsWith(UNPROVEN)) return [];
  if (differences.length === 0) return [`agrees, but known-failures.txt lists it (${missing})`];
  return silent(differences).map(
    ({ path, what, expected, actual }) => `${path}: ${what}: expected ${expected}, got ${actual} (not a typed error)`,
  );
}

function silent(differences: Outcome["differences"]): Outcome["differences"] {
  return differences.filter(({ error }) => error === undefined);
}

/** Rewrites the list: what was run decides for its own cases, the other entries stay. Names of features are kept. */
export function updateKnownFailures(outcomes: readonly Outcome[], known: KnownFailures): void {
  const updated = new Map(known);
  for (const { case: one, differences } of outcomes) {
    if (differences.length > 0 && known.get(one.name)?.startsWith(UNPROVEN)) continue;
    updated.delete(one.name);
    if (differences.length > 0 && silent(differences).length === 0) {
      updated.set(one.name, known.get(one.name) ?? featureOf(differences));
    }
  }
  const lines = [...updated].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, feature]) => `${name}\t${feature}\n`);
  writeFileSync(FILE, HEADER + lines.join(""));
}

/** The feature in the words of the first error that names one. */
function featureOf(differences: Outcome["differences"]): string {
  const errors = differences.map(({ error }) => error!);
  const error = errors.find((text) => /^(UNSUPPORTED_FEATURE|MISSING_FILTER)/.test(text)) ?? errors[0]!;
  return error
    .replace(/^[A-Z_]+: /, "")
    .replace(/^\/[^:]*: /, "")
    .replace(/ \(at address \d+\)/, "")
    .replace(/\s+/g, " ");
}
