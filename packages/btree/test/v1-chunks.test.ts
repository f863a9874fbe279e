import { describe, expect, it } from "vitest";
import { chunkKeys, decodeV1Node, encodeV1Node, readChunkIndex, sizeOfV1Node } from "../src/index.ts";
import { chunkedDataset, type Fixture, fixtureJson, openBytes, openFixture } from "./fixture.ts";

const files = fixtureJson("btree/chunk-locations.json") as Record<string, Record<string, { readonly header: number }>>;

/** Every node of a tree encodes to the bytes it was decoded from; gives the number of nodes. */
function checkNodes(fixture: Fixture, header: number, capacity: number): number {
  const { layout } = chunkedDataset(fixture, header);
  const codec = chunkKeys(layout.chunkShape, layout.elementSize);
  const check = (address: number): number => {
    const end = address + sizeOfV1Node(capacity, codec.size, fixture.context);
    const stored = fixture.bytes.slice(address, end);
    const node = structuredClone(decodeV1Node(stored, codec, fixture.context, address));
    expect(encodeV1Node(node, codec, fixture.context, capacity)).toEqual(stored);
    return node.level === 0 ? 1 : node.children.reduce((sum, child) => sum + check(child), 1);
  };
  return layout.index.address === undefined ? 0 : check(layout.index.address);
}

describe("nodes of chunk trees", () => {
  it.each([
    ["v1-chunks.h5", 4, 25],
    ["v1-chunks-filtered.h5", 4, 25],
    ["v1-chunks-pruned.h5", 2, 8],
    ["v1-chunks-four-byte-widths.h5", 64, 1],
  ])("of %s encode back to their bytes", (file, capacity, least) => {
    const fixture = openFixture(`btree/${file}`);
    const counts = Object.values(files[file]!).map(({ header }) => checkNodes(fixture, header, capacity));
    expect(counts[0]).toBeGreaterThanOrEqual(least);
  });
});

it("reads a chunk tree of any depth, as those of two children a node grow a level for each chunk", () => {
  const { bytes, context } = openFixture("btree/v1-chunks-pruned.h5");
  const { header } = Object.values(files["v1-chunks-pruned.h5"]!)[0]!;
  const dataset = chunkedDataset(openBytes(bytes), header);
  const { chunkShape, elementSize, index } = dataset.layout;
  const codec = chunkKeys(chunkShape, elementSize);
  const root = decodeV1Node(bytes.slice(index.address), codec, context);
  const keys = [root.keys[0]!, root.keys.at(-1)!];
  const levels = 255 - root.level;
  const size = sizeOfV1Node(1, codec.size, context);
  const deep = new Uint8Array(bytes.length + levels * size);
  deep.set(bytes);
  let address = index.address!;
  for (let i = 0; i < levels; i++) {
    const node = { level: root.level + 1 + i, left: undefined, right: undefined, keys, children: [address] };
    address = bytes.length + i * size;
    deep.set(encodeV1Node(node, codec, context), address);
  }
  const { run } = openBytes(deep);
  const deepIndex = { ...index, address };
  const chunks = run(readChunkIndex(context, { ...dataset, layout: { ...dataset.layout, index: deepIndex } }));
  expect(chunks.length).toBeGreaterThan(0);
  expect(chunks).toEqual(run(readChunkIndex(context, dataset)));
});

describe("damaged chunk trees", () => {
  const file = "v1-chunks-four-byte-widths.h5";
  const { header } = files[file]!["deep"]!;
  const fixture = openFixture(`btree/${file}`);
  const dataset = chunkedDataset(fixture, header);
  const root = dataset.layout.index.address!;
  // 2 + 2 bytes of head, two siblings of 4; keys of 8 + 4 × 8 bytes, children of 4.
  const key = (i: number) => root + 16 + i * 44;
  const damaged = (change: (view: DataView) => void, changes: Partial<typeof dataset> = {}) => {
    const bytes = fixture.bytes.slice();
    change(new DataView(bytes.buffer));
    const { run, context } = openBytes(bytes);
    return () => run(readChunkIndex(context, { ...dataset, ...changes }));
  };

  it("are refused for offsets that are no multiple of the chunk", () => {
    expect(damaged((view) => view.setUint8(key(0) + 8, 1))).toThrow(/no multiple of 2/);
    expect(damaged((view) => view.setUint8(key(0) + 32, 2))).toThrow(/begins inside an element/);
  });

  it("are refused for keys out of order and chunks that are there twice", () => {
    expect(damaged((view) => view.setUint8(key(0) + 8, 4))).toThrow(/out of order/);
    const twice = (view: DataView) => {
      for (let at = 8; at < 40; at++) view.setUint8(key(1) + at, view.getUint8(key(0) + at));
    };
    expect(damaged(twice)).toThrow(/keys 0 and 1 are out of order/);
  });

  it("are refused for sizes that cannot be", () => {
    expect(damaged((view) => view.setUint32(key(0), 23, true))).toThrow(/expected a size of 24, got 23/);
    expect(damaged((view) => view.setUint32(key(0), 0, true), { filtered: true })).toThrow(/at least 1/);
  });
});
