import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultFilters, filterName } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import { type Dataset, open } from "@h5/reader";
import { fillOf, getStored } from "@h5/reader/stored";
import { fixturePath } from "@h5/testing";
import { createFile, deflate } from "@h5/writer";
import { describe, expect, it } from "vitest";
import { copyFile } from "../src/index.ts";
import { fixture, h5, lines } from "./run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
let made = 0;

function newPath(): string {
  return join(folder, `${made++}.h5`);
}

/** Copies with options; gives the copy, open, and its path. */
async function copied(from: string, ...options: string[]) {
  const to = newPath();
  const { status, out, err } = await h5(["copy", from, to, ...options]);
  expect({ status, out }).toEqual({ status: 0, out: "" });
  return { path: to, err, file: await open(readFileSync(to)) };
}

/** What `h5 dump --json` says of a file's objects. */
async function objectsOf(path: string): Promise<Record<string, unknown>> {
  const { out } = await h5(["dump", "--json", path]);
  return (JSON.parse(out) as { objects: Record<string, unknown> }).objects;
}

/** The only object of a file, a dataset, whatever filters it has. */
async function onlyDataset(path: string): Promise<Dataset> {
  const file = await open(readFileSync(path), { filters: [...defaultFilters, ...communityFilters] });
  return await file.dataset((await file.keys())[0]!);
}

/** A file written by the writer itself. */
async function written(build: (file: ReturnType<typeof createFile>) => void, options = {}): Promise<string> {
  const file = createFile(options);
  build(file);
  const path = newPath();
  writeFileSync(path, await file.encode());
  return path;
}

const noise = Float64Array.from({ length: 60 * 50 }, (_, i) => Math.sin(i * i));

