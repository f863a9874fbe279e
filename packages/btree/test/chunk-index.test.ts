import { H5Error, type Plan } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChunkBox, type ChunkedDataset, type ChunkLocation, readChunkIndex } from "../src/index.ts";
import { chunkedDataset, fixtureJson, openFixture } from "./fixture.ts";

/** What libhdf5 says of the chunks: coordinate, address, size, filter mask. */
type Known = readonly [number[], number, number, number];
const files = fixtureJson("btree/chunk-locations.json") as Record<
  string,
  Record<string, { readonly header: number; readonly chunks: readonly Known[] }>
>;

const plain = (chunks: readonly ChunkLocation[]): Known[] =>
  chunks.map(({ coordinate, address, size, filterMask }) => [[...coordinate], address, size, filterMask]);

/** Runs a plan over bytes; gives its result and the bytes it asked for. */
function drive<T>(plan: Plan<T>, bytes: Uint8Array): { value: T; asked: number; batches: number } {
  let asked = 0;
  let batches = 0;
  let step = plan.next();
  for (; !step.done; batches++) {
    for (const { start, end } of step.value) asked += end - start;
    step = plan.next(step.value.map(({ start, end }) => bytes.subarray(start, end)));
  }
  return { value: step.value, asked, batches };
}

const gridOf = ({ shape, layout }: ChunkedDataset) => shape.map((n, d) => Math.ceil(n / layout.chunkShape[d]!));

for (const [file, datasets] of Object.entries(files)) {
  describe(file, () => {
    const fixture = openFixture(`btree/${file}`);
    for (const [name, { header, chunks }] of Object.entries(datasets)) {
      const dataset = chunkedDataset(fixture, header);
      const grid = gridOf(dataset);

      it(`gives the chunks of ${name} that libhdf5 gives`, () => {
        expect(plain(fixture.run(readChunkIndex(fixture.context, dataset)))).toEqual(chunks);
      });

      it(`gives those of ${name} in any box`, () => {
        const corner = fc.tuple(...grid.map((n) => fc.nat(n + 1)));
        fc.assert(
          fc.property(corner, corner, (start, end) => {
            const inside = chunks.filter(([at]) => at.every((c, d) => c >= start[d]! && c < end[d]!));
            const box: ChunkBox = { start, end };
            expect(plain(fixture.run(readChunkIndex(fixture.context, dataset, box)))).toEqual(inside);
          }),
          { seed: 1, numRuns: 30 },
        );
      });
    }
  });
}

describe("readChunkIndex", () => {
  const oneChunk = (at: readonly number[]): ChunkBox => ({ start: at, end: at.map((c) => c + 1) });
  const datasetOf = (file: string, name: string) => {
    const fixture = openFixture(`btree/${file}`);
    const { header, chunks } = files[file]![name]!;
    return { fixture, chunks, dataset: chunkedDataset(fixture, header) };
  };

  it.each([
    ["v1-chunks.h5", "deep"],
    ["v2-chunks.h5", "plain"],
    ["fixed-array-paged.h5", "plain"],
    ["extensible-array-paged.h5", "line"],
  ])("reads only the part of %s that one chunk needs", (file, name) => {
    const { fixture, chunks, dataset } = datasetOf(file, name);
    const all = drive(readChunkIndex(fixture.context, dataset), fixture.bytes);
    const one = drive(readChunkIndex(fixture.context, dataset, oneChunk(chunks[0]![0])), fixture.bytes);
    expect(plain(one.value)).toEqual(chunks.slice(0, 1));
    expect(one.asked).toBeLessThan(all.asked * 0.6);
  });

  it("asks for whole levels at once", () => {
    const { fixture, dataset } = datasetOf("v1-chunks.h5", "deep");
    expect(drive(readChunkIndex(fixture.context, dataset), fixture.bytes).batches).toBeLessThanOrEqual(5);
  });

  it("leaves out chunks outside the shape", () => {
    const { fixture, chunks, dataset } = datasetOf("v1-chunks.h5", "deep");
    const smaller = { ...dataset, shape: [9, 13] };
    const inside = chunks.filter(([[row, column]]) => row! < 3 && column! < 3);
    expect(plain(fixture.run(readChunkIndex(fixture.context, smaller)))).toEqual(inside);
  });

  it("gives nothing for an empty shape or box, and refuses another rank", () => {
    const { fixture, dataset } = datasetOf("v1-chunks.h5", "deep");
    expect(fixture.run(readChunkIndex(fixture.context, { ...dataset, shape: [0, 5] }))).toEqual([]);
    expect(fixture.run(readChunkIndex(fixture.context, dataset, { start: [3, 3], end: [3, 9] }))).toEqual([]);
    const flat = { ...dataset, shape: [9], maxShape: [9] };
    expect(() => fixture.run(readChunkIndex(fixture.context, flat))).toThrow(/dimensions/);
  });

  it("refuses a fixed array of another grid, and elements of another form", () => {
    const { fixture, dataset } = datasetOf("fixed-array.h5", "plain");
    expect(() => fixture.run(readChunkIndex(fixture.context, { ...dataset, maxShape: [14, 15] }))).toThrow(/elements/);
    expect(() => fixture.run(readChunkIndex(fixture.context, { ...dataset, filtered: true }))).toThrow(/client id 1/);
  });

  it("does not walk a huge grid that has little in it", () => {
    const { fixture, chunks, dataset } = datasetOf("extensible-array.h5", "line");
    const huge = { ...dataset, shape: [2 ** 50] };
    expect(plain(fixture.run(readChunkIndex(fixture.context, huge)))).toEqual(chunks);
    const implicit = datasetOf("implicit.h5", "bounded");
    const claimed = { ...implicit.dataset, shape: [2 ** 40, 7], maxShape: [2 ** 40, 7] };
    expect(() => implicit.fixture.run(readChunkIndex(implicit.fixture.context, claimed))).toThrow(/limits.nodes/);
  });

  it.each(Object.keys(files))("gives a typed error, or chunks, for %s with any bytes changed", (file) => {
    for (const [, { header, chunks }] of Object.entries(files[file]!)) {
      const fixture = openFixture(`btree/${file}`);
      const dataset = chunkedDataset(fixture, header);
      const start = dataset.layout.index.address;
      if (start === undefined) continue;
      const change = fc.tuple(fc.nat(600), fc.nat(255));
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const bytes = fixture.bytes.slice();
          for (const [at, value] of changes) if (start + at < bytes.length) bytes[start + at] = value;
          try {
            drive(readChunkIndex(fixture.context, dataset), bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(H5Error);
          }
        }),
        { seed: 2, numRuns: 60 },
      );
      expect(plain(drive(readChunkIndex(fixture.context, dataset), fixture.bytes).value)).toEqual(chunks);
    }
  });
});
