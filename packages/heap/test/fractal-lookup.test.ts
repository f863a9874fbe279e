import { inflateSync } from "node:zlib";
import {
  attributeNameRecords,
  attributeOrderRecords,
  findLinkRecords,
  linkNameRecords,
  linkOrderRecords,
  readV2Records,
} from "@h5/btree";
import {
  bytesSource,
  decodeAttribute,
  decodeAttributeInfo,
  decodeLink,
  decodeLinkInfo,
  defaultLimits,
  encodeText,
  H5Error,
  messageType,
  type Plan,
  readObjectHeader,
  runSync,
  UnsupportedFeatureError,
} from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attemptFractalHeapObjects,
  blockOffset,
  decodeFractalDirectBlock,
  decodeFractalHeapHeader,
  decodeFractalHeapId,
  decodeFractalIndirectBlock,
  encodeFractalDirectBlock,
  encodeFractalHeapHeader,
  encodeFractalIndirectBlock,
  type FractalHeap,
  fractalHeapObject,
  fractalHeapObjects,
  indirectRows,
  readFractalHeap,
  rowBlockSize,
  sizeOfDirectPrefix,
  sizeOfFractalHeapHeader,
  sizeOfFractalIndirectBlock,
  type Unfilter,
} from "../src/index.ts";
import { body, type Fixture, fixtureJson, openFixture } from "./fixture.ts";
import { heapHeader } from "./fractal-heap.ts";

interface Known {
  readonly header: number;
  readonly attributes: Record<string, number[]>;
  readonly links?: Record<string, string | number>;
}
const contents = fixtureJson("heap/contents.json") as Record<string, Record<string, Known>>;
const groups = Object.entries(contents).flatMap(([file, nodes]) =>
  file.startsWith("fractal-") ? Object.entries(nodes).map(([name, known]) => ({ file, name, known })) : [],
);

/** The files' only filter is deflate. */
const unfilter: Unfilter = (bytes, mask) => (mask === 0 ? new Uint8Array(inflateSync(bytes)) : bytes);

const linkInfo = ({ context, run }: Fixture, header: number) =>
  decodeLinkInfo(body(run(readObjectHeader(context, header)).messages, messageType.linkInfo)!, context);

describe.each(groups)("$file, $name", ({ file, known }) => {
  const fixture = openFixture(`heap/${file}`);
  const { context, run } = fixture;
  const info = linkInfo(fixture, known.header);
  const names = Object.keys(known.links ?? {});

  it("holds the links that libhdf5 reads, by name and by creation order", () => {
    if (info.heapAddress === undefined) return expect(names).toEqual([]);
    const heap = run(readFractalHeap(context, info.heapAddress, unfilter));
    const byName = run(readV2Records(context, info.nameIndexAddress!, linkNameRecords()));
    const order = info.orderIndexAddress;
    const byOrder = order === undefined ? [] : run(readV2Records(context, order, linkOrderRecords()));
    for (const records of order === undefined ? [byName] : [byName, byOrder]) {
      const objects = run(
        fractalHeapObjects(
          heap,
          records.map(({ heapId }) => heapId),
        ),
      );
      const links = objects.map((object) => decodeLink(object, context));
      const found = links.map((link) => [
        link.name,
        "target" in link ? link.target : "address" in link && link.address,
      ]);
      expect(Object.fromEntries(found)).toEqual(known.links);
      expect(found).toHaveLength(names.length);
    }
    const orders = byOrder.map(({ creationOrder }) => creationOrder);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
    return undefined;
  });

  it("finds single links by the hash of their name", () => {
    for (const name of names.slice(0, 20)) {
      const heap = run(readFractalHeap(context, info.heapAddress!, unfilter));
      const records = run(findLinkRecords(context, info.nameIndexAddress!, encodeText(name)));
      const found = records.map(({ heapId }) => decodeLink(run(fractalHeapObject(heap, heapId)), context).name);
      expect(found).toEqual([name]);
    }
  });

  it("finds them again without a read where the context keeps what was decoded", () => {
    const keeping = { ...context, kept: new Map() };
    const find = function* (name: string): Plan<string[]> {
      const heap = yield* readFractalHeap(keeping, info.heapAddress!, unfilter);
      const records = yield* findLinkRecords(keeping, info.nameIndexAddress!, encodeText(name));
      const found: string[] = [];
      for (const { heapId } of records) {
        // A huge object lies on its own, and is read each time.
        if (decodeFractalHeapId(heapId, heap.header, context).kind !== "managed") found.push(name);
        else found.push(decodeLink(yield* fractalHeapObject(heap, heapId), context).name);
      }
      return found;
    };
    for (const name of names.slice(0, 20)) {
      expect(run(find(name))).toEqual([name]);
      expect(runSync(find(name), bytesSource(new Uint8Array(0)))).toEqual([name]);
    }
  });

  it("encodes header and blocks back to their bytes", () => {
    if (info.heapAddress !== undefined) checkBlocks(fixture, run(readFractalHeap(context, info.heapAddress, unfilter)));
  });
});

