import { type ChunkIndex, InvalidArgumentError, UnsupportedFeatureError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildChunkIndex,
  type ChunkLocation,
  chooseChunkIndex,
  chunkKeys,
  decodeExtensibleArrayHeader,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  decodeFixedArrayHeader,
  decodeV1Node,
  decodeV2Header,
  elementForm,
  extensibleArray,
  type IndexedDataset,
  readChunkIndex,
} from "../src/index.ts";
import { chunkedDataset, type Fixture, fixtureJson, openFixture } from "./fixture.ts";
import { memorySpace, replaySpace } from "./memory-space.ts";

/** What libhdf5 says of the chunks: coordinate, address, size, filter mask. */
type Known = readonly [number[], number, number, number];
const files = fixtureJson("btree/chunk-locations.json") as Record<
  string,
  Record<string, { readonly header: number; readonly chunks: readonly Known[] }>
>;

const located = (known: readonly Known[]): ChunkLocation[] =>
  known.map(([coordinate, address, size, filterMask]) => ({ coordinate, address, size, filterMask }));

const cases = Object.entries(files).flatMap(([file, datasets]) =>
  Object.entries(datasets).map(([name, { header, chunks }]) => {
    const fixture = openFixture(`btree/${file}`);
    const { layout, shape, maxShape, filtered } = chunkedDataset(fixture, header);
    const { chunkShape, elementSize, index } = layout;
    const dataset = {
      shape,
      maxShape,
      chunkShape,
      elementSize,
      filtered,
      layoutVersion: layout.version,
    } as IndexedDataset;
    return { file, name, fixture, dataset, index, chunks: located(chunks) };
  }),
);
type Case = (typeof cases)[number];

/** The blocks of an index in libhdf5's file, in the order they are asked for; undefined where it cut them otherwise. */
function blocksOf({ fixture, dataset, index }: Case): number[] | undefined {
  const { bytes, context } = fixture;
  const { kind, address } = index;
  if (address === undefined) return [];
  switch (kind) {
    case "btree1": {
      const { level } = decodeV1Node(
        bytes.subarray(address),
        chunkKeys(dataset.chunkShape, dataset.elementSize),
        context,
      );
      return level === 0 ? [address] : undefined;
    }
    case "farray":
      return [address, decodeFixedArrayHeader(bytes.subarray(address), context).blockAddress!];
    case "earray":
      return [address, ...extensibleArrayBlocks(fixture, dataset, address)];
    case "btree2": {
      const { depth, root } = decodeV2Header(bytes.subarray(address), context);
      return depth === 0 ? [root!.address, address] : undefined;
    }
    default:
      return [];
  }
}

function extensibleArrayBlocks({ bytes, context }: Fixture, dataset: IndexedDataset, address: number): number[] {
  const chunkBytes = dataset.chunkShape.reduce((a, b) => a * b, dataset.elementSize);
  const form = elementForm(dataset.filtered, chunkBytes, dataset.layoutVersion, context);
  const header = decodeExtensibleArrayHeader(bytes.subarray(address), context);
  const array = extensibleArray(header, address, form);
  const root = decodeExtensibleArrayIndexBlock(bytes.subarray(header.indexBlockAddress), array, context);
  const indirect = root.superBlocks.flatMap((superBlock, i) => {
    if (superBlock === undefined) return [];
    const geometry = array.geometry.superBlocks[array.geometry.direct + i]!;
    const { dataBlocks } = decodeExtensibleArraySuperBlock(bytes.subarray(superBlock), array, geometry, context);
    return [...dataBlocks, superBlock];
  });
  return [...root.dataBlocks, ...indirect, header.indexBlockAddress].filter((block) => block !== undefined);
}

