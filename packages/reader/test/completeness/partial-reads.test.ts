import type { DtypeName } from "@h5/datatypes";
import type { ByteSource } from "@h5/framing";
import { elementCount, type Selection, type Slice, slice } from "@h5/selection";
import { countingSource } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dataset, open, type Tile } from "../../src/index.ts";
import { bytesOf, datasetsOf, expectedOf, openFixture, packedBytes, plainData } from "./fixture.ts";

const FILES = ["layouts-earliest", "layouts-latest", "layouts-filtered", "layouts-edges"];

/** Every dataset of the files, each of them of another layout, index or kind of edge. */
const everyLayout = await Promise.all(
  FILES.map(async (file) =>
    [...(await datasetsOf(await openFixture(file)))].map(([name, dataset]) => ({ file, name, dataset })),
  ),
).then((lists) => lists.flat());

type Member = null | number | Slice;

function members(shape: readonly number[]): fc.Arbitrary<Member[]> {
  return fc.tuple(
    ...shape.map((length) =>
      fc.oneof(
        fc.constant(null),
        fc.nat(length - 1),
        fc
          .tuple(fc.nat(length), fc.nat(length), fc.integer({ min: 1, max: length + 1 }))
          .map(([a, b, step]) => slice(Math.min(a, b), Math.max(a, b), step)),
      ),
    ),
  );
}

/** A regular hyperslab inside a shape, which may be of single elements, of blocks, or empty. */
function hyperslab(shape: readonly number[]): fc.Arbitrary<Selection> {
  const axis = (length: number) =>
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3), fc.nat(length - 1), fc.nat(length))
      .map(([block, gap, start, count]) => {
        const room = length - start;
        const fits = Math.min(block, room);
        const stride = fits + gap;
        return { start, stride, block: fits, count: Math.min(count, Math.floor((room - fits) / stride) + 1) };
      });
  return fc.tuple(...shape.map(axis)).map((axes) => ({
    type: "hyperslab",
    form: "regular",
    start: axes.map(({ start }) => start),
    stride: axes.map(({ stride }) => stride),
    count: axes.map(({ count }) => count),
    block: axes.map(({ block }) => block),
  }));
}

function blocks(shape: readonly number[]): fc.Arbitrary<Selection> {
  const corner = fc.tuple(...shape.map((length) => fc.nat(length - 1)));
  const block = fc.tuple(corner, corner).map(([a, b]) => ({
    start: a.map((at, axis) => Math.min(at, b[axis]!)),
    end: a.map((at, axis) => Math.max(at, b[axis]!)),
  }));
  return fc
    .array(block, { minLength: 1, maxLength: 4 })
    .map((list) => ({ type: "hyperslab", form: "blocks", blocks: list }));
}

function points(shape: readonly number[]): fc.Arbitrary<Selection> {
  const point = fc.tuple(...shape.map((length) => fc.nat(length - 1)));
  return fc
    .array(point, { minLength: 1, maxLength: 12 })
    .map((list) => ({ type: "points", points: [...list, list[0]!] }));
}

/** Flat indices of a box of a shape, row-major. */
function* indices(axes: readonly (readonly number[])[], shape: readonly number[], base = 0): Generator<number> {
  const [first, ...others] = axes;
  if (first === undefined) yield base;
  else for (const at of first) yield* indices(others, shape.slice(1), base + at * elementCount(shape.slice(1)));
}

function range(start: number, stop: number, step = 1): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + i * step);
}

/** Brute force: which elements a selection means, in the order they come. */
function meant(selection: Member[] | Selection, shape: readonly number[]): number[] {
  if (Array.isArray(selection)) {
    const axes = selection.map((member, axis) => {
      if (member === null) return range(0, shape[axis]!);
      return typeof member === "number" ? [member] : range(member.start!, member.stop!, member.step ?? 1);
    });
    return [...indices(axes, shape)];
  }
  if (selection.type === "points")
    return selection.points.map(
      (point) =>
        [
          ...indices(
            point.map((at) => [at]),
            shape,
          ),
        ][0]!,
    );
  if (selection.type !== "hyperslab") return selection.type === "all" ? range(0, elementCount(shape)) : [];
  if (selection.form === "blocks") {
    const all = selection.blocks.flatMap(({ start, end }) => [
      ...indices(
        start.map((at, axis) => range(at, end[axis]! + 1)),
        shape,
      ),
    ]);
    return [...new Set(all)].sort((a, b) => a - b);
  }
  const { start, stride, count, block } = selection;
  const axes = start.map((at, axis) =>
    range(0, count[axis]!).flatMap((i) => range(at + i * stride[axis]!, at + i * stride[axis]! + block[axis]!)),
  );
  return [...indices(axes, shape)];
}

