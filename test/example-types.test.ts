import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { examples } from "./markdown.ts";
import { pages, ROOT, text } from "./repository.ts";

/** The programs of all pages by the path of a file that each could be, where it sees what test/examples.ts lets it see. */
function programs(): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of pages()) {
    const folder = page.startsWith("packages/") ? dirname(page) : "packages/cli";
    for (const { program } of examples(text(page))) {
      files.set(
        join(ROOT, folder, `${page.replaceAll("/", "-")}-line-${program.line}.ts`),
        `${program.code}export {};\n`,
      );
    }
  }
  return files;
}

/** The strictest that a project of a user may be. */
function strict(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.base.json"), ts.sys.readFile);
  const own = { types: ["node"], isolatedDeclarations: false, declaration: false, skipLibCheck: true };
  const { compilerOptions } = config as { compilerOptions: object };
  return ts.convertCompilerOptionsFromJson({ ...compilerOptions, ...own }, join(ROOT, "packages/cli")).options;
}

it("examples have the types they should", () => {
  const files = programs();
  const options = strict();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists.call(host, path);
  host.readFile = (path) => files.get(path) ?? readFile.call(host, path);
  host.getCurrentDirectory = () => join(ROOT, "packages/cli");

  const program = ts.createProgram([...files.keys()], options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => files.has(fileName));
  const diagnostics = own.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  const wrong = diagnostics.map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? `+${file.getLineAndCharacterOfPosition(start).line + 1}` : "";
    return `${file?.fileName.slice(ROOT.length + 1) ?? ""}${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  expect(own.length).toBe(files.size);
  expect(wrong).toEqual([]);
}, 120_000);
