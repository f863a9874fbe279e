import { describe, expect, it } from "vitest";
import { open } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

const softLinks = await openFixture("soft-links");
const value = async (path: string): Promise<unknown> => (await softLinks.dataset(path)).get([]);

describe("a path", () => {
  it.each([
    "a/b/data",
    "/a/b/data",
    "//a//b///data",
    "./a/./b/data/.",
    "a/../a/b/data",
    "../../a/b/nothing/../data",
    "a/b/data/",
  ])("%s leads to the dataset", async (path) => {
    const dataset = await softLinks.dataset(path);
    expect(dataset.path).toBe("/a/b/data");
  });

  it("from a group goes on from it, up with .., and from the root with /", async () => {
    const group = await softLinks.group("a/b");
    expect((await group.get("data")).path).toBe("/a/b/data");
    expect((await group.get("../b/data")).path).toBe("/a/b/data");
    expect((await group.get("../..")).path).toBe("/");
    expect((await group.get("/a")).path).toBe("/a");
    expect((await group.get(".")).address).toBe(group.address);
    expect((await group.get("")).address).toBe(group.address);
  });

  it.each([
    ["nothing", 'no "nothing" in /'],
    ["a/nothing/further", 'no "nothing" in /a'],
    ["a/b/data/below", "/a/b/data is a dataset, not a group"],
  ])("%s that leads to nothing is NotFound: %s", async (path, message) => {
    await expect(softLinks.get(path)).rejects.toMatchObject({
      code: "NOT_FOUND",
      path,
      message: expect.stringContaining(message),
    });
    expect(await softLinks.has(path)).toBe(false);
  });

  it("to another kind than was asked for is NotFound", async () => {
    await expect(softLinks.group("a/b/data")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(softLinks.dataset("a/b")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await softLinks.has("a/b")).toBe(true);
  });

  it("goes through a name that is a key of every object", async () => {
    const links = await openFixture("links");
    expect((await links.get("__proto__")).kind).toBe("datatype");
    await expect(links.get("constructor")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(links.get("toString")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a soft link", () => {
  it.each(["a/b/relative", "a/b/upward", "a/b/absolute", "into/data", "into/relative", "chain0"])(
    "%s is followed",
    async (path) => {
      expect((await softLinks.dataset(path)).path).toBe("/a/b/data");
    },
  );

  it("has its .. folded before anything is followed", async () => {
    expect((await softLinks.get("into/..")).path).toBe("/");
  });

  it.each(["ping", "pong", "deeper"])("%s that comes back to itself is an error", async (path) => {
    await expect(softLinks.get(path)).rejects.toMatchObject({ structure: "soft link", path });
    expect(["INVALID_FIELD", "LIMIT_EXCEEDED"]).toContain(await softLinks.get(path).catch(({ code }) => code));
  });

  it("may lead to others, up to limits.linkDepth", async () => {
    expect((await softLinks.dataset("chain7")).path).toBe("/a/b/data");
    const bounded = await openFixture("soft-links", { limits: { linkDepth: 4 } });
    expect((await bounded.dataset("chain3")).path).toBe("/a/b/data");
    await expect(bounded.dataset("chain4")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "linkDepth" });
  });

  it("to nothing is NotFound, but stays listed", async () => {
    const links = await openFixture("links");
    await expect(links.get("dangling")).rejects.toMatchObject({ code: "NOT_FOUND", path: "dangling" });
    expect(await links.keys()).toContain("dangling");
    expect(await links.has("dangling")).toBe(false);
  });

  it("gives the values of what it leads to", async () => {
    expect(await value("chain0")).toBe(42);
  });
});

describe("an external link", () => {
  it("is listed with its file and target, and refused by name when it is followed", async () => {
    const links = await openFixture("links");
    expect((await links.links()).find(({ name }) => name === "elsewhere")).toMatchObject({
      type: "external",
      file: "other.h5",
      target: "/data",
    });
    for (const path of ["elsewhere", "elsewhere/below", "group/up/elsewhere"]) {
      await expect(links.get(path)).rejects.toMatchObject({
        code: "UNSUPPORTED_FEATURE",
        path,
        message: expect.stringContaining("external link to /data of file other.h5"),
      });
      expect(await links.has(path)).toBe(false);
    }
  });
});

describe("a walk", () => {
  it("past a damaged header names the path and the address", async () => {
    const bytes = bytesOf("soft-links");
    const { address } = await softLinks.get("a/b");
    bytes[address] = 0xee;
    const damaged = await open(bytes);
    await expect(damaged.get("a/b/data")).rejects.toMatchObject({ code: "INVALID_FIELD", address, path: "a/b/data" });
    expect((await damaged.get("a")).kind).toBe("group");
  });
});