describe.each(everyLayout)("$file: $name", ({ file, name, dataset }) => {
  const whole = dataset.get().then(({ data }) => data as Uint16Array);

  it("is what libhdf5 reads", async () => {
    expect(await plainData(dataset)).toEqual(expectedOf(file)[`/${name}`]!.data);
  });

  it("gives for any slices, hyperslab or points what the whole has there", async () => {
    const { shape } = dataset;
    const all = await whole;
    const selection = fc.oneof(members(shape), hyperslab(shape), blocks(shape), points(shape));
    await fc.assert(
      fc.asyncProperty(selection, async (chosen: Member[] | Selection) => {
        const result = await dataset.get(chosen);
        const data = typeof result === "number" ? [result] : Array.from((result as { data: Uint16Array }).data);
        expect(data).toEqual(meant(chosen, shape).map((at) => all[at]));
      }),
      { numRuns: 60 },
    );
  });

  it("is put together again by tiles of any shape", async () => {
    const { shape } = dataset;
    const all = await whole;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...shape.map((length) => fc.integer({ min: Math.ceil(length / 5), max: length + 2 }))),
        async (tileShape) => {
          const seen = new Map<number, number>();
          for await (const { selection, data } of dataset.chunks({ tileShape })) {
            const places = meant([...selection], shape);
            for (const [i, at] of places.entries()) {
              expect(seen.has(at)).toBe(false);
              seen.set(at, (data as Uint16Array)[i]!);
            }
          }
          expect(seen.size).toBe(all.length);
          expect([...seen].every(([at, value]) => all[at] === value)).toBe(true);
        },
      ),
      { numRuns: 5 },
    );
  });
});

it("has chunks never written and ones partly written at the edge, which give the fill value", async () => {
  const file = await openFixture("layouts-edges");
  const dataset = await file.dataset("fixed-array");
  expect((await dataset.chunkInfo()).map(({ coordinate }) => coordinate.join())).toEqual([
    "0,0",
    "0,1",
    "0,2",
    "1,0",
    "1,1",
    "1,2",
    "2,2",
  ]);
  expect((await dataset.get([10, null])).data).toEqual(Uint16Array.of(...new Array(8).fill(60000), 109, 110));
  expect((await dataset.get([8, slice(3)])).data).toEqual(Uint16Array.of(60000, 60000, 60000));
});

it("reads filtered chunks in the layout of HDF5 2.0", async () => {
  const datasets = await datasetsOf(await openFixture("layouts-v5"));
  expect([...datasets.keys()]).toEqual(["btree2", "extensible", "fixed-array", "single"]);
  for (const dataset of datasets.values()) {
    expect([dataset.layout.version, await plainData(dataset)]).toEqual([
      5,
      Array.from({ length: 120 }, (_, i) => i + 1),
    ]);
    expect((await dataset.get([slice(4, 6), slice(3, 5)])).data).toEqual(Uint16Array.of(44, 45, 54, 55));
  }
});

it("reads filtered chunks in the layout of HDF5 2.0 where lengths have 4 bytes", async () => {
  const file = await openFixture("layouts-v5-narrow");
  for (const name of ["btree2", "fixed-array", "single"]) {
    const dataset = await file.dataset(name);
    expect([dataset.layout.version, await plainData(dataset)]).toEqual([
      5,
      expectedOf("layouts-v5-narrow")[`/${name}`]!.data,
    ]);
  }
});

/** Reads that begin outside the stored chunks are of the index; a first read of a node may guess past its end. */
function payloadReads(
  reads: readonly { start: number; end: number }[],
  chunks: readonly { address: number; size: number }[],
) {
  return reads.filter(({ start }) => chunks.some(({ address, size }) => start >= address && start < address + size));
}