describe("h5 copy", () => {
  it.each(["weather", "storage", "attributes", "references", "links", "userblock"])(
    "keeps all that is in a file: %s",
    async (name) => {
      const { path, err } = await copied(fixture(name));
      expect(await objectsOf(path)).toEqual(await objectsOf(fixture(name)));
      expect(err).toBe("");
    },
  );

  it("keeps the user block", async () => {
    const { file } = await copied(fixture("userblock"));
    const original = await open(readFileSync(fixture("userblock")));
    expect(await file.readUserblock()).toEqual(await original.readUserblock());
    expect(file.userblockSize).toBe(512);
  });

  it("keeps cycles, links of all kinds, and names that are no UTF-8", async () => {
    const source = await written((file) => {
      file.group("a/b").hardLink("up", "/a").hardLink("top", "/");
      file.softLink("soft", "nowhere").externalLink("other", "o.h5", "/x");
      file.userLink("own", 187, Uint8Array.of(1, 2, 3)).group("caf\udce9");
    });
    const { file } = await copied(source);
    expect((await file.get("/a/b/up")).address).toBe((await file.get("/a")).address);
    expect((await file.get("/a/b/top")).address).toBe(file.address);
    expect(file.linkCount).toBe(2);
    expect(await file.links()).toMatchObject([
      { name: "a", type: "hard" },
      { name: "caf\udce9", type: "hard" },
      { name: "other", type: "external", file: "o.h5", target: "/x" },
      { name: "own", type: "user", class: 187, value: Uint8Array.of(1, 2, 3) },
      { name: "soft", type: "soft", target: "nowhere" },
    ]);
  });

  it("keeps the order of creation, comments, and who uses a named datatype that comes later", async () => {
    const source = await written(
      (file) => {
        const type = file.anonymousDatatype("float32", { attrs: { unit: "m" } });
        file.dataset("z", [1, 2], { dtype: type, attrs: { b: 1, a: 2 }, comment: "first" });
        file.attribute("also", 3, { dtype: type });
        file.hardLink("type", type).group("a", { trackOrder: false, trackAttributeOrder: true });
      },
      { trackOrder: true, root: { comment: "top" } },
    );
    const { file } = await copied(source);
    expect(await file.keys()).toEqual(["z", "type", "a"]);
    const [dataset, type, group] = [await file.dataset("z"), await file.get("type"), await file.group("a")];
    expect([file.comment, dataset.comment, await dataset.attrs.names()]).toEqual(["top", "first", ["b", "a"]]);
    expect([dataset.committedDatatype, (await file.attrs.attribute("also")).committedDatatype]).toEqual([
      type.address,
      type.address,
    ]);
    expect([await type.attrs.names(), type.linkCount]).toEqual([["unit"], 3]);
    expect([group.tracksOrder, group.attrs.tracksOrder]).toEqual([false, true]);
  });

  it("keeps the payload of NaNs, padding, and text behind a NUL", async () => {
    const bytes = Uint8Array.from([1, 0, 0xc0, 0x7f, 0xaa, 0xbb, 0, 0]);
    const source = await written((file) => {
      file.dataset("nan", new Float32Array(bytes.buffer.slice(0, 4)));
      file.dataset("text", ["ab"], { dtype: "string:8" });
    });
    // What lies behind the end of a text is part of no value.
    const whole = readFileSync(source);
    whole.set([99, 100], whole.indexOf("ab\0\0") + 3);
    writeFileSync(source, whole);
    const { file } = await copied(source);
    expect((await getStored(await file.dataset("nan"))).bytes).toEqual(bytes.subarray(0, 4));
    const { bytes: text } = await getStored(await file.dataset("text"));
    expect(Buffer.from(text).toString("latin1")).toBe("ab\0cd\0\0\0");
  });

  it("copies chunks whose filter is not known as they are stored, with their masks", async () => {
    const unknown = { id: 444, name: "nobody's", encode: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1) };
    const filter = { encoder: unknown, optional: true, params: () => [7, 8] };
    const source = await written((file) => {
      const dataset = file.dataset("x", Uint8Array.from([1, 2, 3, 4, 5]), { chunks: [2], filters: [filter] });
      dataset.setFilterMask([1], 1);
    });
    const { file } = await copied(source);
    const dataset = await file.dataset("x");
    expect(dataset.filters).toMatchObject([{ id: 444, name: "nobody's", params: [7, 8], optional: true }]);
    expect(await dataset.readRawChunk([0])).toMatchObject({ bytes: Uint8Array.of(0, 3), filterMask: 0 });
    expect(await dataset.readRawChunk([1])).toMatchObject({ bytes: Uint8Array.of(3, 4), filterMask: 1 });
  });

  it("keeps fill values with their times, and leaves out what was never written", async () => {
    const source = await written((file) => {
      const fill = {
        fillValue: "none",
        fillTime: "allocation",
        dtype: "string",
        allocationTime: "incremental",
      } as const;
      file.dataset("text", undefined, { ...fill, shape: [4], maxShape: [Infinity], chunks: [2] });
      file.dataset("sparse", undefined, { dtype: "int32", shape: [1e6, 1e6], chunks: [100, 100] }).write([7, 7], [[1]]);
    });
    const { file } = await copied(source);
    const text = await file.dataset("text");
    expect([await text.fillValue(), fillOf(text)?.writeTime, fillOf(text)?.allocationTime]).toEqual([
      "none",
      "allocation",
      "incremental",
    ]);
    expect((await text.get()).data).toEqual(["none", "none", "none", "none"]);
    expect((await (await file.dataset("sparse")).chunkInfo()).map(({ coordinate }) => coordinate)).toEqual([[0, 0]]);
  });

  it("makes references that lead to nothing null, with a warning that names the place", async () => {
    const { err, file } = await copied(fixturePath("completeness/regions.h5"));
    expect(err).toMatch(/^h5: warning: .*regions\.h5: \/objects: references to objects that are not copied/);
    expect((await (await file.dataset("objects")).get()).data).toContain(null);
  });

  it.each(["widths-2-2", "widths-4-4", "widths-2-8", "references", "values", "odd-types", "shared-trees"])(
    "reads the same in the copy, whatever the file's structures: %s",
    async (name) => {
      const path = fixturePath(`completeness/${name}.h5`);
      expect(await objectsOf((await copied(path)).path)).toEqual(await objectsOf(path));
    },
  );
});

