import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder, manifest, published, ROOT, text } from "./repository.ts";

/** Files that are tracked or would be; without Git (an unpacked archive) what lies in the folders that matter. */
function ownFiles(): string[] {
  try {
    const list = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
      cwd: ROOT,
      stdio: "pipe",
    });
    return list
      .toString()
      .split("\0")
      .filter((path) => path !== "" && existsSync(join(ROOT, path)));
  } catch {
    return ["packages", "docs", "test", "fixtures", "scripts"].flatMap((folder) => filesUnder(folder, ""));
  }
}

/** The hash of the file that the expected content beside a fixture was made of. */
function expectedHash(fixture: string): string | undefined {
  const expected = fixture.replace(/\.h5$/, ".json");
  return existsSync(join(ROOT, expected)) ? (JSON.parse(text(expected)) as { sha256?: string }).sha256 : undefined;
}

function hash(file: string): string {
  return createHash("sha256")
    .update(readFileSync(join(ROOT, file)))
    .digest("hex");
}

const textFiles = ownFiles().filter((path) => /\.(ts|mjs|js|json|md|py|sh|yml|yaml|tsv|txt)$/.test(path));

describe("repository", () => {
  it("has a lockfile that names no host", () => {
    expect(text("pnpm-lock.yaml").match(/(tarball|resolution): .*https?:\/\/.*/g) ?? []).toEqual([]);
  });

  it("holds no path of one machine", () => {
    const path = new RegExp(["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/[a-z]+/", "/Us" + "ers/[a-z]+/"].join("|"));
    expect(textFiles.filter((file) => file !== "pnpm-lock.yaml" && path.test(text(file)))).toEqual([]);
  });

  it("keeps fixtures small, each with what libhdf5 reads in it", () => {
    const fixtures = filesUnder("fixtures", ".h5");
    expect(fixtures.filter((file) => statSync(join(ROOT, file)).size >= 65536)).toEqual([]);
    expect(fixtures.filter((file) => expectedHash(file) !== hash(file))).toEqual([]);
  });

  it("has no test that is skipped or runs alone", () => {
    const tests = textFiles.filter((file) => file.endsWith(".test.ts") && file !== "test/repository.test.ts");
    expect(tests.filter((file) => /\b(it|test|describe)\.(skip|only|todo|fails)\b/.test(text(file)))).toEqual([]);
  });
});

describe.each(published())("@h5/%s", (name) => {
  const own = manifest(name);

  it("is ESM without side effects that ships its sources, with words to find it by", () => {
    expect(own).toMatchObject({ name: `@h5/${name}`, type: "module", sideEffects: false, license: "MIT" });
    expect(own.files).toEqual(expect.arrayContaining(["dist", "src"]));
    expect([own.description?.length, own.keywords?.[0]]).toEqual([expect.any(Number), "hdf5"]);
  });

  it("exports a source, types and a build for each entry", () => {
    expect(own.exports).toHaveProperty(["."]);
    for (const [key, entry] of Object.entries(own.exports!)) {
      if (key === "./package.json") continue;
      const sources = JSON.stringify(entry).match(/\.\/src\/[\w./-]+\.ts/g) ?? [];
      expect([
        key,
        sources.length > 0,
        sources.filter((file) => !existsSync(join(ROOT, "packages", name, file))),
      ]).toEqual([key, true, []]);
      expect(JSON.stringify(entry)).toMatch(/"types":.*"default":/);
    }
  });

  it("has a README, the licence, and a test that pins its exports", () => {
    for (const file of ["README.md", "LICENSE", "test/public-api.test.ts"]) {
      expect([file, existsSync(join(ROOT, "packages", name, file))]).toEqual([file, true]);
    }
  });

  it("is called only by its published version: no tool in its dependencies", () => {
    const tools = ["vitest", "tsup", "typescript", "fast-check", "h5wasm", "@h5/testing", "@h5/conformance"];
    expect(tools.filter((tool) => tool in (own.dependencies ?? {}))).toEqual([]);
  });

  it("has a changeset while it has changes that no version holds", () => {
    const changesets = filesUnder(".changeset", ".md").map((file) => text(file));
    const released = existsSync(join(ROOT, "packages", name, "CHANGELOG.md"));
    expect(
      released || changesets.some((body) => new RegExp(`^"@h5/${name}": (patch|minor|major)$`, "m").test(body)),
    ).toBe(true);
  });
});