describe("buildChunkIndex", () => {
  const alike = cases.flatMap((each) => ({ ...each, blocks: blocksOf(each) })).filter(({ blocks }) => blocks);

  it.each(alike)("writes the bytes of libhdf5 for $name in $file", ({ fixture, dataset, index, chunks, blocks }) => {
    const space = replaySpace(fixture, blocks!);
    const { kind } = index;
    expect(buildChunkIndex(space, kind, dataset, chunks)).toEqual(index);
    space.finish();
  });

  it("has compared arrays and trees of all kinds", () => {
    const kinds = new Set(alike.filter(({ chunks }) => chunks.length > 0).map(({ index }) => index.kind));
    expect([...kinds].sort()).toEqual(["btree1", "btree2", "earray", "farray", "implicit", "single"]);
  });

  it.each(cases)("writes what reads back for $name in $file", ({ dataset, index, chunks }) => {
    expect(roundTrip(index.kind, dataset, chunks)).toEqual(chunks);
  });

  it("takes the chunks of a single, an implicit and an unallocated index as they are", () => {
    const space = memorySpace();
    const dataset = { ...plain, shape: [4, 6], maxShape: [4, 6], chunkShape: [4, 6] };
    const filtered = { ...dataset, filtered: true };
    const chunk = { coordinate: [0, 0], address: 99, size: 48, filterMask: 0 };
    expect(buildChunkIndex(space, "single", dataset, [chunk])).toEqual({ kind: "single", address: 99 });
    expect(buildChunkIndex(space, "single", filtered, [{ ...chunk, filterMask: 2 }])).toEqual({
      kind: "single",
      address: 99,
      size: 48,
      filterMask: 2,
    });
    expect(buildChunkIndex(space, "single", filtered, [])).toEqual({ kind: "single", size: 0, filterMask: 0 });
    expect(buildChunkIndex(space, "implicit", dataset, [])).toEqual({ kind: "implicit" });
    expect(space.blocks.size).toBe(0);
  });

  it("refuses chunks that cannot be in the index", () => {
    const space = memorySpace();
    const chunk = (coordinate: number[], address = 64) => ({ coordinate, address, size: 12, filterMask: 0 });
    const build = (kind: ChunkIndex["kind"], chunks: ChunkLocation[], changes: Partial<IndexedDataset> = {}) => {
      return () => buildChunkIndex(space, kind, { ...plain, ...changes }, chunks);
    };
    expect(build("farray", [chunk([2, 0])])).toThrow(/chunk \[2,0\] in a grid of \[2,2\]/);
    expect(build("farray", [chunk([0])])).toThrow(InvalidArgumentError);
    expect(build("farray", [chunk([0.5, 0])])).toThrow(InvalidArgumentError);
    expect(build("btree2", [chunk([0, 1]), chunk([0, 0]), chunk([0, 1])])).toThrow(/chunk \[0,1\] twice/);
    expect(build("btree2", [{ ...chunk([0, 1]), size: 11 }])).toThrow(/expected 12 bytes and no mask, got 11 bytes/);
    expect(build("btree2", [{ ...chunk([0, 1]), filterMask: 1 }])).toThrow(/mask 1/);
    expect(build("btree2", [{ ...chunk([0, 1]), size: 0 }], { filtered: true })).toThrow(
      /expected at least 1 byte, got 0 bytes/,
    );
    expect(build("btree2", [{ ...chunk([0, 1]), size: 70000 }], { filtered: true })).toThrow(/70000 does not fit/);
    expect(build("single", [chunk([0, 1])])).toThrow(/a single chunk in a grid of \[2,2\]/);
    expect(build("implicit", [chunk([0, 0])])).toThrow(/1 chunks in an implicit index of 4/);
    const square = [chunk([0, 0]), chunk([0, 1], 76), chunk([1, 0], 88), chunk([1, 1], 101)];
    expect(build("implicit", square)).toThrow(/at 101, expected 100/);
    expect(build("implicit", square, { filtered: true })).toThrow(/filtered chunks/);
    expect(build("earray", [chunk([0, 1])])).toThrow(/0 unlimited dimensions, expected 1/);
    expect(build("farray", [chunk([0, 1])], { maxShape: [4, Infinity] })).toThrow(/1 unlimited dimensions, expected 0/);
    expect(build("farray", [chunk([0, 1])], { maxShape: [1e6, 1e9] })).toThrow(UnsupportedFeatureError);
    const long = { shape: [2 ** 40, 6], maxShape: [Infinity, 6] };
    expect(build("earray", [chunk([2 ** 31, 0])], long)).toThrow(/slot 4294967296 in an array of 4294967296/);
  });

  it("round-trips any chunks of any dataset", () => {
    const dimension = fc.record({
      chunks: fc.integer({ min: 1, max: 12 }),
      chunk: fc.integer({ min: 1, max: 4 }),
      more: fc.nat(7),
    });
    const anything = fc.record({
      dimensions: fc.array(dimension, { minLength: 1, maxLength: 3 }),
      unlimited: fc.nat(7),
      filtered: fc.boolean(),
      layoutVersion: fc.constantFrom(4 as const, 5 as const),
      density: fc.integer({ min: 0, max: 100 }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(anything, ({ dimensions, unlimited, filtered, layoutVersion, density, seed }) => {
        const shape = dimensions.map(({ chunks, chunk }) => chunks * chunk);
        const maxShape = dimensions.map(({ more }, d) => ((unlimited >> d) & 1 ? Infinity : shape[d]! + more));
        const chunkShape = dimensions.map(({ chunk }) => chunk);
        const dataset = { shape, maxShape, chunkShape, elementSize: 2, filtered, layoutVersion };
        const size = chunkShape.reduce((a, b) => a * b, 2);
        const chunks = cells(dimensions.map(({ chunks }) => chunks))
          .filter((_, i) => (i * 7919 + seed) % 101 < density)
          .map((coordinate, i) => ({
            coordinate,
            address: 4096 + i * 100,
            size: filtered ? 1 + (i % (2 * size)) : size,
            filterMask: filtered ? i % 3 : 0,
          }));
        const kind = chooseChunkIndex({ ...dataset, earlyAllocation: false });
        if (kind !== "single") expect(roundTrip(kind, dataset, [...chunks].reverse())).toEqual(chunks);
        expect(roundTrip("btree1", { ...dataset, layoutVersion: 3 }, chunks)).toEqual(chunks);
      }),
      { numRuns: 150 },
    );
  });
});

const plain: IndexedDataset = {
  shape: [4, 6],
  maxShape: [4, 6],
  chunkShape: [2, 3],
  elementSize: 2,
  filtered: false,
  layoutVersion: 4,
};

function roundTrip(
  kind: ChunkIndex["kind"],
  dataset: IndexedDataset,
  chunks: readonly ChunkLocation[],
): ChunkLocation[] {
  const space = memorySpace();
  const { shape, maxShape, filtered, chunkShape, elementSize, layoutVersion: version } = dataset;
  const index = buildChunkIndex(space, kind, dataset, chunks);
  const layout = { class: "chunked", version, chunkShape, elementSize, index } as const;
  return space.read((context) => readChunkIndex(context, { layout, shape, maxShape, filtered }));
}

/** All positions of a grid, in row-major order. */
function cells(grid: readonly number[]): number[][] {
  return grid.reduce<number[][]>(
    (sofar, count) => sofar.flatMap((head) => Array.from({ length: count }, (_, at) => [...head, at])),
    [[]],
  );
}

describe("chooseChunkIndex", () => {
  const choose = (dataset: IndexedDataset, earlyAllocation = false) =>
    chooseChunkIndex({ ...dataset, earlyAllocation });

  it.each(cases.filter(({ dataset }) => dataset.layoutVersion > 3))(
    "gives the kind that libhdf5 gave $name in $file",
    ({ file, dataset, index }) => {
      expect(choose(dataset, file === "implicit.h5")).toBe(index.kind);
    },
  );

  it("takes an array where a chunk is smaller or larger than all there is, and where there may be more", () => {
    const one = { ...plain, chunkShape: [4, 6] };
    expect(choose(one)).toBe("single");
    expect(choose(one, true)).toBe("single");
    expect(choose({ ...one, maxShape: [4, 7] })).toBe("farray");
    expect(choose({ ...one, chunkShape: [4, 7] })).toBe("farray");
    expect(choose({ ...plain, filtered: true }, true)).toBe("farray");
    expect(choose({ ...one, maxShape: [4, Infinity] }, true)).toBe("earray");
    expect(choose({ ...one, maxShape: [Infinity, Infinity] })).toBe("btree2");
  });
});
