import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ByteSource, bytesSource, isH5Error } from "@h5/framing";
import { fileSource } from "@h5/framing/node";
import type { ExternalFile, H5File } from "@h5/reader";
import { slice } from "@h5/selection";
import { type CountingSource, countingSource, fixtureBytes, fixturePath } from "@h5/testing";
import { afterEach, describe, expect, it } from "vitest";
import { baseUrlResolver, fileListResolver, openResolved, type ResolveRequest } from "../src/index.ts";
import { type FolderResolver, folderResolver } from "../src/node.ts";

type Reference = NonNullable<Parameters<H5File["dereference"]>[0]>;
type RegionReference = NonNullable<Parameters<H5File["region"]>[0]>;

const folder = fixturePath("resolver");
const open: FolderResolver[] = [];
afterEach(() => Promise.all(open.splice(0).map((resolver) => resolver.close())));

function fixtures(): FolderResolver {
  const resolver = folderResolver(folder);
  open.push(resolver);
  return resolver;
}

function external(): FolderResolver {
  const resolver = folderResolver(fixturePath("external"));
  open.push(resolver);
  return resolver;
}

const NAMES = ["year.h5", "months/jan.h5", "months/days/1.h5", "side.h5"];

/** The chain's files in memory, counting what is read of them. */
function counted(): Map<string, CountingSource> {
  return new Map(NAMES.map((name) => [name, countingSource(fixtureBytes(`resolver/${name}`))]));
}

/** What h5py reads by a path (fixtures/make/resolver.py): a dataset's values, a group's names, `null` for nothing. */
async function at(file: H5File, path: string): Promise<unknown> {
  try {
    const object = await file.get(path);
    if (object.kind === "group") return (await object.keys()).sort();
    return object.kind === "dataset" ? Array.from((await object.get()).data as Int32Array) : object.kind;
  } catch (error) {
    if (isH5Error(error)) return null;
    throw error;
  }
}

async function values(file: H5File, path: string): Promise<number[]> {
  return Array.from((await (await file.dataset(path)).get()).data as Int32Array);
}

