import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository's root. */
export const ROOT: string = join(import.meta.dirname, "..");

/** The published packages, lowest first. A package imports only what stands before it. */
export const LAYERS = [
  "framing",
  "datatypes",
  "selection",
  "btree",
  "heap",
  "filters",
  "reader",
  "writer",
  "resolver",
  "cli",
] as const;

/** What these tests ask of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly sideEffects?: boolean;
  readonly type?: string;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly packageManager?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A file's text, by its path below the root. */
export function text(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), "utf8");
}

/** `packages/<name>/package.json`, or the root's. */
export function manifest(name?: string): Manifest {
  return JSON.parse(name === undefined ? text("package.json") : text("packages", name, "package.json")) as Manifest;
}

/** The packages that are published: what is not marked private. */
export function published(): string[] {
  return readdirSync(join(ROOT, "packages")).filter((name) => !manifest(name).private);
}

/** Paths below the root of the files in a folder, at any depth, whose names end so; installed and built files left out. */
export function filesUnder(folder: string, ending: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : filesUnder(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

/** The pages of documentation: README, those of docs/ and of the published packages. */
export function pages(): string[] {
  const own = LAYERS.flatMap((name) => filesUnder(`packages/${name}`, "README.md"));
  return ["README.md", ...filesUnder("docs", ".md"), ...own];
}
