import { type ByteSource, defaultLimits, type Limits } from "@h5/framing";
import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type H5File, type OpenOptions, open } from "../src/index.ts";
import { bytesOf as completeBytes } from "./completeness/fixture.ts";
import { openAmong } from "./external/folder.ts";
import { bytesOf, farApart, openFixture } from "./fixture.ts";

type Reading = (options: OpenOptions) => Promise<unknown>;

/** Reads something of a fixture. */
function reading(name: string, read: (file: H5File) => unknown): Reading {
  return async (options) => await read(await openFixture(name, options));
}

/** Chunks that hold four times what their shape says. */
const tooFull: Reading = async (options) => {
  const bytes = Buffer.from(bytesOf("storage"));
  const chunk = Buffer.from(Uint32Array.of(2, 4, 3, 2).buffer);
  for (let at = bytes.indexOf(chunk); at >= 0; at = bytes.indexOf(chunk)) bytes.writeUInt32LE(1, at + 4);
  return await (await (await open(bytes, options)).dataset("filtered")).get();
};

/** Four rows of a large dataset, each in another part of what is fetched at once. */
const farApartRows: Reading = async (options) => {
  const bytes = Buffer.from(bytesOf("storage"));
  const shape = Buffer.from(BigUint64Array.of(5n, 6n, 7n).buffer);
  for (let at = bytes.indexOf(shape); at >= 0; at = bytes.indexOf(shape)) bytes.writeBigUInt64LE(2n ** 40n, at);
  const dataset = await (await open(bytes, options)).dataset("contiguous");
  const [start, stride, count, block] = [
    [0, 0, 0],
    [2 ** 20, 1, 1],
    [4, 1, 1],
    [1, 1, 1],
  ];
  return await dataset.get({ type: "hyperslab", form: "regular", start, stride, count, block });
};

const chunkIndex = reading("storage", async (file) => (await file.dataset("chunked")).chunkInfo());
const ragged = reading("vlen-strings", async (file) => (await file.dataset("ragged")).get());
const throughAnother: Reading = async (options) => (await openAmong("chain-a.h5", options)).get("/to-b/data");

/** For each limit one that something needs more of. */
const cases: Record<keyof Limits, readonly [allowed: number, read: Reading]> = {
  metadataBytes: [16, reading("weather", () => undefined)],
  headerMessages: [1, reading("attributes", (file) => file.get("data"))],
  continuations: [0, reading("header-continuation", (file) => file.children())],
  treeDepth: [0, reading("soft-links", (file) => file.keys())],
  nodes: [0, chunkIndex],
  selectionBlocks: [3, farApartRows],
  linkDepth: [2, reading("soft-links", (file) => file.get("chain4"))],
  datatypeDepth: [1, reading("storage", async (file) => (await file.dataset("records")).datatype)],
  readBytes: [100, reading("storage", async (file) => (await file.dataset("contiguous")).get())],
  vlenElements: [3, ragged],
  chunkBytes: [47, reading("storage", async (file) => (await file.dataset("filtered")).get())],
  chunkExcess: [35, tooFull],
  nameLength: [3, reading("links", (file) => file.links())],
  objects: [4, reading("ordered", (file) => file.links())],
  files: [0, throughAnother],
  requests: [0, throughAnother],
  sourceBytes: [1000, throughAnother],
};

describe("exceeding a limit", () => {
  it("is looked at for each there is", () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(defaultLimits).sort());
  });

  it.each(Object.entries(cases))(
    "%s is an error that names it and says to raise it",
    async (limit, [allowed, read]) => {
      const error = await read({ limits: { [limit]: allowed } }).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: "LIMIT_EXCEEDED", name: "LimitExceededError", limit });
      expect((error as Error).message).toContain(`limits.${limit} allows ${allowed}; pass a larger one to go on`);
      if (read !== tooFull && read !== farApartRows) await read({});
    },
  );
});