describe("h5 copy --filter and --chunk", () => {
  it("repack datasets, and leave alone those that are too small", async () => {
    const source = await written((file) => {
      file.dataset("big", noise, { shape: [60, 50] });
      file.dataset("small", [1, 2, 3]);
      file.dataset("packed", noise, { shape: [60, 50], chunks: [60, 50], filters: [deflate(1)] });
    });
    const { file } = await copied(source, "--filter", "shuffle", "-f", "deflate:9", "--chunk", "25,100");
    for (const name of ["big", "packed"]) {
      const dataset = await file.dataset(name);
      expect(dataset.chunkShape).toEqual([25, 50]);
      expect(dataset.filters.map(({ id, params }) => [id, params])).toEqual([
        [2, [8]],
        [1, [9]],
      ]);
      expect((await dataset.get()).data).toEqual(noise);
    }
    expect((await file.dataset("small")).layout.class).toBe("contiguous");
  });

  it("none takes filters away; another chunk shape keeps them", async () => {
    const source = await written((file) => {
      file.dataset("x", noise, { shape: [60, 50], chunks: [7, 9], filters: [deflate(3)] });
    });
    const plain = await (await copied(source, "--filter", "none")).file.dataset("x");
    expect([plain.filters, plain.chunkShape, (await plain.get()).data]).toEqual([[], [7, 9], noise]);
    const rechunked = await (await copied(source, "--chunk", "11,13")).file.dataset("x");
    expect([rechunked.filters[0]?.params, rechunked.chunkShape]).toEqual([[3], [11, 13]]);
    expect((await rechunked.get()).data).toEqual(noise);
  });

  it.each(["lz4-blocks", "bitshuffle", "bitshuffle-lz4-rest", "blosc-lz4", "blosc-lz4-bits"])(
    "keep a filter of a plugin in chunks of another shape: %s",
    async (name) => {
      const source = fixturePath(`community/${name}.h5`);
      const before = await onlyDataset(source);
      const after = await onlyDataset((await copied(source, "--chunk", "331")).path);
      const filters = before.filters.map(({ id, params }) => ({ id, params: [...params] }));
      if (filters[0]!.id === 32001) filters[0]!.params[3] = 331 * before.datatype.size; // bytes of a chunk
      expect(after.filters).toMatchObject(filters);
      expect(after.chunkShape).toEqual([331]);
      expect(await after.get()).toEqual(await before.get());
    },
  );

  it.each(["lz4", "bitshuffle", "blosc"])("may be of a plugin: %s", async (name) => {
    const source = await written((file) => file.dataset("x", noise.map(Math.round)));
    const copy = await onlyDataset((await copied(source, "--filter", name)).path);
    expect(copy.filters.map(({ id }) => filterName(id))).toEqual([name]);
    expect((await copy.get()).data).toEqual(noise.map(Math.round));
  });

  it("go for no codec that there is only a decoder for", async () => {
    const { status, err } = await h5(["copy", fixturePath("community/blosc-zstd.h5"), newPath(), "--chunk", "331"]);
    expect([status, err]).toEqual([1, expect.stringMatching(/no encoder for filter.*MISSING_FILTER/)]);
  });

  it("go for text too; what cannot have a filter keeps its own, with a warning", async () => {
    const words = Array.from({ length: 200 }, (_, i) => `word ${i}`);
    const source = await written((file) => {
      file.dataset("words", words, { chunks: [30] });
    });
    const { file } = await copied(source, "--filter", "deflate", "--chunk", "64");
    expect((await (await file.dataset("words")).get()).data).toEqual(words);
    const refused = await copied(source, "--filter", "szip");
    expect(refused.err).toMatch(/^h5: warning: .*: \/words: stored as it was: /);
    expect((await refused.file.dataset("words")).filters).toEqual([]);
  });
});

describe("h5 copy --only", () => {
  it("copies objects with what is below them and the groups on the way", async () => {
    const { file } = await copied(fixture("weather"), "--only", "/wind", "--only", "stations/name");
    const found: (string | undefined)[] = [];
    for await (const { path } of file.visit()) found.push(path);
    expect(found).toEqual(["/stations", "/stations/name", "/wind", "/wind/speed"]);
  });

  it("is what a path behind the file's name means", async () => {
    expect(await (await copied(`${fixture("weather")}/wind`)).file.keys()).toEqual(["wind"]);
  });

  it("comes on top of a path behind the file's name", async () => {
    const { file } = await copied(`${fixture("weather")}/wind`, "--only", "time");
    expect(await file.keys()).toEqual(["time", "wind"]);
  });

  it("refuses a path that leads nowhere", async () => {
    const { status, err } = await h5(["copy", fixture("weather"), newPath(), "--only", "/rain"]);
    expect([status, lines(err).length]).toEqual([1, 1]);
    expect(err).toMatch(/\/rain: .*\[NOT_FOUND\]$/m);
  });
});

