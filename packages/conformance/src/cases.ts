import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** A file to read and what libhdf5 reads in it. */
export interface Case {
  /** The file's path below its folder, with `/`; what known-failures.txt lists. */
  readonly name: string;
  readonly file: string;
  readonly expected: string;
  /** What the file has in it, for the table. */
  readonly features: readonly string[];
}

/** The repository's own fixtures. */
export const FIXTURES: string = join(import.meta.dirname, "../../../fixtures");

/** The corpus: the folder that `H5_CORPUS` names, else one that lies beside the repository, else none. */
export function corpusFolder(): string | undefined {
  const beside = join(import.meta.dirname, "../../../../shared/corpus");
  return process.env["H5_CORPUS"] || (existsSync(beside) ? beside : undefined);
}

/**
 * The cases of a folder: of a corpus (`expected/<path>.json` for `files/<path>`), or of a tree of fixtures
 * (`<quirk>.json` beside `<quirk>.h5`).
 */
export function casesOf(folder: string): Case[] {
  const cases = existsSync(join(folder, "expected")) ? corpusCases(folder) : fixtureCases(folder);
  return cases.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fixtureCases(folder: string): Case[] {
  return filesUnder(folder, ".h5")
    .filter((name) => existsSync(join(folder, jsonOf(name))))
    .map((name) => ({
      name: `fixtures/${name}`,
      file: join(folder, name),
      expected: join(folder, jsonOf(name)),
      features: [dirname(name)],
    }));
}

function jsonOf(name: string): string {
  return name.replace(/\.h5$/, ".json");
}

function corpusCases(folder: string): Case[] {
  const features = featureTable(folder);
  return filesUnder(join(folder, "expected"), ".json").map((path) => {
    const name = path.slice(0, -".json".length);
    return {
      name,
      file: join(folder, "files", name),
      expected: join(folder, "expected", path),
      features: features.get(name) ?? ["(no feature named)"],
    };
  });
}

/** Features by name: one family for each made file, and of the files found in the field what was seen in them. */
function featureTable(folder: string): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const [name, family] of rows(join(folder, "matrix-families.tsv"))) table.set(`matrix/${name}`, [family!]);
  const [header = [], ...real] = rows(join(folder, "real-manifest.tsv"));
  const [source, name, features] = ["source", "name", "features"].map((column) => header.indexOf(column));
  for (const row of real) {
    const seen = (row[features!] || "(none)").split(",");
    table.set(
      `real/${row[source!]}/${row[name!]}`,
      seen.map((feature) => `real ${feature}`),
    );
  }
  return table;
}

function rows(file: string): string[][] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => line.split("\t"));
}

function filesUnder(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