describe.each(["extensible", "btree2"])("a source that counts, under %s", (name) => {
  const far = packedBytes("far-apart");

  it("is asked for every byte of the chunks that a selection meets, and for none of the others", async () => {
    const source = countingSource(far);
    const dataset = await (await open(source, { cache: false })).dataset(name);
    const chunks = await dataset.chunkInfo();
    expect(chunks.length).toBeLessThan(8);
    await fc.assert(
      fc.asyncProperty(hyperslab([8, 8]), points([1024, 1024]), fc.boolean(), async (slab, single, pointwise) => {
        if (slab.type !== "hyperslab" || slab.form !== "regular") throw new Error("not regular");
        // Hyperslabs of the size of chunks, so that some are missed.
        const selection: Selection = pointwise
          ? single
          : { ...slab, start: slab.start.map((at) => at * 128), stride: slab.stride.map((at) => at * 128) };
        const wanted = new Set(meant(selection, [1024, 1024]).map((at) => `${Math.floor(at / 1024)},${at % 1024}`));
        const met = chunks.filter(({ offset }) =>
          [...wanted].some((at) =>
            at
              .split(",")
              .every(
                (place, axis) =>
                  Number(place) >= offset[axis]! && Number(place) < offset[axis]! + dataset.chunkShape![axis]!,
              ),
          ),
        );
        source.reset();
        await dataset.get(selection);
        const read = payloadReads(source.reads, chunks);
        for (const { address, size } of chunks) {
          const got = read.reduce(
            (sum, { start, end }) => sum + Math.max(0, Math.min(end, address + size) - Math.max(start, address)),
            0,
          );
          expect(got).toBe(met.some((chunk) => chunk.address === address) ? size : 0);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("is asked for nothing where no chunk was written", async () => {
    const source = countingSource(far);
    const dataset = await (await open(source, { cache: false })).dataset(name);
    const chunks = await dataset.chunkInfo();
    source.reset();
    expect(await dataset.get([600, 100])).toBe(255);
    expect(payloadReads(source.reads, chunks)).toEqual([]);
  });

  it.each([0, 7])("is asked for the chunks of a tile %i tiles ahead, each once", async (ahead) => {
    const source = countingSource(far);
    const dataset = await (await open(source, { cache: false })).dataset(name);
    const chunks = await dataset.chunkInfo();
    const stored = (shown: readonly Tile<DtypeName>[]) =>
      shown
        .map(({ selection }) => chunks.find(({ offset }) => offset.every((at, axis) => at === selection[axis]!.start)))
        .flatMap((chunk) => (chunk === undefined ? [] : [{ start: chunk.address, end: chunk.address + chunk.size }]));
    source.reset();
    const tiles: Tile<DtypeName>[] = [];
    const reads: ReturnType<typeof payloadReads>[] = [];
    for await (const tile of dataset.chunks({ ahead })) {
      tiles.push(tile);
      reads.push(payloadReads(source.reads, chunks));
    }
    for (const [i, read] of reads.entries()) expect(read).toEqual(stored(tiles.slice(0, i + 1 + ahead)));
  });

  it("is asked for one chunk at a time by a tile of several", async () => {
    const counting = countingSource(far);
    let [pending, most] = [0, 0];
    const source: ByteSource = {
      byteLength: far.length,
      async slice(start, end) {
        most = Math.max(most, ++pending);
        const bytes = await counting.slice(start, end);
        pending--;
        return bytes;
      },
    };
    const dataset = await (await open(source, { cache: false })).dataset(name);
    const chunks = await dataset.chunkInfo();
    counting.reset();
    most = 0;
    for await (const { shape } of dataset.chunks({ tileShape: [1024, 1024] })) expect(shape).toEqual([1024, 1024]);
    const wanted = chunks.map(({ address, size }) => ({ start: address, end: address + size }));
    const read = payloadReads(counting.reads, chunks);
    expect([most, read]).toEqual([1, wanted.sort((a, b) => a.start - b.start)]);
  });

  it("is asked for no payload by metadata", async () => {
    const source = countingSource(far);
    const file = await open(source, { cache: false });
    const dataset = await file.dataset(name);
    expect([
      dataset.shape,
      dataset.maxShape.length,
      dataset.dtype,
      dataset.chunkShape?.length,
      dataset.filters.length,
    ]).toEqual([[1024, 1024], 2, "uint8", 2, 1]);
    expect(await dataset.fillValue()).toBe(255);
    const chunks = await dataset.chunkInfo();
    expect(payloadReads(source.reads, chunks)).toEqual([]);
  });
});

describe("a shape of a million times a million", () => {
  const cases = [
    ["huge-earliest", "btree1"],
    ["huge-latest", "btree2"],
    ["huge-latest", "extensible"],
  ] as const;

  it.each(cases)("in %s under %s is read by selection", async (file, name) => {
    const source = countingSource(bytesOf(file));
    const dataset = await (await open(source)).dataset(name);
    expect(dataset.shape).toEqual([1000000, 1000000]);
    expect((await dataset.get([slice(40, 42), slice(118, 121)])).data).toEqual(
      Uint16Array.of(19, 20, 60000, 39, 40, 60000),
    );
    expect(await dataset.get([999999, 999998])).toBe(name === "extensible" ? 60000 : 19);
    expect(await dataset.get([500000, 500000])).toBe(60000);
    const corners = await dataset.get({
      type: "points",
      points: [
        [999999, 999999],
        [0, 0],
        [40, 100],
      ],
    });
    expect(Array.from(corners.data as Uint16Array)).toEqual([name === "extensible" ? 60000 : 20, 60000, 1]);
    const strided = await dataset.get([slice(40, 1000000, 250000), slice(100, 1000000, 250000)]);
    expect(Array.from(strided.data as Uint16Array)).toEqual([1, ...new Array(15).fill(60000)]);
    expect(source.bytesRead).toBeLessThan(100000);
  });

  it.each([...cases, ["huge-latest", "contiguous"] as const])(
    "in %s under %s is too much to be read whole",
    async (file, name) => {
      const dataset: Dataset = await (await openFixture(file)).dataset(name);
      await expect(dataset.get()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "readBytes" });
      await expect(dataset.get([slice(900000), null])).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  );

  it.each([
    ["huge-latest", 999998, 0],
    ["huge-count", 2 ** 27 - 1, 7],
  ])("in contiguous storage of %s that was never allocated is the fill value", async (file, at, fill) => {
    const dataset = await (await openFixture(file)).dataset("contiguous");
    expect((await dataset.get([slice(5, 6), slice(at, at + 2)])).data).toEqual(Uint16Array.of(fill, fill));
  });
});
