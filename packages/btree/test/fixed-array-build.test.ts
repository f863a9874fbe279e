import { InvalidArgumentError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  buildFixedArray,
  decodeFixedArrayBlock,
  decodeFixedArrayHeader,
  elementForm,
  readChunkIndex,
  type SlotElement,
} from "../src/index.ts";
import { type MemorySpace, memorySpace } from "./memory-space.ts";

const form = elementForm(false, 4, 4, memorySpace());
const element = (slot: number): SlotElement => ({ slot, element: { address: 5000 + 4 * slot } });

/** Reads back an array of `count` chunks in one dimension; gives the slots that are set. */
function slotsSet(space: MemorySpace, address: number, count: number): number[] {
  const index = { kind: "farray", address, pageBits: 10 } as const;
  const layout = { class: "chunked", version: 4, chunkShape: [1], elementSize: 4, index } as const;
  const dataset = { layout, shape: [count], maxShape: [count], filtered: false };
  const chunks = space.read((context) => readChunkIndex(context, dataset));
  for (const chunk of chunks) expect(chunk.address).toBe(element(chunk.coordinate[0]!).element.address);
  return chunks.map(({ coordinate }) => coordinate[0]!);
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Whether each page of the data block is initialised; undefined where it is not paged. */
function pagesOf(space: MemorySpace, address: number): readonly boolean[] | undefined {
  const file = space.file();
  const header = decodeFixedArrayHeader(file.subarray(address), space);
  return decodeFixedArrayBlock(file.subarray(header.blockAddress), header, address, form, space).pages;
}

describe("buildFixedArray", () => {
  it.each([1, 2, 1023, 1024, 1025, 2048, 2049, 5000])("of %i slots, all set", (count) => {
    const space = memorySpace();
    const address = buildFixedArray(space, { form, count }, range(count).map(element));
    expect(slotsSet(space, address, count)).toEqual(range(count));
    // One page for every 1024 slots, each with a checksum of its own (H5FAdblock.c).
    const pages = count > 1024 ? Math.ceil(count / 1024) : 0;
    expect(pagesOf(space, address)?.length ?? 0).toBe(pages);
    const prefix = 18 + (pages > 0 ? Math.ceil(pages / 8) : 0);
    expect([...space.blocks.values()].map(({ size }) => size)).toEqual([28, prefix + 8 * count + 4 * pages]);
  });

  it("leaves pages without a chunk uninitialised", () => {
    const space = memorySpace();
    const slots = [0, 1023, 2048, 4999];
    const address = buildFixedArray(space, { form, count: 5000 }, slots.map(element));
    expect(slotsSet(space, address, 5000)).toEqual(slots);
    expect(pagesOf(space, address)).toEqual([true, false, true, false, true]);
  });

  it("cuts pages as it is told", () => {
    const space = memorySpace();
    const address = buildFixedArray(space, { form, count: 9, pageBits: 2 }, [element(4)]);
    expect(slotsSet(space, address, 9)).toEqual([4]);
    expect(pagesOf(space, address)).toEqual([false, true, false]);
  });

  it.each([0, 1, 5000])("of %i slots without a chunk has no data block", (count) => {
    const space = memorySpace();
    const address = buildFixedArray(space, { form, count }, []);
    expect(decodeFixedArrayHeader(space.file().subarray(address), space).blockAddress).toBeUndefined();
    expect(space.blocks.size).toBe(1);
  });

  it("refuses slots out of order or outside", () => {
    const space = memorySpace();
    const build = (...slots: number[]) => {
      return () => buildFixedArray(space, { form, count: 9 }, slots.map(element));
    };
    expect(build(3, 2)).toThrow("fixed array: slot 2 comes after slot 3");
    expect(build(3, 3)).toThrow(InvalidArgumentError);
    expect(build(3, 9)).toThrow("fixed array: slot 9 in an array of 9");
  });
});
