import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { codeBlocks, examples } from "./markdown.ts";
import { filesUnder, LAYERS, manifest, ROOT, text } from "./repository.ts";

const folder = mkdtempSync(join(tmpdir(), "h5-examples-"));
const pages = [
  "README.md",
  ...filesUnder("docs", ".md"),
  ...LAYERS.flatMap((name) => filesUnder(`packages/${name}`, "README.md")),
];

afterAll(() => rmSync(folder, { recursive: true }));

/** Where what pages import is installed: no one package has all that they compose, or compare with. */
const installed = ["reader", "bench"].map((name) => join(ROOT, "packages", name, "node_modules"));

/** Bundles a program from the packages' sources, as seen from a package that may import what it names, and runs it in the root. */
async function run(program: string, page: string, name: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: {
      contents: program,
      loader: "ts",
      resolveDir: join(ROOT, page.startsWith("packages/") ? dirname(page) : "packages/cli"),
    },
    nodePaths: installed,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["h5-source"],
    logLevel: "silent",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: ROOT, timeout: 20_000 });
  return stdout;
}

describe("README", () => {
  const pnpm = `npx --yes ${manifest().packageManager}`;
  const commands = codeBlocks(text("README.md")).filter(({ language }) => language === "sh");

  it("begins with the command that runs h5 on a fixture", () => {
    const steps = [
      `${pnpm} install --frozen-lockfile`,
      `${pnpm} build`,
      `${pnpm} -s h5 ls -r fixtures/reader/weather.h5`,
    ];
    expect(commands[0]!.code.trim()).toBe(steps.join(" && "));
  });

  it("goes on with the command that passes the tests", () => {
    expect(commands[1]!.code.trim()).toBe(`${pnpm} install --frozen-lockfile && ${pnpm} test`);
  });

  it("has an example of about ten lines", () => {
    const [example] = examples(text("README.md"));
    expect(example!.program.code.trim().split("\n").length).toBeLessThanOrEqual(12);
  });

  it("lists the packages in their order", () => {
    const listed = [...text("README.md").matchAll(/^\| \[`@h5\/(\w+)`\]/gm)].map((match) => match[1]);
    expect(listed).toEqual([...LAYERS]);
  });
});

describe("examples print what stands below them", () => {
  it.each(
    pages.flatMap((page) => examples(text(page)).map((example) => ({ page, ...example, line: example.program.line }))),
  )(
    "$page line $line",
    async ({ page, program, output, line }) => {
      expect(await run(program.code, page, `${page.replaceAll(/\W/g, "-")}-${line}`)).toBe(output);
    },
    30_000,
  );
});
