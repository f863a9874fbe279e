import { createHash } from "node:crypto";
import {
  attributeOrderRecords,
  hugeDirectRecords,
  linkNameRecords,
  linkOrderRecords,
  readV2Records,
  type V2RecordCodec,
} from "@h5/btree";
import {
  compareBytes,
  decodeAttributeInfo,
  decodeLinkInfo,
  encodeLink,
  InvalidArgumentError,
  InvalidFieldError,
  linkFlags,
  messageType,
  readObjectHeader,
} from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attributeHeap,
  blockOffset,
  buildFractalHeap,
  decodeFractalDirectBlock,
  decodeFractalHeapId,
  decodeFractalIndirectBlock,
  type FractalHeap,
  type FractalHeapParameters,
  fractalHeapObjects,
  indirectRows,
  linkHeap,
  readFractalHeap,
  rowBlockSize,
  sizeOfFractalIndirectBlock,
} from "../src/index.ts";
import { body, fixtureJson, openFixture } from "./fixture.ts";
import { type MemorySpace, memorySpace } from "./memory-space.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

/** Builds a heap and reads all of it back. */
function build(objects: readonly Uint8Array[], parameters: FractalHeapParameters, space = memorySpace()) {
  const { address, ids } = buildFractalHeap(space, objects, parameters);
  const heap = space.read((context) => readFractalHeap(context, address));
  return { space, heap, ids, read: space.read(() => fractalHeapObjects(heap, ids)) };
}

function same(read: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  return read.length === expected.length && read.every((bytes, i) => compareBytes(bytes, expected[i]!) === 0);
}

/** What `fixtures/make/heap-build.py` says of a heap. */
function described(space: MemorySpace, heap: FractalHeap) {
  const bytes = space.file();
  const { table, freeBytes, nextHugeId, statistics, rootRows, startRows, rootAddress } = heap.header;
  const digest = createHash("sha256");
  let blocks = 0;
  let indirectBlocks = 0;
  const direct = (address: number, size: number, offset: number): void => {
    const block = decodeFractalDirectBlock(bytes.subarray(address, address + size), heap, offset, widths);
    digest.update(new BigUint64Array([BigInt(offset), BigInt(size)])).update(block.data);
    blocks++;
  };
  const indirect = (address: number, rows: number, offset: number): void => {
    indirectBlocks++;
    const size = sizeOfFractalIndirectBlock(heap, rows, widths);
    const stored = bytes.subarray(address, address + size);
    decodeFractalIndirectBlock(stored, heap, rows, offset, widths).entries.forEach((entry, i) => {
      if (entry.address === undefined) return;
      const row = Math.floor(i / table.width);
      const start = offset + blockOffset(table, row, i % table.width);
      if (row < table.directRows) direct(entry.address, rowBlockSize(table, row), start);
      else indirect(entry.address, indirectRows(table, row), start);
    });
  };
  if (rootRows > 0) indirect(rootAddress!, rootRows, 0);
  else if (rootAddress !== undefined) direct(rootAddress, table.startBlockSize, 0);
  const sha256 = digest.digest("hex");
  return { freeBytes, nextHugeId, statistics, rootRows, startRows, blocks, indirectBlocks, sha256 };
}

type Built = ReturnType<typeof described> & { name: string; count: number; lengths: number[] };

describe("a group's links, laid out by libhdf5", () => {
  it.each(fixtureJson("heap/built.json") as Built[])(
    "$name",
    { timeout: 60_000 },
    ({ name: _, count, lengths, ...expected }) => {
      const objects = Array.from({ length: count }, (_, i) => {
        const target = "t".repeat(lengths[i % lengths.length]!);
        const link = { name: String(i).padStart(6, "0"), type: "soft", target } as const;
        return encodeLink({ version: 1, flags: linkFlags(link), charset: "ascii", ...link }, widths);
      });
      const { space, heap, read } = build(objects, linkHeap);
      expect(same(read, objects)).toBe(true);
      expect(described(space, heap)).toEqual(expected);
    },
  );
});

/** A heap of a fixture: its objects in the order in which libhdf5 was given them, and their ids. */
function fixtureHeap(file: string, indexed: "links" | "attributes") {
  const fixture = openFixture(`heap/${file}`);
  const { context, run } = fixture;
  const known = Object.values((fixtureJson("heap/contents.json") as Contents)[file]!).at(-1)!;
  const { messages } = run(readObjectHeader(context, known.header));
  const links = indexed === "links";
  const info = links
    ? decodeLinkInfo(body(messages, messageType.linkInfo)!, context)
    : decodeAttributeInfo(body(messages, messageType.attributeInfo)!, context);
  const heap = run(readFractalHeap(context, info.heapAddress!));
  const order = info.orderIndexAddress ?? info.nameIndexAddress!;
  const codec = links
    ? info.orderIndexAddress === undefined
      ? linkNameRecords()
      : linkOrderRecords()
    : attributeOrderRecords();
  const records: { heapId: Uint8Array }[] = run(readV2Records(context, order, codec as V2RecordCodec<Heaped>));
  const ids = records.map(({ heapId }) => heapId);
  return { context, heap, ids, objects: run(fractalHeapObjects(heap, ids)) };
}

type Contents = Record<string, Record<string, { readonly header: number }>>;
type Heaped = { readonly heapId: Uint8Array };