/** Every block of a heap encodes to the bytes it was decoded from. */
function checkBlocks({ bytes, context }: Fixture, heap: FractalHeap): void {
  const at = (address: number, length: number) => bytes.slice(address, address + length);
  const stored = at(heap.address, sizeOfFractalHeapHeader(heap.header, context));
  const header = structuredClone(decodeFractalHeapHeader(stored, context));
  expect(encodeFractalHeapHeader(header, context)).toEqual(stored);
  const { table, rootAddress, rootRows, filter } = header;
  const direct = (address: number, size: number, offset: number, storedSize = size) => {
    const found = at(address, storedSize);
    const plain = filter === undefined ? found : unfilter(found, 0, { pipeline: filter.pipeline, expectedBytes: size });
    const block = structuredClone(decodeFractalDirectBlock(plain, heap, offset, context));
    expect(encodeFractalDirectBlock(block, heap, context)).toEqual(plain);
  };
  const indirect = (address: number, rows: number, offset: number) => {
    const found = at(address, sizeOfFractalIndirectBlock(heap, rows, context));
    const block = structuredClone(decodeFractalIndirectBlock(found, heap, rows, offset, context));
    expect(encodeFractalIndirectBlock(block, heap, context)).toEqual(found);
    block.entries.forEach((entry, i) => {
      if (entry.address === undefined) return;
      const row = Math.floor(i / table.width);
      const childOffset = offset + blockOffset(table, row, i % table.width);
      if (row < table.directRows) direct(entry.address, rowBlockSize(table, row), childOffset, entry.size);
      else indirect(entry.address, indirectRows(table, row), childOffset);
    });
  };
  if (rootAddress === undefined) return;
  if (rootRows > 0) indirect(rootAddress, rootRows, 0);
  else direct(rootAddress, table.startBlockSize, 0, filter?.rootSize);
}

describe("fractal-attributes.h5", () => {
  const { context, run } = openFixture("heap/fractal-attributes.h5");
  const { header, attributes } = contents["fractal-attributes.h5"]!["group"]!;
  const messages = run(readObjectHeader(context, header)).messages;
  const info = decodeAttributeInfo(body(messages, messageType.attributeInfo)!, context);

  it("holds the attributes, huge ones too", () => {
    const heap = run(readFractalHeap(context, info.heapAddress!));
    for (const codec of [attributeNameRecords(), attributeOrderRecords()]) {
      const address = codec.type === 8 ? info.nameIndexAddress! : info.orderIndexAddress!;
      const records = run(readV2Records(context, address, codec));
      const frames = run(
        fractalHeapObjects(
          heap,
          records.map(({ heapId }) => heapId),
        ),
      ).map((object) => decodeAttribute(object, context));
      const values = frames.map(({ name, data }) => [name, [...new Int32Array(data.slice().buffer)]]);
      expect(Object.fromEntries(values)).toEqual(attributes);
    }
  });

  it("gives errors in place of objects that are not to be had, and the others", () => {
    const heap = run(readFractalHeap(context, info.heapAddress!));
    const ids = run(readV2Records(context, info.nameIndexAddress!, attributeNameRecords())).map(({ heapId }) => heapId);
    const bad = [ids[0]!.map((byte) => byte ^ 0x40), ids[0]!.map((byte, i) => (i > 0 ? 0xff : byte))];
    const got = run(attemptFractalHeapObjects(heap, [bad[0]!, ...ids, bad[1]!]));
    expect(got.slice(1, -1)).toEqual(run(fractalHeapObjects(heap, ids)));
    for (const error of [got[0], got.at(-1)]) expect(error).toMatchObject({ code: "INVALID_FIELD" });
  });

  it("gives huge objects beside one that its index does not have", () => {
    const heap = run(readFractalHeap(context, info.heapAddress!));
    const ids = run(readV2Records(context, info.nameIndexAddress!, attributeNameRecords())).map(({ heapId }) => heapId);
    const huge = ids.filter(([head]) => head === 0x10);
    const lost = huge[0]!.map((byte, i) => (i === 2 ? 1 : byte));
    const got = run(attemptFractalHeapObjects(heap, [huge[0]!, lost, ...huge.slice(1)]));
    expect(got[1]).toMatchObject({ code: "INVALID_FIELD", message: expect.stringContaining("no huge object") });
    expect([got[0], ...got.slice(2)]).toEqual(huge.map((id) => run(fractalHeapObject(heap, id))));
  });

  it("reads each block once for all objects in it", () => {
    const heap = run(readFractalHeap(context, info.heapAddress!));
    const records = run(readV2Records(context, info.nameIndexAddress!, attributeNameRecords()));
    const starts: number[] = [];
    const plan = fractalHeapObjects(
      heap,
      records.map(({ heapId }) => heapId),
    );
    const { bytes } = openFixture("heap/fractal-attributes.h5");
    for (let step = plan.next(); !step.done; ) {
      starts.push(...step.value.map(({ start }) => start));
      step = plan.next(step.value.map(({ start, end }) => bytes.subarray(start, end)));
    }
    expect(new Set(starts).size).toBe(starts.length);
  });
});

