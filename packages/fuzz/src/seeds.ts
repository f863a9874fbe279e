import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Larger files make slower mutants, and more of them whose changes are in raw data. */
const MOST_BYTES = 32768;

/** The fixtures that mutants are made of, in an order of their own. */
export function seedsIn(fixtures: string): string[] {
  return readdirSync(fixtures, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".h5"))
    .map((name) => join(fixtures, name))
    .filter((path) => statSync(path).size <= MOST_BYTES)
    .sort();
}
