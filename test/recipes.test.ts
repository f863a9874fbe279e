import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./examples.ts";
import { codeBlocks, examples } from "./markdown.ts";
import { filesUnder, text } from "./repository.ts";

/** A Python program of a page and what it printed, a list for each call: what fixtures/make/recipes.py recorded. */
interface Recorded {
  readonly program: readonly string[];
  readonly printed: readonly unknown[][];
}

const folder = mkdtempSync(join(tmpdir(), "h5-recipes-"));
const index = text("docs/recipes/README.md");
const recipes = filesUnder("docs/recipes", ".md")
  .filter((page) => !page.endsWith("README.md"))
  .map((page) => ({ page, name: basename(page, ".md") }));

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(recipes)("recipe $name", ({ page, name }) => {
  const recorded = JSON.parse(text(`fixtures/recipes/${name}.python.json`)) as Recorded[];
  const programs = examples(text(page));

  it("is listed", () => {
    expect(index).toContain(`(${name}.md)`);
  });

  it("shows the Python programs that were run", () => {
    const shown = codeBlocks(text(page)).filter(({ language }) => language === "python");
    expect(recorded.map(({ program }) => program)).toEqual(shown.map(({ code }) => code.trimEnd().split("\n")));
    expect(programs.length).toBe(recorded.length);
  });

  it.each(programs.map((example, at) => ({ ...example, at, line: example.program.line })))(
    "line $line prints what stands below, the values that Python prints",
    async ({ program, output, at }) => {
      const target = join(folder, `${name}-${at}`);
      expect(await run(program.code, { page, target, record: true })).toBe(output);
      expect(JSON.parse(readFileSync(`${target}.json`, "utf8"))).toEqual(recorded[at]!.printed);
    },
    30_000,
  );
});
