import { type ChunkedDataset, readChunkIndex } from "@h5/btree";
import { bytesSource, type ChunkedLayout, defaultLimits, run } from "@h5/framing";
import { describe, expect, it } from "vitest";
import type { Dataset } from "../../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

const context = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };

/** A dataset's index read as if some of what else the file says of it were different. */
async function locate(name: string, change: (dataset: ChunkedDataset) => Partial<ChunkedDataset>): Promise<unknown> {
  const dataset: Dataset = await (await openFixture("layouts-latest")).dataset(name);
  const { shape, maxShape, layout, filters } = dataset;
  const known = { shape, maxShape, layout: layout as ChunkedLayout, filtered: filters.length > 0 };
  const source = bytesSource(bytesOf("layouts-latest"));
  return await run(readChunkIndex(context, { ...known, ...change(known) }), source);
}

describe("an index that does not fit its dataset", () => {
  it("is refused: a single chunk for more than one", async () => {
    expect(await locate("single", () => ({}))).toMatchObject([{ coordinate: [0, 0] }]);
    await expect(locate("single", () => ({ shape: [13, 10], maxShape: [13, 10] }))).rejects.toMatchObject({
      code: "INVALID_FIELD",
      structure: "chunk index",
    });
  });

  it("is refused: an extensible array without an unlimited dimension", async () => {
    for (const name of ["extensible-first", "extensible-last", "extensible-middle"]) {
      await expect(locate(name, ({ shape }) => ({ maxShape: shape }))).rejects.toMatchObject({ code: "INVALID_FIELD" });
    }
  });

  it("is refused: a fixed array of another maximum shape, or of an unlimited one", async () => {
    for (const maxShape of [
      [12, 40],
      [Infinity, 10],
      [12, Infinity],
    ]) {
      await expect(locate("fixed-array", () => ({ maxShape }))).rejects.toMatchObject({ code: "INVALID_FIELD" });
    }
  });

  it("is refused: elements of another form", async () => {
    for (const name of ["fixed-array", "extensible-last", "btree2", "implicit"]) {
      await expect(locate(name, () => ({ filtered: true }))).rejects.toMatchObject({ code: "INVALID_FIELD" });
    }
  });
});
