import { InvalidArgumentError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  buildChunkTreeV1,
  type ChunkLocation,
  chunkKeys,
  decodeV1Node,
  readChunkIndex,
  sizeOfV1Node,
} from "../src/index.ts";
import { memorySpace } from "./memory-space.ts";

const chunkShape = [3, 5];
const elementSize = 4;
const codec = chunkKeys(chunkShape, elementSize);

const chunksOf = (count: number): ChunkLocation[] =>
  Array.from({ length: count }, (_, i) => {
    return { coordinate: [Math.floor(i / 7), i % 7], address: 4096 + 60 * i, size: 60, filterMask: 0 };
  });

describe("buildChunkTreeV1", () => {
  it.each([
    [1, 64, 0],
    [2, 64, 0],
    [64, 64, 0],
    [65, 64, 1],
    [128, 64, 1],
    [129, 64, 1],
    [4096, 64, 1],
    [4097, 64, 2],
    [5000, 64, 2],
    [30, 2, 4],
  ])("of %i chunks in nodes of %i has level %i", (count, capacity, level) => {
    const space = memorySpace();
    const chunks = chunksOf(count);
    const address = buildChunkTreeV1(space, { chunkShape, elementSize }, chunks, capacity / 2);
    const root = decodeV1Node(space.file().subarray(address), codec, space);
    expect(root.level).toBe(level);
    for (const { size } of space.blocks.values()) expect(size).toBe(sizeOfV1Node(capacity, codec.size, space));
    const layout = {
      class: "chunked",
      version: 3,
      chunkShape,
      elementSize,
      index: { kind: "btree1", address },
    } as const;
    const dataset = { layout, shape: [3000, 35], maxShape: [3000, 35], filtered: false };
    // The walk checks keys against those of the parents, and that siblings point at each other.
    expect(space.read((context) => readChunkIndex(context, dataset))).toEqual(chunks);
  });

  it("fills nodes alike, each with its left neighbour's last key as its first", () => {
    const space = memorySpace();
    buildChunkTreeV1(space, { chunkShape, elementSize }, chunksOf(130));
    const file = space.file();
    const nodes = [...space.blocks.keys()].map((address) => decodeV1Node(file.subarray(address), codec, space));
    expect(nodes.map(({ level, children }) => [level, children.length])).toEqual([
      [0, 43],
      [0, 43],
      [0, 44],
      [1, 3],
    ]);
    expect(nodes[1]!.keys[0]).toEqual(nodes[0]!.keys.at(-1));
    expect(nodes[3]!.keys).toEqual([nodes[0]!.keys[0], nodes[1]!.keys[0], nodes[2]!.keys[0], nodes[2]!.keys.at(-1)]);
  });

  it("ends with a chunk of no bytes, where libhdf5 puts it for chunks that come in order", () => {
    const endOf = (coordinates: number[][]) => {
      const space = memorySpace();
      const chunks = coordinates.map((coordinate, i) => ({ coordinate, address: 64 * i, size: 60, filterMask: 0 }));
      const address = buildChunkTreeV1(space, { chunkShape, elementSize }, chunks);
      return decodeV1Node(space.file().subarray(address), codec, space).keys.at(-1);
    };
    expect(endOf([[0, 0]])).toEqual({ size: 0, filterMask: 0, scaled: [1, 1, 1] });
    expect(
      endOf([
        [0, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual({ size: 0, filterMask: 0, scaled: [1, 1, 1] });
    expect(
      endOf([
        [0, 0],
        [0, 1],
        [1, 2],
      ]),
    ).toEqual({ size: 0, filterMask: 0, scaled: [2, 3, 1] });
  });

  it("refuses chunks out of order, and those of 4 GiB", () => {
    const space = memorySpace();
    const build = (chunks: ChunkLocation[]) => () => buildChunkTreeV1(space, { chunkShape, elementSize }, chunks);
    expect(build(chunksOf(3).reverse())).toThrow(InvalidArgumentError);
    expect(build([chunksOf(1)[0]!, chunksOf(1)[0]!])).toThrow(/keys 0 and 1 are out of order/);
    expect(build([{ ...chunksOf(1)[0]!, size: 2 ** 32 }])).toThrow(/4294967296 does not fit/);
  });
});