describe("external links", () => {
  const expected = JSON.parse(readFileSync(fixturePath("resolver/paths.places.json"), "utf8")) as Record<
    string,
    unknown
  >;
  // Where these packages are meant to differ: `..` is folded before links are followed, and a file that is not where a
  // relative name says is looked for by its last part.
  const other = {
    "jan/../local": [1, 2, 3],
    "jan/up/../data": [31],
    soft: [10, 11, 12],
    "soft/.": [10, 11, 12],
    part: [7, 8],
  };
  const paths: Record<string, unknown> = { ...expected, ...other };

  it.each(Object.entries(paths))("%s leads where h5py goes", async (path, value) => {
    expect(await at(await openResolved("year.h5", fixtures()), path)).toEqual(value);
  });

  it("lead there from a record, a map, dropped files and a function too", async () => {
    const record: Record<string, Uint8Array> = Object.fromEntries(
      NAMES.map((name) => [name, fixtureBytes(`resolver/${name}`)]),
    );
    const files = NAMES.map((name) =>
      Object.defineProperty(new File([fixtureBytes(`resolver/${name}`)], name), "webkitRelativePath", { value: name }),
    );
    const find = (name: string): ByteSource | null => (Object.hasOwn(record, name) ? bytesSource(record[name]!) : null);
    for (const resolver of [record, new Map(Object.entries(record)), fileListResolver(files), find]) {
      const file = await openResolved("year.h5", resolver);
      for (const [path, value] of Object.entries(paths)) expect([path, await at(file, path)]).toEqual([path, value]);
    }
  });

  it("lead there over HTTP", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      try {
        response.end(fixtureBytes(`resolver${request.url}`));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const resolver = baseUrlResolver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const file = await openResolved("year.h5", resolver);
    for (const path of ["jan/soft", "jan/first/month", "moved", "round", "escape", "jan/year/local"]) {
      expect([path, await at(file, path)]).toEqual([path, paths[path]]);
    }
    server.close().closeAllConnections();
    // The last part of the name that leads out.
    expect(asked.filter((path) => !NAMES.includes(path.slice(1)))).toEqual(["/above.h5"]);
    expect(asked.length).toBe(new Set(asked).size);
  });

  it("open each file once, when it is first needed", async () => {
    const sources = counted();
    const file = await openResolved("year.h5", sources, { cache: { blockSize: 65536 } });
    const reads = (): number[] => NAMES.map((name) => sources.get(name)!.requests);
    expect(reads()).toEqual([1, 0, 0, 0]);
    await Promise.all(["jan/data", "jan/soft", "day", "jan/year/jan/first/month"].map((path) => file.get(path)));
    expect(reads()).toEqual([1, 1, 1, 0]);
  });

  it("in a circle are an error", async () => {
    const file = await openResolved("year.h5", fixtures());
    await expect(file.get("round")).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("through file after file are an error after limits.linkDepth", async () => {
    let files = 0;
    const endless = (): ExternalFile => ({
      name: String(files++),
      source: bytesSource(fixtureBytes("resolver/year.h5")),
    });
    const file = await openResolved("year.h5", endless);
    await expect(file.get("deeper")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "linkDepth" });
    expect(files).toBeLessThanOrEqual(70);
  });

  it("that may not be followed are an error that says how to", async () => {
    const file = await openResolved("year.h5", fixtures());
    for (const path of ["escape", "absolute"]) {
      const error = { code: "UNSUPPORTED_FEATURE", message: expect.stringContaining("in the option allow") };
      await expect(file.get(path)).rejects.toMatchObject(error);
    }
    await expect(file.get("missing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("tell a function what asks, from where", async () => {
    const asked: [string, ResolveRequest][] = [];
    const file = await openResolved("year.h5", (name, request) => {
      asked.push([name, request]);
      return NAMES.includes(name) ? fixtureBytes(`resolver/${name}`) : null;
    });
    const { signal } = new AbortController();
    await file.get("jan/first/data", { signal });
    expect(asked.map(([name, { kind, from }]) => [name, kind, from])).toEqual([
      ["year.h5", "root", undefined],
      ["months/jan.h5", "external link", "year.h5"],
      ["days/1.h5", "external link", "months/jan.h5"],
      ["months/days/1.h5", "external link", "months/jan.h5"],
    ]);
    expect(asked[1]![1].signal?.aborted).toBe(false);
  });

  it("are followed to no more files than limits.files", async () => {
    const file = await openResolved("year.h5", fixtures(), { limits: { files: 1 } });
    expect(await values(file, "jan/data")).toEqual([31]);
    await expect(file.get("moved")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "files" });
  });

  it("stop at an abort, with its reason", async () => {
    const controller = new AbortController();
    const file = await openResolved("year.h5", (name) => {
      if (name === "year.h5") return fixtureBytes("resolver/year.h5");
      controller.abort("enough");
      return new Promise<null>(() => {});
    });
    await expect(file.get("jan", { signal: controller.signal })).rejects.toBe("enough");
  });
});

describe("a root at hand", () => {
  it("has its own source, and names are seen from its name", async () => {
    const source = await fileSource(`${folder}/months/jan.h5`);
    const file = await openResolved({ name: `${folder}/months/jan.h5`, source }, fixtures());
    expect(await values(file, "first/data")).toEqual([10, 11, 12]);
    expect(await values(file, "year/side/../local")).toEqual([1, 2, 3]);
    await source.close();
  });

  it("is called <root> where it has no name", async () => {
    const file = await openResolved({ source: fixtureBytes("resolver/year.h5") }, (_name, { from }) => {
      expect(from).toBe("<root>");
      return null;
    });
    await expect(file.get("day")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is an error where the resolver does not know it", async () => {
    await expect(openResolved("none.h5", fixtures())).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(openResolved("a.bin", fixtures())).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });
});

describe("external raw data", () => {
  const expected = Array.from({ length: 8 }, (_, i) => {
    const bytes = [3, 4, 5, 6, 7, 8, 9, 0, 0, 0, ...Array.from({ length: 22 }, (__, k) => 101 + k)];
    return new DataView(Uint8Array.from(bytes).buffer).getUint32(4 * i, true);
  });

  it("is read across slots, and zero where a file is short", async () => {
    expect(await values(await openResolved("raw.h5", fixtures()), "data")).toEqual(expected);
  });

  it("without its files is an error", async () => {
    const file = await openResolved("raw.h5", { "raw.h5": fixtureBytes("resolver/raw.h5") });
    await expect(values(file, "data")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("virtual datasets", () => {
  it("are put together from their sources, with fill values where one is missing", async () => {
    expect(await values(await openResolved("virtual.h5", fixtures()), "data")).toEqual([
      ...[0, 1, 2, 3],
      ...[10, 11, 12, 13],
      ...new Array(8).fill(-1),
    ]);
  });

  it("open the sources that a selection meets, and no others", async () => {
    const asked: string[] = [];
    const sources: CountingSource[] = [];
    const file = await openResolved("many.h5", (name) => {
      asked.push(name);
      if (name === "many.h5") return fixtureBytes("resolver/many.h5");
      sources.push(countingSource(fixtureBytes("resolver/parts/1.h5")));
      return sources.at(-1);
    });
    const dataset = await file.dataset("data");
    expect(asked).toEqual(["many.h5"]);
    const { data, shape } = await dataset.get([slice(120, 123), null]);
    expect([shape, Array.from(data as Int32Array)]).toEqual([[3, 4], [0, 1, 2].flatMap(() => [10, 11, 12, 13])]);
    expect(asked.slice(1).sort()).toEqual(["parts/120.h5", "parts/121.h5", "parts/122.h5"]);
    expect(sources.map(({ requests }) => requests)).toEqual([1, 1, 1]);
    await dataset.get([121, null]);
    expect(asked.length).toBe(4);
  });
});

describe("references", () => {
  const [root, other] = ["references.virtual", "referred.h5"];
  const bytes = (name: string): Uint8Array => fixtureBytes(`external/${name}`);

  it.each<[string, () => Parameters<typeof openResolved>[1], string]>([
    ["a folder", external, fixturePath("external/referred.h5")],
    ["a record", () => ({ [root]: bytes(root), [other]: bytes(other) }), other],
    ["a function", () => (name) => ([root, other].includes(name) ? bytes(name) : null), other],
    ["dropped files", () => fileListResolver([root, other].map((name) => new File([bytes(name)], name))), other],
  ])("read in a file of %s are followed in that file, copied ones too", async (_, resolver, from) => {
    const file = await openResolved(root, resolver());
    const { data } = await (await file.dataset("there/objects")).get();
    const reference = (data as unknown as Reference[])[0]!;
    expect(reference.from).toBe(from);
    const again = await openResolved(root, resolver());
    for (const opened of [file, again]) {
      const object = await opened.dereference(structuredClone(reference));
      expect(await opened.pathOf(object)).toBe("/right");
    }
  });

  it("that name a file outside are refused as links to it are", async () => {
    const file = await openResolved(root, external());
    const stray = { kind: "object", address: 800, from: "/etc/passwd" } as const;
    await expect(file.dereference(stray)).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
  });
});

describe("files of several", () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => i);

  it.each(["family-000.h5f", "split-m.h5s"])("%s leads to the others", async (root) => {
    expect(await values(await openResolved(root, fixtures()), "data")).toEqual(numbers);
  });

  it.each(["latest-s.h5m", "mapped-s.h5m", "placed-s.h5m", "behind-s.h5m"])("%s does, of many", async (root) => {
    const file = await openResolved(root, external());
    expect(await values(file, "whole")).toEqual(numbers.slice(0, 600));
    const { data } = await (await file.dataset("g/region")).get();
    const { dataset } = await file.region((data as unknown as RegionReference[])[0]!);
    expect(await file.pathOf(dataset)).toBe("/chunked");
  });

  it("of a family called otherwise are found by their numbers", async () => {
    const member = (i: number): Uint8Array => fixtureBytes(`resolver/family-00${i}.h5f`);
    const family = { "run.h5": member(0), "run_m1.h5f": member(1), "run_m2.h5f": member(2) };
    expect(await values(await openResolved("run.h5", family), "data")).toEqual(numbers);
  });
});
