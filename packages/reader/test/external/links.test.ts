import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type ExternalFile, open } from "../../src/index.ts";
import { expectedOf, fixtures, openAmong, readingOf } from "./folder.ts";

describe("a path through external links", () => {
  it.each(Object.entries(expectedOf("chain-a.h5")))("%s leads where libhdf5 goes", async (path, expected) => {
    const file = await openAmong("chain-a.h5");
    if (expected.error === undefined) expect(await readingOf(await file.dataset(path))).toEqual(expected);
    else await expect(file.dataset(path)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await file.has(path)).toBe(expected.error === undefined);
  });

  it("opens each file once, and says which one asks", async () => {
    const external = fixtures();
    const file = await openAmong("chain-a.h5", { external });
    expect(external.asked).toEqual([]);
    await Promise.all([file.get("/to-b/data"), file.get("/to-b/soft"), file.get("/to-c"), file.get("/back")]);
    await file.get("/soft");
    expect(external.asked).toEqual([
      { name: "chain-b.h5", kind: "external link", from: "chain-a.h5" },
      { name: "chain-c.h5", kind: "external link", from: "chain-b.h5" },
      { name: "chain-a.h5", kind: "external link", from: "chain-b.h5" },
    ]);
  });

  it("gives an object of the other file, with its path there", async () => {
    const file = await openAmong("chain-a.h5");
    const group = await file.group("/to-b");
    expect(group.path).toBe("/g");
    expect((await group.get("../g/data")).path).toBe("/g/data");
    expect(await group.has("/own")).toBe(false);
    expect(await (await file.group("/file")).keys()).toEqual(["back", "g", "round", "to-c"]);
    // The path back into the first file is the first file's own.
    expect((await file.get("/back")).address).toBe((await file.get("/own")).address);
  });

  it("folds .. before anything is followed", async () => {
    const file = await openAmong("chain-a.h5");
    expect((await file.get("/to-b/../own")).path).toBe("/own");
  });

  it("that comes round is refused", async () => {
    const external = fixtures();
    const file = await openAmong("chain-a.h5", { external });
    await expect(file.get("/round")).rejects.toMatchObject({ code: "INVALID_FIELD", structure: "external link" });
    expect(external.asked.length).toBeLessThan(4);
  });

  it("ends where limits.linkDepth says, if every file is a new one", async () => {
    let asked = 0;
    const external = {
      open: (name: string): ExternalFile => {
        const bytes = fixtureBytes(`external/${name}`);
        return { name: `${asked++}`, source: { slice: (start, end) => bytes.subarray(start, end) } };
      },
    };
    const file = await openAmong("chain-a.h5", { external });
    await expect(file.get("/round")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "linkDepth" });
    expect(asked).toBe(65);
    const few = await openAmong("chain-a.h5", { external, limits: { files: 5 } });
    await expect(few.get("/round")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "files" });
  });

  it("needs a resolver, without which links are there all the same", async () => {
    const file = await open(fixtureBytes("external/chain-a.h5"));
    await expect(file.get("/to-b/data")).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE", path: "/to-b/data" });
    expect(await file.has("/to-b/data")).toBe(false);
    expect(await file.links()).toContainEqual({ name: "to-b", type: "external", file: "chain-b.h5", target: "/g" });
  });

  it("fails as the sources fail, and asks again the next time", async () => {
    const files = fixtures();
    let broken = true;
    const external = {
      open: (...request: Parameters<typeof files.open>): ReturnType<typeof files.open> => {
        if (broken) throw new Error("the disk is gone");
        return files.open(...request);
      },
    };
    const file = await openAmong("chain-a.h5", { external });
    await expect(file.get("/to-b")).rejects.toMatchObject({ code: "SOURCE", message: expect.stringContaining("gone") });
    broken = false;
    expect((await file.get("/to-b")).kind).toBe("group");
  });

  it("ends with its signal", async () => {
    const file = await openAmong("chain-a.h5", { external: { open: () => new Promise(() => {}) } });
    const controller = new AbortController();
    const work = file.get("/to-b", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(work).rejects.toThrow("enough");
  });
});

describe("a reference to another file's object", () => {
  it("leads there", async () => {
    const file = await openAmong("chain-a.h5");
    const { address } = await file.get("/to-b/data");
    const object = await file.dereference({ kind: "object", address, file: "chain-b.h5" });
    expect(await readingOf(object as never)).toEqual(expectedOf("chain-a.h5")["/to-b/data"]);
    await expect(file.dereference({ kind: "object", address, file: "missing.h5" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
