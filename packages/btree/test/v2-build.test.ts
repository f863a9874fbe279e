import { encodeText, InvalidArgumentError, lookup3 } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildV2Tree,
  chunkRecords,
  decodeV2Node,
  findLinkRecords,
  type LinkNameRecord,
  linkNameRecords,
  linkOrderRecords,
  readV2Header,
  readV2Records,
  type V2NodePointer,
  type V2RecordCodec,
  type V2TreeOptions,
  v2Levels,
} from "../src/index.ts";
import { type MemorySpace, memorySpace } from "./memory-space.ts";

const codec = linkOrderRecords();
const heapId = new Uint8Array(7).fill(5);
const ordered = (count: number) => Array.from({ length: count }, (_, creationOrder) => ({ creationOrder, heapId }));

/**
 * Checks every node against libhdf5's thresholds (H5B2hdr.c: split_nrec, merge_nrec), and the sums; gives the depth.
 * No node but the root may have fewer records than the merge threshold, none more than the split threshold.
 */
function checkThresholds<R>(space: MemorySpace, address: number, codec: V2RecordCodec<R>, count: number): number {
  const file = space.file();
  const header = space.read((context) => readV2Header(context, address, codec));
  const levels = v2Levels(header, space);
  const faults: unknown[] = [];
  const check = (pointer: V2NodePointer, depth: number, root: boolean): void => {
    const { capacity } = levels[depth]!;
    const most = Math.floor((capacity * header.splitPercent) / 100);
    const least = root ? 1 : Math.floor((capacity * header.mergePercent) / 100);
    if (pointer.records > most || pointer.records < least) faults.push({ pointer, depth, most, least });
    if (space.blocks.get(pointer.address)?.size !== header.nodeSize) faults.push({ pointer, depth });
    if (depth === 0) return;
    const bytes = file.subarray(pointer.address, pointer.address + header.nodeSize);
    const { children } = decodeV2Node(bytes, pointer.records, depth, levels[depth]!, codec, space);
    for (const child of children) check(child, depth - 1, false);
  };
  if (header.root !== undefined) check(header.root, header.depth, true);
  expect(faults).toEqual([]);
  expect(header.root?.total ?? 0).toBe(count);
  return header.depth;
}

/** Builds a tree of `count` records, checks all of it, and gives its depth. The walk checks sums and checksums. */
function build(count: number, options?: V2TreeOptions): number {
  const space = memorySpace();
  const address = buildV2Tree(space, codec, ordered(count), options);
  const found = space.read((context) => readV2Records(context, address, codec));
  expect(found.length).toBe(count);
  expect(found.every(({ creationOrder }, i) => creationOrder === i)).toBe(true);
  return checkThresholds(space, address, codec, count);
}

describe("version 2 trees", () => {
  // 33 records of 15 bytes in a leaf of 512; 20 above leaves (9-byte pointers), 18 above those (11-byte pointers).
  it.each([
    [0, 0],
    [1, 0],
    [33, 0],
    [34, 1],
    [67, 1],
    [68, 1],
    [713, 1],
    [714, 2],
    [1427, 2],
    [1428, 2],
    [13565, 2],
    [13566, 3],
    [50000, 3],
  ])("of %i records have depth %i", (count, depth) => {
    expect(build(count)).toBe(depth);
  });

  it("keep libhdf5's thresholds at every size", () => {
    for (let count = 0; count <= 1500; count++) build(count);
    fc.assert(
      fc.property(fc.integer({ min: 1500, max: 30000 }), (count) => void build(count)),
      { numRuns: 15 },
    );
  });

  it("keep them whatever the size of the nodes and the thresholds", () => {
    const sizes = fc.record({
      count: fc.integer({ min: 0, max: 2000 }),
      nodeSize: fc.integer({ min: 120, max: 3000 }),
      splitPercent: fc.integer({ min: 60, max: 100 }),
      mergePercent: fc.integer({ min: 0, max: 29 }),
    });
    fc.assert(
      fc.property(sizes, ({ count, ...options }) => void build(count, options)),
      { numRuns: 40 },
    );
  });

  it("of many dimensions, with few records in a node", () => {
    const rank = 32;
    const wide = chunkRecords(rank, 3, memorySpace());
    const records = Array.from({ length: 900 }, (_, i) => {
      return { address: 8 * i, size: 7, filterMask: i % 2, scaled: [i, ...new Array<number>(rank - 1).fill(0)] };
    });
    const space = memorySpace();
    const address = buildV2Tree(space, wide, records, { nodeSize: 2048 });
    expect(checkThresholds(space, address, wide, 900)).toBe(3);
    expect(space.read((context) => readV2Records(context, address, wide))).toEqual(records);
  });

  it("find a record among a hundred thousand, and equal hashes", () => {
    const names = linkNameRecords();
    const wanted = lookup3(encodeText("wanted"));
    const records: LinkNameRecord[] = Array.from({ length: 100_000 }, (_, i) => ({ hash: i * 42949, heapId }));
    for (let i = 0; i < 40; i++) records.push({ hash: wanted, heapId: new Uint8Array(7).fill(i) });
    records.sort(names.compare);
    const space = memorySpace();
    const address = buildV2Tree(space, names, records);
    checkThresholds(space, address, names, records.length);
    const found = space.read((context) => findLinkRecords(context, address, encodeText("wanted")));
    expect(found.map((record) => record.heapId[0])).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });

  it("refuse records out of order, and nodes that cannot hold them", () => {
    const space = memorySpace();
    expect(() => buildV2Tree(space, codec, ordered(3).reverse())).toThrow(InvalidArgumentError);
    expect(() => buildV2Tree(space, codec, ordered(3), { nodeSize: 24 })).toThrow(/cannot hold records of 15/);
    expect(() => buildV2Tree(space, codec, ordered(3), { nodeSize: 40 })).toThrow(/cannot hold records of 15/);
    expect(() => buildV2Tree(space, codec, ordered(3), { mergePercent: 50 })).toThrow(/split nodes at 100/);
  });
});
