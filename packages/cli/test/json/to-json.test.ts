import { readFileSync } from "node:fs";
import { bytesSource } from "@h5/framing";
import { type ExternalSources, open } from "@h5/reader";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { toJson } from "../../src/index.ts";

type Node = Readonly<Record<string, unknown>>;

async function objectsOf(
  name: string,
  bytes: Uint8Array = fixtureBytes(`reader/${name}.h5`),
): Promise<Record<string, Node>> {
  return (await toJson(await open(bytes))).objects as Record<string, Node>;
}

/** What libhdf5 reads in a fixture. */
function expectedOf(name: string): Record<string, Node> {
  return JSON.parse(readFileSync(fixturePath(`reader/${name}.json`), "utf8")).objects;
}

describe("the document", () => {
  it("has the file's name, userblock and superblock", async () => {
    const document = await toJson(await open(fixtureBytes("reader/userblock.h5")), "name.h5");
    expect(document).toMatchObject({ file: "name.h5", userblock: 512, superblock: 0 });
    expect(document).not.toHaveProperty("truncated");
  });

  it("lists each path once, depth first in byte order, and cycles only as links", async () => {
    const objects = await objectsOf("links");
    expect(Object.keys(objects)).toEqual(["/", "/__proto__", "/alias", "/group", "/group/data"]);
    expect(objects["/group"]!["links"]).toEqual({ data: { type: "hard" }, up: { type: "hard", cycle: true } });
    expect({ ...(objects["/"]!["links"] as Node) }).toMatchObject({
      circle: { type: "soft", target: "/circle" },
      elsewhere: { type: "external", file: "other.h5", target: "/data" },
    });
  });

  it("keeps names that are keys of every object", async () => {
    const text = JSON.stringify(await toJson(await open(fixtureBytes("reader/attributes.h5"))));
    expect(text).toContain('"__proto__":{"shape":[],"dtype"');
    const objects = await objectsOf("links");
    expect(Object.keys(objects["/"]!["links"] as Node)).toContain("__proto__");
  });

  it("ends after 3000 paths", async () => {
    const child = { link: { type: "hard", name: "" }, object: undefined, error: undefined };
    const file = await open(fixtureBytes("reader/ordered.h5"));
    const many = Array.from({ length: 3001 }, (_, i) => ({
      ...child,
      link: { type: "soft", name: String(i), target: "." },
    }));
    let children: readonly object[] = many;
    Object.defineProperty(file, "children", { value: async () => children });
    expect(await toJson(file)).not.toHaveProperty("truncated");
    const error = Object.assign(new Error("no"), { code: "INVALID_FIELD", structure: undefined });
    children = many.map(({ link: { name } }) => ({ ...child, link: { type: "hard", name, address: 0 }, error }));
    const document = await toJson(file);
    expect(document.truncated).toBe(true);
    expect(Object.keys(document.objects).length).toBe(3000);
  });
});

describe("values", () => {
  it.each([
    ["integers beyond 2^53 as strings", "references", "/beyond"],
    ["NaN and the infinities as words", "references", "/floats"],
    ["bytes that are not UTF-8 as hex", "references", "/not-utf8"],
    ["opaque bytes as hex", "references", "/opaque"],
    ["enumerations as the stored integers", "references", "/colour"],
    ["references by path, null as null", "references", "/objects"],
    ["regions by path and blocks", "references", "/regions"],
    ["many numbers as a hash, with the first 8", "references", "/many"],
    ["many other values by their first and last", "references", "/words"],
    ["arrays as nested lists", "storage", "/matrices"],
    ["compounds by member", "storage", "/records"],
    ["a scalar as a list of one", "storage", "/scalar"],
    ["an empty dataset as an empty list", "storage", "/empty"],
    ["a null dataspace as null", "fill-values", "/null"],
    ["variable-length strings and sequences", "vlen-strings", "/ragged"],
  ])("%s", async (_, name, path) => {
    const { data, dtype, shape } = (await objectsOf(name))[path]!;
    const expected = expectedOf(name)[path]!;
    expect(JSON.parse(JSON.stringify({ data, shape }))).toEqual({ data: expected["data"], shape: expected["shape"] });
    expect(JSON.parse(JSON.stringify(dtype))).toEqual(expected["dtype"]);
  });
});

it.each(["chunked", "contiguous"])("gives the first elements alone of more than 2^53-1 that are %s", async (name) => {
  const { objects } = await toJson(await open(fixtureBytes("completeness/huge-count.h5")));
  const n = (2 ** 33 - 1) * (2 ** 27 + 1);
  const expected = { n, head: new Array(200).fill(7), tail: [], too_large: true };
  expect((objects as Record<string, Node>)[`/${name}`]!["data"]).toEqual(expected);
});

describe("a reference into another file", () => {
  const bytes = fixtureBytes("completeness/references.h5");
  const referenceOf = async (external?: ExternalSources): Promise<unknown> => {
    const { objects } = await toJson(await open(bytes, { external }));
    return ((objects as Record<string, Node>)["/references"]!["data"] as unknown[])[6];
  };

  it("has the path there, as libhdf5 1.14 says it", async () => {
    // The file it leads to was made as this one was, up to its references.
    const openOther = async (name: string) =>
      name.endsWith("references-other.h5") ? { name, source: bytesSource(bytes) } : null;
    expect(await referenceOf({ open: openOther })).toEqual({ ref: "/data", std: true });
  });

  it("has none where that file is not found, or no way to it", async () => {
    const dangling = { ref: null, std: true, dangling: true };
    expect(await referenceOf({ open: async () => null })).toEqual(dangling);
    expect(await referenceOf()).toEqual(dangling);
  });
});

describe("what cannot be read", () => {
  it("carries a typed error in place of what is missing, the rest is given", async () => {
    const bytes = fixtureBytes("reader/storage.h5");
    const { address } = await (await open(bytes)).get("contiguous");
    bytes[address] = 0xee;
    const objects = await objectsOf("storage", bytes);
    expect(objects["/contiguous"]).toEqual({
      kind: "unknown",
      error: { code: "INVALID_FIELD", message: expect.stringContaining(`at address ${address}`) },
    });
    expect(objects["/compact"]).toMatchObject({ kind: "dataset", shape: [5, 6, 7] });
  });

  it("of a dataset's data leaves its metadata", async () => {
    const file = await open(fixtureBytes("reader/superblock-0-deflate.h5"), { filters: [] });
    const { objects } = await toJson(file);
    expect(objects["/grid"]).toMatchObject({
      kind: "dataset",
      shape: [20],
      chunks: [12],
      filters: [1],
      error: { code: "MISSING_FILTER" },
    });
    expect(objects["/grid"]).not.toHaveProperty("data");
  });

  it("of an attribute leaves the others", async () => {
    const bytes = fixtureBytes("reader/attributes.h5");
    bytes[Buffer.from(bytes).indexOf("toString\0") - 8] = 99;
    const data = (await objectsOf("attributes", bytes))["/data"]!;
    expect(data["attrs_error"]).toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    expect(data["attrs"]).toMatchObject({ scalar: { data: [2.5] } });
  });

  it("through a fault of ours is thrown on, not made a document", async () => {
    const file = await open(fixtureBytes("reader/ordered.h5"));
    Object.defineProperty(file, "children", {
      value: async () => {
        throw new TypeError("a bug");
      },
    });
    await expect(toJson(file)).rejects.toThrow(TypeError);
  });
});
