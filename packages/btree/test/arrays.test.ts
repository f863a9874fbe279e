import { describe, expect, it } from "vitest";
import {
  dataBlockOffsets,
  decodeElementPage,
  decodeExtensibleArrayDataBlock,
  decodeExtensibleArrayHeader,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  decodeFixedArrayBlock,
  decodeFixedArrayHeader,
  elementForm,
  encodeElementPage,
  encodeExtensibleArrayDataBlock,
  encodeExtensibleArrayHeader,
  encodeExtensibleArrayIndexBlock,
  encodeExtensibleArraySuperBlock,
  encodeFixedArrayBlock,
  encodeFixedArrayHeader,
  extensibleArray,
  extensibleArrayGeometry,
  fixedArrayPages,
  readChunkIndex,
  sizeOfElementPage,
  sizeOfExtensibleArrayDataBlock,
  sizeOfExtensibleArrayHeader,
  sizeOfExtensibleArrayIndexBlock,
  sizeOfExtensibleArraySuperBlock,
  sizeOfFixedArrayBlock,
  sizeOfFixedArrayHeader,
  storedSizeWidth,
} from "../src/index.ts";
import { chunkedDataset, type Fixture, fixtureJson, openBytes, openFixture } from "./fixture.ts";

const files = fixtureJson("btree/chunk-locations.json") as Record<string, Record<string, { readonly header: number }>>;
const datasets = Object.entries(files).flatMap(([file, known]) =>
  Object.entries(known).map(([name, { header }]) => ({ file, name, header })),
);

function openArray(file: string, header: number) {
  const fixture = openFixture(`btree/${file}`);
  const dataset = chunkedDataset(fixture, header);
  const { layout } = dataset;
  const chunkBytes = layout.chunkShape.reduce((a, b) => a * b, layout.elementSize);
  const form = elementForm(dataset.filtered, chunkBytes, layout.version, fixture.context);
  return { fixture, dataset, form, address: layout.index.address, at: bytesAt(fixture) };
}

const bytesAt =
  ({ bytes }: Fixture) =>
  (address: number, size: number) =>
    bytes.slice(address, address + size);

