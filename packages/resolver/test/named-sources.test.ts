import { describe, expect, it } from "vitest";
import { fileListResolver, namedSources, openResolved, type ResolveRequest } from "../src/index.ts";
import { contentOf, IMPOSSIBLE, linkOf, ORIGIN } from "./requests.ts";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

describe("namedSources", () => {
  const sources = namedSources({
    "b.h5": text("b"),
    "data/b.h5": text("data/b"),
    "data/c.h5": text("data/c"),
    "d.h5": text("d"),
    "/abs/e.h5": text("/abs/e"),
    "fast/b.h5": text("fast/b"),
    open: text("a file called open"),
  });

  it.each([
    ["b.h5", "data/a.h5", "b.h5"],
    ["c.h5", "data/a.h5", "data/c.h5"],
    ["./c.h5", "data/a.h5", "data/c.h5"],
    ["../d.h5", "data/a.h5", "d.h5"],
    ["/far/away/c.h5", "data/a.h5", "data/c.h5"],
    ["/far/away/d.h5", "data/a.h5", "d.h5"],
    ["C:\\far\\d.h5", "data/a.h5", "d.h5"],
    ["/abs/e.h5", "a.h5", "/abs/e.h5"],
    ["open", "<root>", "open"],
  ])("%s seen from %s is %s", async (name, from, found) => {
    expect((await sources.open(name, linkOf(from)))!.name).toBe(found);
  });

  it("has no file it was not given", async () => {
    for (const name of ["nothing.h5", "constructor", "toString", "../../etc/passwd"]) {
      expect(await sources.open(name, linkOf("data/a.h5"))).toBeNull();
    }
  });

  it("gives the root by its exact name alone", async () => {
    const root: ResolveRequest = { kind: "root", from: undefined };
    expect(await sources.open("/far/b.h5", root)).toBeNull();
    expect(await contentOf(await sources.open("b.h5", root))).toBe("b");
  });

  it.each(IMPOSSIBLE)("refuses %j", async (name) => {
    await expect(sources.open(name, linkOf("a.h5"))).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("looks under prefixes, of what asks alone, after the exact name", async () => {
    const prefixed = namedSources(
      new Map([
        ["fast/b.h5", text("fast")],
        ["data/b.h5", text("slow")],
        ["data/sub/c.h5", text("below the file that asks")],
      ]),
      { prefixes: { externalLink: ["fast", `${ORIGIN}/sub`] } },
    );
    expect(await contentOf(await prefixed.open("b.h5", linkOf("data/a.h5")))).toBe("fast");
    expect(await contentOf(await prefixed.open("c.h5", linkOf("data/a.h5")))).toBe("below the file that asks");
    expect(await contentOf(await prefixed.open("b.h5", { kind: "virtual source", from: "data/a.h5" }))).toBe("slow");
  });

  it("gives one source one name and one object, whatever it was asked by", async () => {
    const bytes = text("same");
    const aliases = namedSources({ "a.h5": bytes, "data/alias.h5": bytes });
    const found = await aliases.open("data/alias.h5", linkOf("x.h5"));
    expect(await aliases.open("a.h5", linkOf("x.h5"))).toBe(found);
    expect(await aliases.open("alias.h5", linkOf("data/x.h5"))).toBe(found);
  });

  it("names the members of a family by what it holds", async () => {
    const family = namedSources({ "d/run.h5": text("0"), "d/run_m1.h5f": text("1"), "run_m1.h5f": text("other") });
    const request: ResolveRequest = { kind: "driver member", from: "d/run.h5" };
    expect(await contentOf(await family.open("1", request))).toBe("1");
    expect(await family.open("2", request)).toBeNull();
  });
});

describe("a function", () => {
  it("is told what asks, and asked the names in turn", async () => {
    const asked: unknown[] = [];
    const file = openResolved("a.h5", (name, request) => {
      asked.push([name, request.kind, request.from, request.signal]);
      return null;
    });
    await expect(file).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(asked).toEqual([["a.h5", "root", undefined, undefined]]);
  });
});

describe("fileListResolver", () => {
  const file = (name: string, content: string, path = ""): File =>
    Object.defineProperty(new File([content], name), "webkitRelativePath", { value: path });

  it("finds dropped files by their names", async () => {
    const files = fileListResolver([file("a.h5", "a"), file("b.h5", "b")]);
    expect(await contentOf(await files.open("parts/b.h5", linkOf("a.h5")))).toBe("b");
    expect(await files.open("c.h5", linkOf("a.h5"))).toBeNull();
  });

  it("finds the files of a folder by their paths below it", async () => {
    const files = fileListResolver({
      length: 2,
      0: file("a.h5", "a", "run/a.h5"),
      1: file("b.h5", "b", "run/parts/b.h5"),
    });
    expect(await contentOf(await files.open("parts/b.h5", linkOf("run/a.h5")))).toBe("b");
    expect(await contentOf(await files.open("../a.h5", linkOf("run/parts/b.h5")))).toBe("a");
  });

  it("refuses two files of one name", () => {
    expect(() => fileListResolver([file("a.h5", "1"), file("a.h5", "2")])).toThrow('two files are called "a.h5"');
  });
});
