import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { examples } from "./markdown.ts";
import { pages, ROOT, text } from "./repository.ts";

/** What jsfive, which has no types, is taken for. */
const UNTYPED = 'declare module "jsfive";';

/** The programs of all pages, as files of a package that may import nearly all. */
function programs(): Map<string, string> {
  const found = pages().flatMap((page) =>
    examples(text(page)).map(({ program: { code, line } }): [string, string] => [
      join(ROOT, "packages/cli", `${page.replaceAll(/\W/g, "-")}-line-${line}.ts`),
      code,
    ]),
  );
  return new Map([...found, [join(ROOT, "packages/cli/untyped.d.ts"), UNTYPED]]);
}

it("examples of the documentation have no errors of type, checked as a user's strict program", () => {
  const files = programs();
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    customConditions: ["h5-source"],
    types: ["node"],
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.asynciterable.d.ts"],
    paths: {
      "@h5/btree": [join(ROOT, "packages/btree/src/index.ts")],
      "@h5/heap": [join(ROOT, "packages/heap/src/index.ts")],
      "h5wasm/node": [join(ROOT, "packages/bench/node_modules/h5wasm/src/hdf5_hl.d.ts")],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...rest) => {
    const code = files.get(name);
    return code === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, code, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const faults = [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)!;
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(faults.map((fault) => ts.formatDiagnostic(fault, { ...host, getCurrentDirectory: () => ROOT }))).toEqual([]);
}, 120_000);
