import { describe, expect, it } from "vitest";
import {
  buildExtensibleArray,
  type ChunkLocation,
  decodeExtensibleArrayHeader,
  type ExtensibleArrayStatistics,
  elementForm,
  extensibleArrayDefaults,
  readChunkIndex,
  type SlotElement,
} from "../src/index.ts";
import { memorySpace } from "./memory-space.ts";

const form = elementForm(false, 4, 4, memorySpace());
const element = (slot: number): SlotElement => ({ slot, element: { address: 5000 + 4 * slot } });
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Builds an array, reads it back, and gives its statistics. */
function build(slots: readonly number[], parameters = extensibleArrayDefaults): ExtensibleArrayStatistics {
  const space = memorySpace();
  const address = buildExtensibleArray(space, { form, parameters }, slots.map(element));
  const index = { kind: "earray", address, ...parameters } as const;
  const layout = { class: "chunked", version: 4, chunkShape: [1], elementSize: 4, index } as const;
  const dataset = { layout, shape: [(slots.at(-1) ?? 0) + 100], maxShape: [Infinity], filtered: false };
  const chunks = space.read((context) => readChunkIndex(context, dataset));
  expect(chunks.length).toBe(slots.length);
  const isThere = ({ coordinate, address }: ChunkLocation, i: number) =>
    coordinate[0] === slots[i] && address === element(slots[i]!).element.address;
  expect(chunks.every(isThere)).toBe(true);
  return decodeExtensibleArrayHeader(space.file().subarray(address), space).statistics;
}

describe("buildExtensibleArray", () => {
  // Slots 0 to 3 are in the index block; then come data blocks of 16, 32, 32, 64, 64 (super blocks 0 to 3, without
  // blocks of their own), then super blocks 4 (4 of 64), 5 (4 of 128), 6 (8 of 128) and so on.
  it.each([
    ["nothing", [], { superBlocks: 0, dataBlocks: 0, setElements: 0, realisedElements: 0 }],
    ["slot 0", [0], { superBlocks: 0, dataBlocks: 0, setElements: 1, realisedElements: 4 }],
    ["the index block", range(4), { superBlocks: 0, dataBlocks: 0, setElements: 4, realisedElements: 4 }],
    ["one data block", range(5), { superBlocks: 0, dataBlocks: 1, setElements: 5, realisedElements: 20 }],
    ["two data blocks", range(21), { superBlocks: 0, dataBlocks: 2, setElements: 21, realisedElements: 52 }],
    ["a later one only", [83], { superBlocks: 0, dataBlocks: 1, setElements: 84, realisedElements: 36 }],
    ["all direct ones", range(244), { superBlocks: 0, dataBlocks: 6, setElements: 244, realisedElements: 244 }],
    ["a super block", range(245), { superBlocks: 1, dataBlocks: 7, setElements: 245, realisedElements: 308 }],
    ["two super blocks", range(501), { superBlocks: 2, dataBlocks: 11, setElements: 501, realisedElements: 628 }],
    ["the second only", [500, 1011], { superBlocks: 1, dataBlocks: 2, setElements: 1012, realisedElements: 260 }],
  ])("with %s", (_, slots, expected) => {
    expect(build(slots)).toMatchObject(expected);
  });

  // From super block 13 on, data blocks have 2048 slots and more, in pages of 1024: from slot 4 + 16 * (2^13 - 1) on.
  const paged = 4 + 16 * (2 ** 13 - 1);

  it("with pages", () => {
    const statistics = build(range(32_000).map((i) => 5 * i));
    // Super blocks 4 to 13; all data blocks of 0 to 12 (6 + 4 + 4 + … + 64), and 15 of the 64 of 2048 slots each.
    expect(statistics).toMatchObject({ superBlocks: 10, setElements: 159_996, realisedElements: paged + 15 * 2048 });
    expect(statistics.dataBlocks).toBe(6 + 4 + 4 + 8 + 8 + 16 + 16 + 32 + 32 + 64 + 15);
  });

  it("with few pages initialised", () => {
    const slots = [2, paged - 1, paged, paged + 1024, paged + 5 * 2048, paged + 63 * 2048 + 2047];
    const statistics = build(slots);
    expect(statistics).toMatchObject({ superBlocks: 2, dataBlocks: 4, realisedElements: 4 + 1024 + 3 * 2048 });
    // A prefix of 18 bytes, and a checksum for the block and for each of its pages (H5EApkg.h, H5EA_DBLOCK_SIZE).
    expect(statistics.dataBlockBytes).toBe(22 + 8 * 1024 + 3 * (22 + 8 * 2048 + 2 * 4));
    // Addresses of 64 data blocks each; super block 13 has a byte of page flags for each of them.
    expect(statistics.superBlockBytes).toBe(2 * (22 + 64 * 8) + 64);
  });

  it("up to the very last slot", () => {
    const statistics = build([0, 2 ** 20 - 1], { ...extensibleArrayDefaults, maxBits: 20 });
    expect(statistics).toMatchObject({ superBlocks: 1, dataBlocks: 1, setElements: 2 ** 20 });
    const space = memorySpace();
    expect(() => buildExtensibleArray(space, { form }, [element(2 ** 32)])).toThrow(/slot 4294967296 in an array/);
    expect(() => buildExtensibleArray(space, { form }, [element(2), element(1)])).toThrow(/slot 1 comes after slot 2/);
  });

  it("with other parameters", () => {
    const parameters = { maxBits: 10, indexElements: 0, minElements: 2, minPointers: 2, pageBits: 2 };
    expect(build(range(1000), parameters)).toMatchObject({ setElements: 1000 });
    expect(build([0, 17, 333, 1023], parameters)).toMatchObject({ setElements: 1024 });
  });
});
