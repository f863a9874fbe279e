import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isH5Error } from "@h5/framing";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type FolderOptions, folderResolver } from "../src/node.ts";
import { contentOf, HOSTILE, IMPOSSIBLE, linkOf, ORIGIN } from "./requests.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "h5-folder-")));
const folder = join(top, "data");
afterAll(() => rmSync(top, { recursive: true }));

/** A file whose content is its name. */
function file(...path: string[]): string {
  const name = join(top, ...path);
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(name, path.join("/"));
  return name;
}

for (const name of ["a.h5", "b.h5", "run/a.h5", "run/b.h5", "run/c.h5", "only.h5", "%2e%2e/x.h5"]) file("data", name);
const secret = file("secret");
file("other", "d.h5");
file("database", "e.h5");
symlinkSync(secret, join(folder, "link.h5"));
symlinkSync(join(top, "other"), join(folder, "far"));
symlinkSync("b.h5", join(folder, "alias.h5"));
symlinkSync("../run/a.h5", join(folder, "run", "self.h5"));
mkdirSync(join(folder, "store"));
file("data", "store", "9f3a");
file("data", "store", "beside.h5");
symlinkSync("../store/9f3a", join(folder, "run", "annexed.h5"));
symlinkSync("loop2.h5", join(folder, "loop1.h5"));
symlinkSync("loop1.h5", join(folder, "loop2.h5"));
execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe.h5")]);

/** What a link from a file finds, and closes. */
async function find(name: string, from = "a.h5", options?: FolderOptions, kind = "external link" as const) {
  const resolver = folderResolver(folder, options);
  try {
    return await contentOf(await resolver.open(name, { kind, from: join(folder, from) }));
  } finally {
    await resolver.close();
  }
}

describe("folderResolver finds", () => {
  it.each([
    ["b.h5", "a.h5", "data/b.h5"],
    ["b.h5", "run/a.h5", "data/run/b.h5"],
    ["../b.h5", "run/a.h5", "data/b.h5"],
    ["run/c.h5", "run/a.h5", "data/run/c.h5"],
    ["run\\c.h5", "a.h5", "data/run/c.h5"],
    ["./run/../b.h5", "a.h5", "data/b.h5"],
    ["only.h5", "run/a.h5", "data/only.h5"],
    ["/scratch/2021/c.h5", "run/a.h5", "data/run/c.h5"],
    ["/scratch/2021/only.h5", "run/a.h5", "data/only.h5"],
    ["D:\\scratch\\only.h5", "run/a.h5", "data/only.h5"],
    ["gone/only.h5", "run/a.h5", "data/only.h5"],
    [join(folder, "run/c.h5"), "a.h5", "data/run/c.h5"],
    ["alias.h5", "a.h5", "data/b.h5"],
    ["%2e%2e/x.h5", "a.h5", "data/%2e%2e/x.h5"],
    ["beside.h5", "run/annexed.h5", "data/store/beside.h5"],
    ["b.h5", "run/annexed.h5", "data/run/b.h5"],
  ])("%s seen from %s", async (name, from, content) => {
    expect(await find(name, from)).toBe(content);
  });

  it("raw data from the folder first, as libhdf5 does from the working directory", async () => {
    const resolver = folderResolver(pathToFileURL(folder));
    const raw = await resolver.open("b.h5", { kind: "raw data", from: join(folder, "run/a.h5") });
    expect(await contentOf(raw)).toBe("data/b.h5");
    await resolver.close();
  });

  it("nothing where there is no regular file", async () => {
    for (const name of [
      "nothing.h5",
      "run",
      "a.h5/none.h5",
      "pipe.h5",
      "..%2fsecret",
      "n".repeat(3000),
      "run/../none",
    ]) {
      expect([name, await find(name)]).toEqual([name, undefined]);
    }
  });

  it("a relative name of the root, and its folder where it has none", async () => {
    const resolver = folderResolver(folder);
    expect(await contentOf(await resolver.open("c.h5", linkOf("run/a.h5")))).toBe("data/run/c.h5");
    expect(await contentOf(await resolver.open("b.h5", linkOf(undefined)))).toBe("data/b.h5");
    expect(await contentOf(await resolver.open("b.h5", linkOf("<root>")))).toBe("data/b.h5");
    expect(await contentOf(await resolver.open("run/c.h5", { kind: "root", from: undefined }))).toBe("data/run/c.h5");
    await resolver.close();
  });
});

