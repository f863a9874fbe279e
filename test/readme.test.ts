import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./examples.ts";
import { codeBlocks, examples } from "./markdown.ts";
import { LAYERS, manifest, pages, text } from "./repository.ts";

const folder = mkdtempSync(join(tmpdir(), "h5-examples-"));
const others = pages().filter((page) => !page.startsWith("docs/recipes/")); // recipes.test.ts has these

afterAll(() => rmSync(folder, { recursive: true }));

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
    others.flatMap((page) => examples(text(page)).map((example) => ({ page, ...example, line: example.program.line }))),
  )(
    "$page line $line",
    async ({ page, program, output, line }) => {
      const target = join(folder, `${page.replaceAll(/\W/g, "-")}-${line}`);
      expect(await run(program.code, { page, target })).toBe(output);
    },
    30_000,
  );
});