describe("limits.readBytes", () => {
  it("counts what elements that share one object of a heap come to", async () => {
    const bytes = bytesOf("vlen-strings");
    const { layout } = await (await open(bytes)).dataset("ragged");
    if (layout.class !== "contiguous") throw new Error(layout.class);
    const first = layout.address!;
    for (const i of [1, 2]) bytes.copyWithin(first + 16 * i, first, first + 16);
    const read = async (readBytes: number): Promise<unknown> =>
      (await (await (await open(bytes, { limits: { readBytes } })).dataset("ragged")).get()).data;
    // Three elements of 16 bytes, three numbers of 4 bytes in each.
    expect(await read(84)).toEqual([1, 2, 3].map(() => Int32Array.of(1, 2, 3)));
    await expect(read(83)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "readBytes", path: "/ragged" });
  });

  it("counts the sequences of a virtual dataset's sources", async () => {
    const read = async (readBytes: number): Promise<unknown> =>
      (await (await openAmong("sequences.h5", { limits: { readBytes } })).dataset("f8 as <f4")).get();
    // Three elements of 16 bytes, and three of 12 of a file with narrow addresses; three numbers of 8 bytes in each.
    await read(132);
    await expect(read(131)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "readBytes" });
  });

  it("bounds what is read of a virtual dataset's sources, however small its own elements", async () => {
    const read = async (readBytes: number): Promise<unknown> =>
      (await (await openAmong("narrow.h5", { limits: { readBytes } })).dataset("narrow")).get();
    // Six elements of one byte, four of them from numbers of 8.
    await read(32);
    await expect(read(31)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "readBytes", path: "/narrow" });
  });
});

describe("limits.vlenElements", () => {
  it("counts sequences and strings together", async () => {
    const read = async (vlenElements: number): Promise<unknown> =>
      (await (await openFixture("vlen-strings", { limits: { vlenElements } })).dataset("ragged")).get();
    await read(4);
    await expect(read(3)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "vlenElements", path: "/ragged" });
  });
});

describe("limits.nameLength", () => {
  const tooLong = { code: "LIMIT_EXCEEDED", limit: "nameLength" };
  const limits = { nameLength: 3 };

  it.each(["links", "ordered"])("bounds the names of links in %s", async (name) => {
    const file = await openFixture(name, { limits });
    await expect(file.keys()).rejects.toMatchObject(tooLong);
    await expect(file.links()).rejects.toMatchObject(tooLong);
  });

  it("bounds the names of attributes", async () => {
    const { attrs } = await (await openFixture("attributes", { limits })).get("data");
    await expect(attrs.names()).rejects.toMatchObject(tooLong);
  });

  it("bounds the names of a compound's members", async () => {
    const file = await openFixture("storage", { limits: { nameLength: 1 } });
    const records = await file.dataset("records");
    expect(() => records.datatype).toThrow(expect.objectContaining(tooLong));
  });
});

describe("what a source is asked for", () => {
  const read = async (limits: Partial<Limits>, source: ByteSource = countingSource(farApart())): Promise<void> => {
    const file = await open(source, { limits });
    await (await file.dataset("contiguous")).get();
  };

  it("is bounded by limits.requests, for as long as the file is open", async () => {
    const source = countingSource(farApart());
    await read({}, source);
    await read({ requests: source.requests });
    await expect(read({ requests: source.requests - 1 })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      limit: "requests",
    });
  });

  it("is bounded by limits.sourceBytes", async () => {
    await read({ sourceBytes: 2 ** 21 });
    const error = { code: "LIMIT_EXCEEDED", limit: "sourceBytes" };
    await expect(read({ sourceBytes: 2 ** 20 })).rejects.toMatchObject(error);
    await expect(open(countingSource(farApart()), { limits: { sourceBytes: 1000 } })).rejects.toMatchObject(error);
  });

  it("counts for the files that one leads to", async () => {
    const few = await openAmong("chain-a.h5", { limits: { requests: 0 } });
    await expect(few.get("/to-c")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "requests" });
  });

  it("is nothing where it is in memory", async () => {
    await (await openFixture("storage", { limits: { requests: 0 } })).dataset("contiguous");
  });
});

describe("limits.selectionBlocks", () => {
  it("does not bound chunks that are not there", async () => {
    const file = await open(completeBytes("huge-latest"), { limits: { selectionBlocks: 3 } });
    const [start, stride, count, block] = [
      [40, 100],
      [1000, 1000],
      [999, 999],
      [1, 1],
    ];
    const dataset = await file.dataset("extensible");
    const { data } = await dataset.get({ type: "hyperslab", form: "regular", start, stride, count, block });
    expect(new Set(data as Uint16Array)).toEqual(new Set([1, 60000]));
  });
});