describe("h5 copy --earliest", () => {
  it("writes old structures with the same values", async () => {
    const { path, file } = await copied(fixture("weather"), "--earliest");
    expect([file.superblock.version, file.linkStorage]).toEqual([0, "symtab"]);
    expect(await objectsOf(path)).toEqual(await objectsOf(fixture("weather")));
  });

  it("refuses by name what they cannot hold, and warns of an order that is lost", async () => {
    const { status, err } = await h5(["copy", fixture("links"), newPath(), "--earliest"]);
    expect(status).toBe(1);
    expect(err).toMatch(/link.*earliest/);
    const ordered = await written((file) => file.group("g"), { trackOrder: true });
    expect((await copied(ordered, "--earliest")).err).toMatch(/warning: .*: \/: the order of creation is not kept/);
  });
});

describe("the file that is written", () => {
  it("is there only once all is: what was there before stays where the copy fails", async () => {
    const to = newPath();
    writeFileSync(to, "before");
    const truncated = newPath();
    writeFileSync(truncated, readFileSync(fixture("storage")).subarray(0, 3000));
    const { status, err } = await h5(["copy", truncated, to]);
    expect([status, lines(err).length]).toEqual([1, 1]);
    expect(readFileSync(to, "utf8")).toBe("before");
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("may be the one that is read", async () => {
    const path = newPath();
    writeFileSync(path, readFileSync(fixture("weather")));
    await h5(["copy", path, path, "--filter", "none"]);
    expect(await objectsOf(path)).toMatchObject({ "/temperature": { filters: [] } });
  });

  it("is not made where the input is missing", async () => {
    const to = newPath();
    expect((await h5(["copy", "/no/such.h5", to])).status).toBe(1);
    expect(existsSync(to)).toBe(false);
  });
});

describe("usage", () => {
  it.each([
    ["no output", ["copy", "in.h5"]],
    ["an unknown filter", ["copy", "in.h5", "out.h5", "--filter", "zip"]],
    ["a number for a filter that takes none", ["copy", "in.h5", "out.h5", "--filter", "shuffle:4"]],
    ["a number that a filter does not take", ["copy", "in.h5", "out.h5", "--filter", "deflate:10"]],
    ["decimals that are missing", ["copy", "in.h5", "out.h5", "--filter", "scaleoffset-float"]],
    ["a filter beside none", ["copy", "in.h5", "out.h5", "--filter", "none", "--filter", "deflate"]],
    ["none beside a filter", ["copy", "in.h5", "out.h5", "--filter", "deflate", "--filter", "none"]],
    ["a chunk shape that is none", ["copy", "in.h5", "out.h5", "--chunk", "10,0"]],
  ])("%s is a usage error, status 2", async (_, args) => {
    const { status, out, err } = await h5(args);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: /m);
  });
});

describe("progress", () => {
  it("is a line on a terminal that goes at the end, and nothing elsewhere", async () => {
    const source = await written((file) => file.dataset("big", noise));
    const { main } = await import("../src/main.ts");
    let err = "";
    const stderr = { isTTY: true, write: (text: string) => (err += text) };
    const stdout = { write: () => {} };
    expect(await main(["copy", source, newPath()], { stdout, stderr })).toBe(0);
    expect(err).toMatch(/^\r\[#{30}\] 0\.0 of 0\.0 MB\r +\r$/);
    expect((await copied(source)).err).toBe("");
  });

  it("is told to who copies by the library", async () => {
    const file = await open(readFileSync(fixture("weather")));
    const seen: number[] = [];
    const sink = { write: () => {} };
    await copyFile(file, sink, {}, { progress: (done, total) => seen.push(done / total) });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });
});
