import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code!);

/** What an example logs and what its comments below each log say, one entry for each argument list. */
async function run(code: string): Promise<{ logged: unknown[][]; said: unknown[][] }> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    alias: { "@h5/selection": new URL("../src/index.ts", import.meta.url).pathname },
    conditions: ["h5-source"],
  });
  const logged: unknown[][] = [];
  const body = outputFiles[0]!.text;
  new Function("console", body)({ log: (...values: unknown[]) => logged.push(values) });
  const comments = Array.from(code.matchAll(/console\.log\(.*\);\n((?:\/\/.*\n)+)/g), ([, lines]) =>
    lines!.replaceAll(/^\/\/ ?/gm, "").trim(),
  );
  const said = comments.map((text) => new Function(`return [${text.replaceAll(/(\]|\d) (\[|\d)/g, "$1, $2")}]`)());
  return { logged, said };
}

describe("README", () => {
  it.each(examples.map((code) => [code.match(/import \{(.*)\}/)?.[1]?.trim(), code]))("runs %s", async (_, code) => {
    const { logged, said } = await run(code!);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged).toEqual(said);
  });

  it("names every export", async () => {
    for (const name of Object.keys(await import("../src/index.ts"))) expect(readme).toContain(`\`${name}\``);
  });
});
