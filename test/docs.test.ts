import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocks, examples, headingAnchors, type Link, links } from "./markdown.ts";
import { filesUnder, LAYERS, manifest, ROOT, text } from "./repository.ts";

const guides = filesUnder("docs", ".md").filter((page) => !page.startsWith("docs/api/"));
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...guides,
  ...[".github", "fixtures", "examples", "packages"].flatMap((folder) => filesUnder(folder, ".md")),
].filter((page) => !page.endsWith("CHANGELOG.md"));

/** What is wrong with a link to something in the repository. */
function fault(page: string, { label, target }: Link): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path, anchor] = target.split("#") as [string, string | undefined];
  const file = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, file))) return `${target}: there is no ${file}`;
  if (anchor !== undefined && !headingAnchors(text(file)).includes(anchor)) return `${target}: no such heading`;
  const name = /^`([A-Za-z]\w*)`$/.exec(label)?.[1];
  if (name !== undefined && /\.(ts|py)$/.test(file) && !new RegExp(`\\b${name}\\b`).test(text(file)))
    return `${target}: no ${name} in it`;
  return undefined;
}

interface TypedocConfig {
  readonly entryPoints: readonly string[];
}

/** The source of an entry of a package's `exports`, for a browser. */
function sourceOf(entry: unknown): string {
  const source = (entry as { "h5-source": string | { default: string } })["h5-source"];
  return (typeof source === "string" ? source : source.default).slice("./".length);
}

describe("documentation", () => {
  it.each(pages)("%s links to files, headings and names that exist", (page) => {
    expect(
      links(text(page))
        .map((link) => fault(page, link))
        .filter(Boolean),
    ).toEqual([]);
  });

  it.each(guides)("%s says what each of its programs prints", (page) => {
    const programs = codeBlocks(text(page)).filter(({ language }) => language === "ts");
    expect(programs).toEqual(examples(text(page)).map(({ program }) => program));
  });

  it("says that not all damage is found out, and shows some that is not", () => {
    const [, what] = text("docs/guide/limits.md").split(/^## What is not$/m);
    expect(what).toContain("**Detection is not exhaustive.**");
    expect(examples(what!)[0]!.output).toBe(
      "Float64Array(3) [ 0, 0.5, 1 ] Float64Array(3) [ 0, 8.98846567431158e+307, 1 ]\n",
    );
  });

  it("has pages of what each entry of each package exports", () => {
    const configured = JSON.parse(text("typedoc.json")) as TypedocConfig & { packageOptions: TypedocConfig };
    expect(configured.entryPoints).toEqual(LAYERS.map((name) => `packages/${name}`));
    for (const name of LAYERS) {
      const own = `packages/${name}/typedoc.json`;
      const { entryPoints } = existsSync(join(ROOT, own))
        ? (JSON.parse(text(own)) as TypedocConfig)
        : configured.packageOptions;
      const entries = Object.entries(manifest(name).exports!).filter(([key]) => key !== "./package.json");
      expect([name, ...entryPoints]).toEqual([name, ...entries.map(([, entry]) => sourceOf(entry))]);
    }
  });

  it("can be reached from its index, page by page", () => {
    const reached = new Set(["docs/README.md"]);
    for (const page of reached) {
      for (const { target } of links(text(page))) {
        const file = normalize(join(dirname(page), target.split("#")[0]!));
        if (guides.includes(file)) reached.add(file);
      }
    }
    expect(guides.filter((page) => !reached.has(page))).toEqual([]);
  });
});