describe("a heap of libhdf5's, built again", () => {
  it.each([
    ["fractal-direct-root.h5", "links", linkHeap],
    ["fractal-huge.h5", "links", linkHeap],
    ["fractal-attributes.h5", "attributes", attributeHeap],
  ] as const)("%s: the same ids and figures", (file, indexed, parameters) => {
    const { heap: original, ids, objects } = fixtureHeap(file, indexed);
    const built = build(objects, parameters);
    expect(built.ids).toEqual(ids);
    const { freeSpaceAddress: _, hugeTreeAddress, rootAddress, ...figures } = original.header;
    expect(built.heap.header).toMatchObject(figures);
    expect(built.heap.header.hugeTreeAddress === undefined).toBe(hugeTreeAddress === undefined);
    expect(built.heap.header.rootAddress === undefined).toBe(rootAddress === undefined);
  });

  it("fractal-tiny.h5: the same objects in their ids", () => {
    const { context, heap: original, ids, objects } = fixtureHeap("fractal-tiny.h5", "links");
    const space = memorySpace(64, context);
    const order = objects.map((_, i) => i).sort((a, b) => compareBytes(objects[a]!, objects[b]!));
    const built = build(
      order.map((i) => objects[i]!),
      linkHeap,
      space,
    );
    expect(built.ids).toEqual(order.map((i) => ids[i]));
    expect(built.heap.header.statistics).toEqual(original.header.statistics);
    expect(built.heap.header.freeBytes).toBe(original.header.freeBytes);
  });
});

describe("buildFractalHeap", () => {
  const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill);

  it("writes an empty heap", () => {
    const { heap, ids } = build([], linkHeap);
    expect(ids).toEqual([]);
    expect(heap.header).toMatchObject({ rootAddress: undefined, rootRows: 0, freeBytes: 0 });
    expect(new Set(Object.values(heap.header.statistics))).toEqual(new Set([0]));
  });

  it("keeps objects of 4096 bytes in blocks and larger ones by themselves", () => {
    const objects = [4096, 4097, 65536, 10_000_000, 1].map((length, i) => bytes(length, i + 1));
    const { heap, read } = build(objects, attributeHeap);
    expect(same(read, objects)).toBe(true);
    expect(heap.header).toMatchObject({
      nextHugeId: 3,
      statistics: { managedObjects: 1, hugeObjects: 3, tinySize: 1 },
    });
  });

  it("numbers as many huge objects as there are", () => {
    const objects = Array.from({ length: 300 }, (_, i) => bytes(4097 + i, i));
    expect(same(build(objects, linkHeap).read, objects)).toBe(true);
  });

  it("puts huge objects' addresses into ids that have room for them", () => {
    const objects = Array.from({ length: 60 }, (_, i) => bytes(5000 + i, i));
    const { heap, ids, read, space } = build(objects, { ...linkHeap, idLength: 17 });
    expect(same(read, objects)).toBe(true);
    expect(heap.header.nextHugeId).toBe(0);
    const known = ids.map((id) => decodeFractalHeapId(id, heap.header, widths));
    const records = space.read((context) =>
      readV2Records(context, heap.header.hugeTreeAddress!, hugeDirectRecords(false, context)),
    );
    expect(records.map(({ address, length }) => ({ kind: "huge", address, length }))).toEqual(known);
  });

  it.each([
    [8, 7],
    [17, 16],
    [18, 16],
    [19, 17],
    [300, 298],
  ])("keeps in ids of %i bytes objects of up to %i", (idLength, longest) => {
    const objects = Array.from({ length: longest + 2 }, (_, i) => bytes(i + 1, i));
    const { heap, read } = build(objects, { ...linkHeap, idLength });
    expect(same(read, objects)).toBe(true);
    expect(heap.header.statistics).toMatchObject({ tinyObjects: longest, managedObjects: 2 });
  });

  it("reads back any objects, from any table", () => {
    const tables = [
      linkHeap,
      { ...attributeHeap, maxManagedSize: 300 },
      { idLength: 8, maxManagedSize: 40, width: 2, startBlockSize: 64, maxDirectSize: 128, maxHeapBits: 24 },
      { idLength: 8, maxManagedSize: 400, width: 1, startBlockSize: 128, maxDirectSize: 512, maxHeapBits: 30 },
      { idLength: 8, maxManagedSize: 1000, width: 4, startBlockSize: 64, maxDirectSize: 2048, maxHeapBits: 30 },
    ];
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1500 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(lengths, fc.constantFrom(...tables), (sizes, parameters) => {
        const objects = sizes.map((size, i) => bytes(size, i));
        const { heap, read } = build(objects, parameters);
        expect(same(read, objects)).toBe(true);
        const { statistics, freeBytes, rootRows, table } = heap.header;
        expect(statistics.managedSize).toBeGreaterThanOrEqual(Math.max(statistics.iteratorOffset, freeBytes));
        expect(rootRows).toBeLessThanOrEqual(table.maxRows);
      }),
      { seed: 5, numRuns: 150 },
    );
  });

  it("refuses empty objects, more than fits, and parameters that make no heap", () => {
    expect(() => build([bytes(1, 1), bytes(0, 0)], linkHeap)).toThrow(/object 1 is empty/);
    const small = { ...linkHeap, maxManagedSize: 100, startBlockSize: 512, maxDirectSize: 512, maxHeapBits: 12 };
    expect(() =>
      build(
        Array.from({ length: 100 }, () => bytes(100, 1)),
        small,
      ),
    ).toThrow(InvalidArgumentError);
    expect(() => build([], { ...linkHeap, maxManagedSize: 65536 })).toThrow(InvalidArgumentError);
    expect(() => build([], { ...linkHeap, width: 3 })).toThrow(InvalidFieldError);
  });
});
