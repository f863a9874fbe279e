import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesUnder, LAYERS, manifest, text } from "./repository.ts";

/** Where `async` and promises may be awaited (docs/decisions/001-layers.md): I/O is a place, not a style. */
const ASYNC = [
  /^framing\/src\/(run|flight|abort)\.ts$/,
  /^framing\/src\/source\//,
  /^filters\/src\//,
  /^(reader|writer|resolver|cli)\//,
];

/** Where Node's own modules may be imported: subpaths and export conditions that a browser never loads, and the command. */
const NODE = [
  /(^|\/)node\.ts$/,
  /\.node\.ts$/,
  /^framing\/src\/source\/file(-sync)?\.ts$/,
  /^writer\/src\/sink\/file\.ts$/,
  /^cli\//,
];

interface Source {
  readonly layer: string;
  /** Path below packages/. */
  readonly path: string;
  readonly imports: readonly string[];
  readonly tree: ts.SourceFile;
}

const sources: Source[] = LAYERS.flatMap((layer) =>
  filesUnder(`packages/${layer}/src`, ".ts").map((file) => {
    const body = text(file);
    const imports = ts.preProcessFile(body).importedFiles.map(({ fileName }) => fileName);
    const tree = ts.createSourceFile(file, body, ts.ScriptTarget.ES2022, true);
    return { layer, path: file.slice("packages/".length), imports, tree };
  }),
);

function allowed(layer: string): Set<string> {
  const below = LAYERS.slice(0, LAYERS.indexOf(layer as (typeof LAYERS)[number]));
  return new Set(below.filter((name) => !(layer === "writer" && name === "reader")).map((name) => `@h5/${name}`));
}

function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, 2).join("/");
}

function awaits(node: ts.Node): boolean {
  const isAsync = ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return (
    Boolean(isAsync) ||
    ts.isAwaitExpression(node) ||
    Boolean(ts.forEachChild(node, (child) => awaits(child) || undefined))
  );
}

describe.each(LAYERS)("%s", (layer) => {
  const mine = sources.filter((source) => source.layer === layer);

  it("depends only on packages below it", () => {
    const names = Object.keys(manifest(layer).dependencies ?? {}).filter((name) => name.startsWith("@h5/"));
    expect(names.filter((name) => !allowed(layer).has(name))).toEqual([]);
  });

  it("imports only packages below it", () => {
    const wrong = mine.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith("@h5/") && !allowed(layer).has(packageOf(name)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("leaves no package by a relative path", () => {
    const out = mine.filter(({ imports }) =>
      imports.some((name) => name.includes("/packages/") || /(\.\.\/)+[a-z]+\/src\//.test(name)),
    );
    expect(out.map(({ path }) => path)).toEqual([]);
  });

  it("is async only where I/O lives", () => {
    const wrong = mine.filter(({ path, tree }) => !ASYNC.some((place) => place.test(path)) && awaits(tree));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("imports Node's modules only where a browser does not look", () => {
    const wrong = mine.filter(
      ({ path, imports }) =>
        !NODE.some((place) => place.test(path)) && imports.some((name) => name.startsWith("node:")),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