describe("blocks of fixed arrays", () => {
  const arrays = datasets.filter(({ file }) => file.startsWith("fixed-array"));

  it.each(arrays)("encode back to their bytes in $file, $name", ({ file, header: objectHeader }) => {
    const { fixture, form, address, at } = openArray(file, objectHeader);
    if (address === undefined) return;
    const { context } = fixture;
    const storedHeader = at(address, sizeOfFixedArrayHeader(context));
    const header = structuredClone(decodeFixedArrayHeader(storedHeader, context));
    expect(encodeFixedArrayHeader(header, context)).toEqual(storedHeader);
    const size = sizeOfFixedArrayBlock(header, context);
    const stored = at(header.blockAddress!, size);
    const block = structuredClone(decodeFixedArrayBlock(stored, header, address, form, context));
    expect(encodeFixedArrayBlock(block, header, form, context)).toEqual(stored);
    expect(block.pages?.length ?? 0).toBe(fixedArrayPages(header));
    block.pages?.forEach((initialised, page) => {
      const full = 2 ** header.pageBits;
      const count = Math.min(full, header.count - page * full);
      const found = at(
        header.blockAddress! + size + page * sizeOfElementPage(full, form),
        sizeOfElementPage(count, form),
      );
      if (initialised)
        expect(encodeElementPage(decodeElementPage(found, count, form, context), form, context)).toEqual(found);
    });
  });

  it("have pages that are not initialised", () => {
    const { fixture, form, address, at } = openArray(
      "fixed-array-paged.h5",
      files["fixed-array-paged.h5"]!["plain"]!.header,
    );
    const header = decodeFixedArrayHeader(at(address!, sizeOfFixedArrayHeader(fixture.context)), fixture.context);
    const stored = at(header.blockAddress!, sizeOfFixedArrayBlock(header, fixture.context));
    const { pages } = decodeFixedArrayBlock(stored, header, address!, form, fixture.context);
    expect(pages).toEqual([true, true, true, true]);
    const other = openArray(
      "fixed-array-paged-filtered.h5",
      files["fixed-array-paged-filtered.h5"]!["filtered"]!.header,
    );
    const filtered = decodeFixedArrayHeader(other.at(other.address!, 28), fixture.context);
    const block = other.at(filtered.blockAddress!, sizeOfFixedArrayBlock(filtered, fixture.context));
    expect(decodeFixedArrayBlock(block, filtered, other.address!, other.form, fixture.context).pages).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("blocks of extensible arrays", () => {
  const arrays = datasets.filter(({ file }) => file.startsWith("extensible-array"));

  it.each(arrays)("encode back to their bytes in $file, $name", ({ file, header: objectHeader }) => {
    const { fixture, form, address, at } = openArray(file, objectHeader);
    if (address === undefined) return;
    const { context } = fixture;
    const storedHeader = at(address, sizeOfExtensibleArrayHeader(context));
    const header = structuredClone(decodeExtensibleArrayHeader(storedHeader, context));
    expect(encodeExtensibleArrayHeader(header, context)).toEqual(storedHeader);
    const array = extensibleArray(header, address, form);
    const storedRoot = at(header.indexBlockAddress!, sizeOfExtensibleArrayIndexBlock(array, context));
    const root = structuredClone(decodeExtensibleArrayIndexBlock(storedRoot, array, context));
    expect(encodeExtensibleArrayIndexBlock(root, array, context)).toEqual(storedRoot);
    const { superBlocks, direct } = array.geometry;

    const checkDataBlock = (address: number | undefined, index: number, block: number, flags: readonly boolean[]) => {
      if (address === undefined) return;
      const size = sizeOfExtensibleArrayDataBlock(array, superBlocks[index]!, context);
      const stored = at(address, size);
      const offsets = dataBlockOffsets(array.geometry, index, block);
      const decoded = structuredClone(
        decodeExtensibleArrayDataBlock(stored, array, superBlocks[index]!, offsets, context),
      );
      expect(encodeExtensibleArrayDataBlock(decoded, array, superBlocks[index]!, context)).toEqual(stored);
      const pageSize = sizeOfElementPage(2 ** header.pageBits, form);
      flags.forEach((initialised, page) => {
        if (!initialised) return;
        const found = at(address + size + page * pageSize, pageSize);
        const elements = decodeElementPage(found, 2 ** header.pageBits, form, context);
        expect(encodeElementPage(elements, form, context)).toEqual(found);
      });
    };

    superBlocks.slice(0, direct).forEach(({ blocks, firstBlock }, index) => {
      for (let block = 0; block < blocks; block++)
        checkDataBlock(root.dataBlocks[firstBlock + block], index, block, []);
    });
    root.superBlocks.forEach((place, i) => {
      if (place === undefined) return;
      const geometry = superBlocks[direct + i]!;
      const stored = at(place, sizeOfExtensibleArraySuperBlock(array, geometry, context));
      const block = structuredClone(decodeExtensibleArraySuperBlock(stored, array, geometry, context));
      expect(encodeExtensibleArraySuperBlock(block, array, geometry, context)).toEqual(stored);
      block.dataBlocks.forEach((address, number) => {
        const { pages } = geometry;
        checkDataBlock(address, direct + i, number, block.pages.slice(number * pages, (number + 1) * pages));
      });
    });
  });

  it("are refused where they name another header or offset", () => {
    const { fixture, dataset, address, at } = openArray(
      "extensible-array.h5",
      files["extensible-array.h5"]!["line"]!.header,
    );
    const header = decodeExtensibleArrayHeader(at(address!, 72), fixture.context);
    const bytes = fixture.bytes.slice();
    bytes[header.indexBlockAddress! + 6]! ^= 1;
    const { run, context } = openBytes(bytes);
    expect(() => run(readChunkIndex(context, dataset))).toThrow(/header address/);
  });
});

describe("extensibleArrayGeometry", () => {
  const usual = { maxBits: 32, indexElements: 4, minElements: 16, minPointers: 4, pageBits: 10 };

  it("doubles from super block to super block", () => {
    const { superBlocks, direct, directBlocks, offsetWidth } = extensibleArrayGeometry(usual);
    expect([superBlocks.length, direct, directBlocks, offsetWidth]).toEqual([29, 4, 6, 4]);
    expect(superBlocks.slice(0, 5).map(({ blocks, blockElements }) => [blocks, blockElements])).toEqual([
      [1, 16],
      [1, 32],
      [2, 32],
      [2, 64],
      [4, 64],
    ]);
    expect(superBlocks[13]).toEqual({
      blocks: 64,
      blockElements: 2048,
      pages: 2,
      firstElement: 131056,
      firstBlock: 190,
    });
  });

  it("refuses parameters that make none", () => {
    for (const wrong of [
      { minElements: 0 },
      { minElements: 12 },
      { minPointers: 1 },
      { maxBits: 65 },
      { pageBits: 1 },
    ]) {
      expect(() => extensibleArrayGeometry({ ...usual, ...wrong })).toThrow(/no array has the parameters/);
    }
  });
});

describe("storedSizeWidth", () => {
  it("leaves a byte more than the chunk needs, and is that of lengths since layout version 5", () => {
    const widths = { offsetSize: 8, lengthSize: 4 };
    expect([1, 127, 128, 255, 256, 65535, 65536, 2 ** 40].map((bytes) => storedSizeWidth(bytes, 4, widths))).toEqual([
      2, 2, 2, 2, 3, 3, 4, 7,
    ]);
    expect(storedSizeWidth(1, 5, widths)).toBe(4);
    expect(storedSizeWidth(1, 5, { ...widths, lengthSize: 8 })).toBe(8);
  });
});
