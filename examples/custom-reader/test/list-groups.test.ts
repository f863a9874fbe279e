import { readFileSync } from "node:fs";
import { bytesSource } from "@h5/framing";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { listGroup, openFile } from "../list-groups.ts";

interface Expected {
  readonly objects: Readonly<Record<string, { readonly group_storage?: string; readonly links?: object }>>;
}

describe("the reader of groups lists what libhdf5 lists", () => {
  it.each([
    ["symtab", "btree/v1-group", "/"],
    ["compact", "reader/links", "/"],
    ["dense", "btree/dense-links", "/links"],
  ])("in %s storage", async (storage, name, path) => {
    const { objects } = JSON.parse(readFileSync(fixturePath(`${name}.json`), "utf8")) as Expected;
    const { group_storage, links } = objects[path]!;
    expect(group_storage).toBe(storage);
    const file = await openFile(bytesSource(fixtureBytes(`${name}.h5`)));
    const root = await listGroup(file);
    const listed = path === "/" ? root : await listGroup(file, root.get(path.slice(1)));
    expect([...listed.keys()].sort()).toEqual(Object.keys(links!).sort());
  });

  it("and tells the address of what a hard link leads to", async () => {
    const root = await listGroup(await openFile(bytesSource(fixtureBytes("reader/links.h5"))));
    expect([root.get("alias"), root.get("group") === root.get("alias")]).toEqual([expect.any(Number), false]);
    expect(root.get("dangling")).toBeUndefined();
  });
});
