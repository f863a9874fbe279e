import { inflateSync } from "node:zlib";
import { encodeSelection, slice } from "@h5/selection";
import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { open, type Tile } from "../src/index.ts";
import { tilesAhead } from "../src/tiles.ts";
import { bytesOf, farApart, openFixture } from "./fixture.ts";

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("chunks", () => {
  it.each(["chunked", "filtered", "contiguous", "compact"])(
    "of a %s dataset put together are the whole",
    async (name) => {
      const dataset = await (await openFixture("storage")).dataset(name);
      const whole = new Int16Array(210).fill(-1);
      for await (const { selection, data, shape } of dataset.chunks({ tileShape: [2, 4, 3] })) {
        const [planes, rows, columns] = selection;
        let at = 0;
        for (let i = planes!.start!; i < planes!.stop!; i++)
          for (let j = rows!.start!; j < rows!.stop!; j++)
            for (let k = columns!.start!; k < columns!.stop!; k++)
              whole[(i * 6 + j) * 7 + k] = (data as Int16Array)[at++]!;
        expect(at).toBe(shape.reduce((product, length) => product * length, 1));
      }
      expect(whole).toEqual(Int16Array.from({ length: 210 }, (_, i) => i));
    },
  );

  it("are the storage's chunks by default, clipped at the edges, row-major", async () => {
    const dataset = await (await openFixture("storage")).dataset("chunked");
    const tiles: Tile<"int16">[] = (await all(dataset.chunks())) as Tile<"int16">[];
    expect(tiles.length).toBe(3 * 2 * 3);
    expect(tiles.at(-1)!.shape).toEqual([1, 2, 1]);
    expect(tiles.at(-1)!.selection).toEqual([slice(4, 5), slice(4, 6), slice(6, 7)]);
  });

  it("are read ahead as far as is asked for, of no more than 16 MiB together", async () => {
    const source = countingSource(farApart());
    const dataset = await (await open(source, { cache: false })).dataset("contiguous");
    const sizes = () => source.reads.map(({ start, end }) => end - start);
    const begun = async (tileShape: number[]): Promise<number[]> => {
      const tiles = dataset.chunks({ tileShape, ahead: 7 });
      source.reset();
      await tiles.next();
      const first = sizes();
      await tiles.return(undefined);
      expect(sizes()).toEqual(first);
      return first;
    };
    expect(await begun([64, 1024])).toEqual(new Array(8).fill(65536));
    expect([
      tilesAhead(7, 1 << 16, 0),
      tilesAhead(7, 1 << 22, 1 << 20),
      tilesAhead(7, 1, 1 << 23),
      tilesAhead(7, 1 << 25, 1),
    ]).toEqual([7, 4, 2, 0]);
  });

  it("that fail are errors with the path, after those before", async () => {
    const bytes = bytesOf("four-byte-widths");
    bytes[Buffer.from(bytes).indexOf(Buffer.from(Float32Array.of(0, 1, 2, 4).buffer))]! ^= 1;
    const tiles = (await (await open(bytes)).dataset("grid")).chunks();
    await expect(all(tiles)).rejects.toMatchObject({ code: "INVALID_FIELD", path: "/grid" });
  });

  it("of nothing are none", async () => {
    const storage = await openFixture("storage");
    expect(await all((await storage.dataset("empty-chunked")).chunks())).toEqual([]);
    expect(await all((await (await openFixture("fill-values")).dataset("null")).chunks())).toEqual([]);
  });
});

describe("chunkInfo", () => {
  it("tells where stored chunks lie, in row-major order, and their masks", async () => {
    const dataset = await (await openFixture("masked-chunks")).dataset("data");
    expect(await dataset.chunkInfo()).toEqual([
      { coordinate: [0], offset: [0], address: expect.any(Number), size: expect.any(Number), filterMask: 0 },
      { coordinate: [1], offset: [4], address: expect.any(Number), size: 4, filterMask: 1 },
    ]);
  });

  it("is empty for other layouts", async () => {
    expect(await (await (await openFixture("storage")).dataset("contiguous")).chunkInfo()).toEqual([]);
  });
});

describe("readRawChunk", () => {
  it("gives the stored bytes, nothing undone", async () => {
    const dataset = await (await openFixture("masked-chunks")).dataset("data");
    const [first, second, third] = await Promise.all([[0], [1], [2]].map((at) => dataset.readRawChunk(at)));
    expect(new Uint8Array(inflateSync(first!.bytes))).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect([second!.bytes, second!.filterMask]).toEqual([Uint8Array.of(5, 6, 7, 8), 1]);
    expect(third).toBeUndefined();
  });

  it("refuses what is no chunk of the dataset", async () => {
    const dataset = await (await openFixture("masked-chunks")).dataset("data");
    for (const coordinate of [[3], [-1], [0, 0], [0.5]]) {
      await expect(dataset.readRawChunk(coordinate)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("an H5S selection", () => {
  it("of points keeps their order, and those that come twice", async () => {
    const points = [
      [4, 5, 6],
      [0, 0, 0],
      [2, 3, 4],
      [0, 0, 0],
    ];
    for (const name of ["contiguous", "chunked", "filtered", "compact"]) {
      const dataset = await (await openFixture("storage")).dataset(name);
      const { data, shape } = await dataset.get({ type: "points", points });
      expect([data, shape]).toEqual([Int16Array.of(209, 0, 109, 0), [4]]);
    }
  });

  it("of blocks gives their elements in row-major order, each once", async () => {
    const dataset = await (await openFixture("references")).dataset("grid");
    const blocks = [
      { start: [1, 1], end: [2, 2] },
      { start: [0, 0], end: [1, 1] },
    ];
    const { data } = await dataset.get({ type: "hyperslab", form: "blocks", blocks });
    expect(data).toEqual(Int8Array.of(0, 1, 4, 5, 6, 9, 10));
  });

  it("that does not fit is refused", async () => {
    const dataset = await (await openFixture("references")).dataset("grid");
    for (const points of [[[3, 0]], [[0]]]) {
      await expect(dataset.get({ type: "points", points })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("region", () => {
  it("of a reference is its dataset and what to select of it", async () => {
    const file = await openFixture("references");
    const { data } = await (await file.dataset("regions")).get();
    const [reference, nothing] = data as unknown as Parameters<typeof file.region>[0][];
    const { dataset, selection } = await file.region(reference!);
    expect(dataset.address).toBe((await file.get("grid")).address);
    expect((await dataset.get(selection)).data).toEqual(Int8Array.of(4, 5, 8, 9));
    await expect(file.region(nothing!)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await file.pathOf(dataset)).toBe("/grid");
  });

  it.each([[[[3, 0]]], [[[0]]]])("that does not fit the dataset is the file's fault: points %j", async (points) => {
    const file = await openFixture("references");
    const { data } = await (await file.dataset("regions")).get();
    const [reference] = data as unknown as NonNullable<Parameters<typeof file.region>[0]>[];
    const broken = { ...reference!, selection: encodeSelection({ type: "points", points }) };
    await expect(file.region(broken)).rejects.toMatchObject({ code: "INVALID_FIELD", structure: "region reference" });
  });

  it("a path to nothing is NotFound", async () => {
    const file = await open(bytesOf("references"));
    await expect(file.pathOf({ address: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