describe("folderResolver refuses", () => {
  it.each(HOSTILE)("%s", async (name) => {
    await expect(find(name)).rejects.toMatchObject({
      code: "UNSUPPORTED_FEATURE",
      structure: "external link",
      message: expect.stringMatching(/is not in .*; to open it, name its folder in the option allow/),
    });
  });

  it.each(IMPOSSIBLE)("%j, which no file can be called", async (name) => {
    await expect(find(name)).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("symbolic links out of the folder", async () => {
    await expect(find("link.h5")).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    await expect(find("far/d.h5")).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
  });

  it("a folder whose name begins like its own", async () => {
    await expect(find("../database/e.h5")).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    await expect(find(join(top, "database", "e.h5"))).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
  });

  it("a root outside", async () => {
    const resolver = folderResolver(folder);
    for (const name of ["../secret", secret, "link.h5"]) {
      const opening = resolver.open(name, { kind: "root", from: undefined });
      await expect(opening).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE", structure: "root" });
    }
    await resolver.close();
  });

  it("templates of members that lead out", async () => {
    const resolver = folderResolver(folder);
    const opening = resolver.open("../%s-r", { kind: "driver member", from: join(folder, "a.h5") });
    await expect(opening).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    await resolver.close();
  });

  it("circles of symbolic links, as the system does", async () => {
    await expect(find("loop1.h5")).rejects.toMatchObject({ code: "SOURCE" });
  });
});

it("folderResolver opens nothing outside of its folder, whatever the name", async () => {
  const part = fc.constantFrom(
    "..",
    ".",
    "",
    "run",
    "secret",
    "other",
    "d.h5",
    "b.h5",
    "link.h5",
    "far",
    "C:",
    "file:",
    "%2e%2e",
    "data",
  );
  const names = fc
    .tuple(
      fc.constantFrom("", "/", "\\", "//", `${top}/`, "file://", `file://${top}/`),
      fc.array(fc.tuple(part, fc.constantFrom("/", "\\")), { minLength: 1 }),
    )
    .map(([start, parts]) => start + parts.flat().slice(0, -1).join(""));
  const resolver = folderResolver(folder);
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom("a.h5", "run/a.h5", "run/annexed.h5"), async (name, from) => {
      try {
        const file = await resolver.open(name, linkOf(join(folder, from)));
        expect((await contentOf(file)) ?? "data/").toMatch(/^data\//);
      } catch (error) {
        expect(isH5Error(error, "UNSUPPORTED_FEATURE", "INVALID_FIELD"), String(error)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
  await resolver.close();
});

describe("folderResolver's options", () => {
  it("allow opens further folders, by absolute names and by symbolic links", async () => {
    const options = { allow: [join(top, "other")] };
    expect(await find(join(top, "other/d.h5"), "a.h5", options)).toBe("other/d.h5");
    expect(await find("../other/d.h5", "a.h5", options)).toBe("other/d.h5");
    expect(await find("far/d.h5", "a.h5", options)).toBe("other/d.h5");
    expect(await find(String(pathToFileURL(join(top, "other/d.h5"))), "a.h5", options)).toBe("other/d.h5");
    await expect(find(secret, "a.h5", options)).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
  });

  it("prefixes come first, and may be opened", async () => {
    const prefixes = { externalLink: [join(top, "other"), "run"] };
    expect(await find("b.h5", "a.h5", { prefixes })).toBe("data/run/b.h5");
    expect(await find("d.h5", "a.h5", { prefixes })).toBe("other/d.h5");
    expect(await find("/scratch/d.h5", "a.h5", { prefixes })).toBe("other/d.h5");
    await expect(find("../secret", "a.h5", { prefixes })).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    expect(await find("c.h5", "a.h5", { prefixes: { externalLink: [`${ORIGIN}/run`] } })).toBe("data/run/c.h5");
  });
});

describe("folderResolver's files", () => {
  it("are opened once, by whatever names, also at once", async () => {
    const resolver = folderResolver(folder);
    const names = ["b.h5", "alias.h5", "run/../b.h5", join(folder, "b.h5"), "/scratch/b.h5"];
    const files = await Promise.all(names.map((name) => resolver.open(name, linkOf("a.h5"))));
    expect(new Set(files).size).toBe(1);
    expect(await resolver.open("../alias.h5", linkOf("run/a.h5"))).toBe(files[0]);
    await resolver.close();
  });

  it("are closed with it, and then none is opened", async () => {
    const resolver = folderResolver(folder);
    const opened = await resolver.open("b.h5", linkOf("a.h5"));
    const opening = resolver.open("only.h5", linkOf("a.h5"));
    await resolver.close();
    await resolver.close();
    await expect(contentOf(opened)).rejects.toMatchObject({ code: "SOURCE" });
    await expect(opening.then(contentOf)).rejects.toMatchObject({ code: "SOURCE" });
    await expect(resolver.open("b.h5", linkOf("a.h5"))).rejects.toMatchObject({ code: "SOURCE" });
  });

  it("an abort ends the wait with its reason", async () => {
    const resolver = folderResolver(folder);
    const controller = new AbortController();
    const waiting = resolver.open("b.h5", linkOf("a.h5", controller.signal));
    const other = resolver.open("b.h5", linkOf("a.h5"));
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    expect(await contentOf(await other)).toBe("data/b.h5");
    await resolver.close();
  });
});