describe("readFractalHeap", () => {
  it("reads objects that are in their ids", () => {
    const fixture = openFixture("heap/fractal-tiny.h5");
    const info = linkInfo(fixture, contents["fractal-tiny.h5"]!["tiny"]!.header);
    const heap = fixture.run(readFractalHeap(fixture.context, info.heapAddress!));
    expect(heap.header.statistics).toMatchObject({ managedObjects: 1, tinyObjects: 2 });
  });

  it("refuses a filtered heap without a way to undo the filters", () => {
    const fixture = openFixture("heap/fractal-filtered.h5");
    const { context, run } = fixture;
    const info = linkInfo(fixture, contents["fractal-filtered.h5"]!["few"]!.header);
    const heap = run(readFractalHeap(context, info.heapAddress!));
    const [record] = run(readV2Records(context, info.nameIndexAddress!, linkNameRecords()));
    expect(() => run(fractalHeapObject(heap, record!.heapId))).toThrow(UnsupportedFeatureError);
  });
});

describe("a heap with indirect blocks in indirect blocks", () => {
  const context = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };
  const parameters = { width: 2, startBlockSize: 64, maxDirectSize: 64, maxHeapBits: 16 };
  const header = heapHeader(parameters, { rootAddress: 1000, rootRows: 5 });
  const heap = { context, address: 0, header, unfilter: undefined };
  const bytes = new Uint8Array(4096);
  const prefix = sizeOfDirectPrefix(heap, context);
  const data = Uint8Array.from({ length: 64 - prefix }, (_, i) => i + 1);
  const indirect = (address: number, rows: number, offset: number, children: Record<number, number>) => {
    const entries = Array.from({ length: rows * 2 }, (_, i) => ({ address: children[i] }));
    bytes.set(encodeFractalIndirectBlock({ offset, entries }, heap, context), address);
  };
  // The root's row 4 has blocks of 512 bytes from 1024 on; row 2 of such a block has blocks of 128 bytes.
  indirect(1000, 5, 0, { 8: 1500 });
  indirect(1500, 3, 1024, { 5: 2000 });
  indirect(2000, 1, 1024 + 384, { 1: 2500 });
  bytes.set(encodeFractalDirectBlock({ offset: 1472, data }, heap, context), 2500);
  const idOf = (offset: number, length: number) => Uint8Array.of(0, offset % 256, offset >> 8, length, 0, 0, 0, 0);
  const read = (offset: number, length: number) =>
    runSync(fractalHeapObject(heap, idOf(offset, length)), bytesSource(bytes));

  it("finds objects at any depth", () => {
    expect(read(1472 + prefix, 3)).toEqual(Uint8Array.of(1, 2, 3));
    expect(read(1472 + 60, 4)).toEqual(data.slice(-4));
  });

  it("refuses objects in a block's prefix, behind its end, or where there is no block", () => {
    expect(() => read(1472 + prefix - 1, 3)).toThrow(/not in its block/);
    expect(() => read(1472 + 60, 5)).toThrow(/not in its block/);
    expect(() => read(70, 5)).toThrow(/no block 1, where an object should be/);
  });

  it("verifies checksums", () => {
    const damaged = bytes.slice();
    damaged[2500 + 63]! ^= 1;
    const id = idOf(1472 + prefix, 3);
    expect(() => runSync(fractalHeapObject(heap, id), bytesSource(damaged))).toThrow(
      /expected checksum 0x[0-9a-f]{8}, got 0x[0-9a-f]{8} /,
    );
  });
});

describe("damaged heaps", () => {
  it.each(groups)("give objects or a typed error: $file, $name", ({ file, known }) => {
    const fixture = openFixture(`heap/${file}`);
    const { context, run } = fixture;
    const info = linkInfo(fixture, known.header);
    if (info.heapAddress === undefined) return;
    const ids = run(readV2Records(context, info.nameIndexAddress!, linkNameRecords())).map(({ heapId }) => heapId);
    const change = fc.tuple(fc.nat(3000), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = fixture.bytes.slice();
        for (const [at, value] of changes) bytes[Math.min(info.heapAddress! + at, bytes.length - 1)] = value;
        try {
          const source = bytesSource(bytes);
          runSync(
            fractalHeapObjects(runSync(readFractalHeap(context, info.heapAddress!, unfilter), source), ids),
            source,
          );
        } catch (error) {
          const typed = error instanceof H5Error || (error as { code?: string }).code?.startsWith("Z_");
          expect(typed).toBe(true);
        }
      }),
      { seed: 3, numRuns: 50 },
    );
  });
});
