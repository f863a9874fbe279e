import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file to be read, or to make mutants of. */
export interface SeedFile {
  readonly path: string;
  /** What it is called among the fixtures, by which it finds the others. */
  readonly name: string;
}

/** Larger files make slower mutants, and more of them whose changes are in raw data. */
const MOST_BYTES = 32768;
/** Made to take as long as the limits let it. */
const SLOW = "external/doubling.virtual";
const SIGNATURE = "\x89HDF\r\n\x1a\n";

/** The fixtures that mutants are made of, first members of files in several among them, in an order of their own. */
export function seedsIn(fixtures: string): SeedFile[] {
  const isHdf5 = (path: string): boolean =>
    path.endsWith(".h5") || readFileSync(path).toString("latin1", 0, SIGNATURE.length) === SIGNATURE;
  return smallFilesIn(fixtures).filter(({ path, name }) => name !== SLOW && isHdf5(path));
}

/** The fixtures by their names: what mutants may lead to. */
export function companionsIn(fixtures: string): ReadonlyMap<string, Uint8Array> {
  return new Map(smallFilesIn(fixtures).map(({ path, name }) => [name, new Uint8Array(readFileSync(path))]));
}

/** The findings that are kept: each in a folder that is called as the fixture it was made of. */
export function findingsIn(corpus: string): SeedFile[] {
  return smallFilesIn(corpus).map(({ path, name }) => ({ path, name: dirname(name) }));
}

function smallFilesIn(folder: string): SeedFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => ({ path: join(folder, name), name }))
    .filter(({ path }) => statSync(path).isFile() && statSync(path).size <= MOST_BYTES)
    .filter(({ name }) => !/\.(json|gz|py|mjs|md|txt)$/.test(name));
}
