import { libhdf5 } from "@h5/testing/libhdf5";
import { beforeAll, describe, expect, it } from "vitest";
import { createFile } from "../../src/index.ts";

const NAMES = ["__proto__", "constructor", "toString", "length", "10", "é", "長い", "a b", "..", "...", " "];

describe.each([{}, { compatibility: "earliest" } as const])("names that are awkward, %j", (options) => {
  const file = createFile(options);
  const dtype = Object.fromEntries(NAMES.map((name) => [name, "int8"]));
  const row = Object.fromEntries(NAMES.map((name, i) => [name, i]));
  for (const [i, name] of NAMES.entries()) file.dataset(name, i);
  file.dataset("rows", [row], { dtype, attrs: new Map(NAMES.map((name, i) => [name, i])) });
  file.dataset("inferred", [row]);
  file.dataset("columns", Object.fromEntries(NAMES.map((name, i) => [name, [i, i]])));
  let bytes: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    bytes = await file.encode();
  });

  it("are names of links", async () => {
    const built = await libhdf5(bytes);
    built.open("r", (opened) => {
      expect(
        opened
          .keys()
          .filter((name) => NAMES.includes(name))
          .sort(),
      ).toEqual([...NAMES].sort());
    });
  });

  it("are names of attributes and members", async () => {
    const built = await libhdf5(bytes);
    built.open("r", (opened) => {
      for (const path of ["rows", "inferred", "columns"]) {
        const dataset = opened.get(path) as unknown as { metadata: { compound_type: { members: { name: string }[] } } };
        expect(dataset.metadata.compound_type.members.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
      }
      const rows = opened.get("rows") as unknown as {
        get_attribute(name: string, json: boolean): unknown;
        value: unknown[][];
      };
      for (const [i, name] of NAMES.entries()) expect(Number(rows.get_attribute(name, false))).toBe(i);
    });
  });
});

describe("attributes", () => {
  it("may be given as an object, a map or pairs", async () => {
    const forms = [
      { a: 1, b: "x" },
      new Map<string, unknown>([
        ["a", 1],
        ["b", "x"],
      ]),
      [
        ["a", 1],
        ["b", "x"],
      ] as const,
    ];
    const files = forms.map((attrs) => {
      const file = createFile();
      file.group("g", { attrs });
      return file.encode();
    });
    const [first, ...others] = await Promise.all(files);
    for (const other of others) expect(other).toEqual(first);
  });

  it("may have slashes in their names", async () => {
    const file = createFile();
    file.attribute("a/b", 1);
    (await libhdf5(await file.encode())).open("r", (opened) => expect(Object.keys(opened.attrs)).toEqual(["a/b"]));
  });
});

describe("paths", () => {
  it("count from the group or from the root, and leave out empty names and dots", async () => {
    const file = createFile();
    const group = file.group("a//./b/");
    expect(group.path).toBe("/a/b");
    expect(group.dataset("c", 1).path).toBe("/a/b/c");
    expect(group.dataset("/d/e", 1).path).toBe("/d/e");
    expect(file.group("/a/b").path).toBe("/a/b");
    expect(group.group("/").path).toBe("/");
  });
});
