import {
  bytesSource,
  decodeAttribute,
  decodeSharedMessage,
  decodeSharedMessageTable as decodeTableMessage,
  locateSuperblock,
  lookup3,
  messageType,
  readObjectHeader,
  runSync,
} from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  decodeSharedMessageList,
  decodeSharedMessageTable,
  encodeSharedMessageList,
  encodeSharedMessageTable,
  findSharedMessage,
  fractalHeapObject,
  readSharedMessageHeap,
  readSharedMessageRecords,
  readSharedMessageTable,
  sizeOfSharedMessageList,
  sizeOfSharedMessageTable,
} from "../src/index.ts";
import { body, fixtureJson, openFixture } from "./fixture.ts";

const SHARED = 0x02;
const contents = fixtureJson("heap/contents.json") as Record<
  string,
  Record<string, { readonly header: number; readonly attributes: Record<string, number[]> }>
>;

describe.each([
  ["shared-list.h5", "list"],
  ["shared-btree.h5", "btree"],
])("%s", (file, kind) => {
  const { bytes, context, run } = openFixture(`heap/${file}`);
  const { superblock } = runSync(locateSuperblock(), bytesSource(bytes));
  const extension = run(readObjectHeader(context, superblock.extensionAddress!));
  const { address, indexCount } = decodeTableMessage(
    body(extension.messages, messageType.sharedMessageTable)!,
    context,
  );
  const indexes = run(readSharedMessageTable(context, address, indexCount));

  it("has the indexes it was made with", () => {
    expect(indexes.map(({ messageTypes }) => messageTypes)).toEqual([(1 << 12) | (1 << 3), 1 << 1]);
    expect(indexes.map((index) => index.kind)).toEqual([kind, kind]);
  });

  it("gives the attributes that objects share", () => {
    for (const { header, attributes } of Object.values(contents[file]!)) {
      const { messages } = run(readObjectHeader(context, header));
      const found = messages
        .filter(({ type, flags }) => type === messageType.attribute && flags & SHARED)
        .map((message) => {
          const pointer = decodeSharedMessage(message.body, context);
          if (pointer.kind !== "sohm") throw new Error(pointer.kind);
          const { name, data } = decodeAttribute(
            run(findSharedMessage(context, indexes, messageType.attribute, pointer.heapId)),
            context,
          );
          return [name, [...new Int16Array(data.slice().buffer)]];
        });
      expect(Object.fromEntries(found)).toEqual(attributes);
    }
  });

  it("lists what is shared, with the hash of each message in the heap", () => {
    indexes.forEach((index, i) => {
      const records = run(readSharedMessageRecords(context, index));
      expect(records).toHaveLength(index.count);
      const heap = run(
        readSharedMessageHeap(context, indexes, i === 0 ? messageType.attribute : messageType.dataspace),
      );
      for (const record of records) {
        if (record.location !== "heap") continue;
        const message = run(fractalHeapObject(heap, record.heapId));
        const seeds = i === 0 ? [messageType.attribute, messageType.datatype] : [messageType.dataspace];
        expect(seeds.map((seed) => lookup3(message, seed))).toContain(record.hash);
      }
    });
  });

  it("encodes table and lists back to their bytes", () => {
    const table = bytes.slice(address, address + sizeOfSharedMessageTable(indexCount, context));
    const copy = structuredClone(decodeSharedMessageTable(table, indexCount, context));
    expect(encodeSharedMessageTable(copy, context)).toEqual(table);
    for (const index of indexes.filter((each) => each.kind === "list")) {
      const size = sizeOfSharedMessageList(index.listMax, context);
      const list = bytes.slice(index.indexAddress, index.indexAddress! + size);
      const records = structuredClone(decodeSharedMessageList(list, index.count, context));
      expect(encodeSharedMessageList(records, context, index.listMax)).toEqual(list);
    }
  });

  it("refuses types that no index shares, and messages without a heap", () => {
    expect(() => run(readSharedMessageHeap(context, indexes, messageType.filterPipeline))).toThrow(
      /no messages of type/,
    );
    const encoded = encodeSharedMessageTable([{ ...indexes[0]!, heapAddress: undefined }], context);
    expect(() => decodeSharedMessageTable(encoded, 1, context)).toThrow(/no index or no heap/);
    const empty = encodeSharedMessageTable([{ ...indexes[0]!, heapAddress: undefined, count: 0 }], context);
    expect(decodeSharedMessageTable(empty, 1, context)).toHaveLength(1);
  });
});
