import { gunzipSync } from "node:zlib";
import { slice } from "@h5/selection";
import { type CountingSource, countingSource, fixtureBytes, sparseBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { open } from "../src/index.ts";

function unpacked(name: string): Buffer {
  return gunzipSync(fixtureBytes(`requests/${name}.gz`));
}

/** A file of which the blocks that are not zero were kept. */
function sparseSource(name: string): CountingSource {
  const { size, extents } = JSON.parse(unpacked(`${name}.extents.json`).toString()) as {
    size: number;
    extents: { start: number; bytes: string }[];
  };
  const bytes = sparseBytes(size);
  for (const { start, bytes: hex } of extents) bytes.write(start, Buffer.from(hex, "hex"));
  return countingSource(bytes);
}

/** What rows 1024 to 1279 of the 18th dataset hold: a mark in every 64th of them. */
function markedRows(): Float32Array {
  const rows = new Float32Array(256 * 1024);
  for (let row = 1024; row < 1280; row += 64) rows[(row - 1024) * 1024 + (row % 1024)] = row + 1;
  return rows;
}

const MIB = 2 ** 20;

describe("of a file of 250 MB with many groups and chunked datasets", () => {
  // How much a bound leaves to spare is for other layouts of such files: these take 4 requests and 2.
  it.each([
    ["whose metadata lies among its chunks", "scattered", 6, 1.5],
    ["with paged aggregation", "paged", 4, 1.5],
  ])("%s, the root and 1 MiB of a dataset come by few requests", async (_, name, most, excess) => {
    const source = sparseSource(name);
    const file = await open(source);
    expect(await file.keys()).toEqual([0, 1, 2, 3, 4, 5].map((i) => `group${i}`));
    expect(source.requests).toBeLessThanOrEqual(2);
    const { data } = await (await file.dataset("group5/data17")).get([slice(1024, 1280), null]);
    const read = new Uint8Array((data as Float32Array).buffer);
    expect(Buffer.compare(read, new Uint8Array(markedRows().buffer))).toBe(0);
    expect(source.requests).toBeLessThanOrEqual(most);
    expect(source.bytesRead).toBeLessThanOrEqual(excess * MIB);
  });
});

it("one dataset of a group of 2000 that is a B-tree of names comes by few requests", async () => {
  const source = countingSource(unpacked("old-group.h5"));
  const file = await open(source);
  expect(await (await file.dataset("wide/link1234")).get([])).toBe(1234);
  expect(source.requests).toBeLessThanOrEqual(8);
});

describe("a dataset of 2 MB in 10,000 chunks comes by few requests", () => {
  it.each(["v1-tree", "fixed-array"])("%s", async (index) => {
    const source = countingSource(unpacked(`chunks-${index}.h5`));
    const { data } = await (await (await open(source)).dataset("x")).get();
    const expected = Uint8Array.from({ length: 2_000_000 }, (_, i) => Math.floor(i / 20_000) + 1);
    expect(Buffer.compare(data as Uint8Array, expected)).toBe(0);
    expect(source.requests).toBeLessThanOrEqual(12);
    expect(source.bytesRead).toBeLessThanOrEqual(1.05 * source.byteLength);
  });
});
