import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "tsup";
import ts from "typescript";

// One output file per source file: a package in a single file keeps whatever a bundler thinks effectful.
export default defineConfig({
  entry: ["src/**/*.ts"],
  format: ["esm"],
  splitting: true,
  sourcemap: true,
  clean: true,
  silent: true,
  target: "es2022",
  onSuccess: async () => declareAll("src", "dist"),
});

/** Writes a declaration file for each source file. With `isolatedDeclarations` each is made alone, without checking types. */
function declareAll(from: string, to: string): void {
  for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".ts")) declare(join(from, name), join(to, name.replace(/\.ts$/, ".d.ts")));
  }
}

function declare(source: string, target: string): void {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(source, "utf8"), {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true, target: ts.ScriptTarget.ES2022 },
  });
  if (diagnostics.length > 0) {
    throw new Error(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: String,
        getCurrentDirectory: () => "",
        getNewLine: () => "\n",
      }),
    );
  }
  mkdirSync(dirname(target), { recursive: true });
  // A method with a computed name is declared twice, as a property too: a fault of transpileDeclaration in TypeScript 5.9.
  const once = outputText.replaceAll(/^ *\[Symbol\.\w+\]: .*;\n/gm, "");
  writeFileSync(target, once.replaceAll(/(?<=(from |import\()"\.{1,2}\/[^"]+)\.ts(?=")/g, ".js"));
}
