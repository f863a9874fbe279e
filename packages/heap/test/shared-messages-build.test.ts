import {
  bytesSource,
  decodeSharedMessageTable as decodeTableMessage,
  InvalidArgumentError,
  locateSuperblock,
  lookup3,
  messageType,
  readObjectHeader,
  runSync,
} from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  buildSharedMessages,
  buildSharedMessageTable,
  findSharedMessage,
  fractalHeapObject,
  type MessageToShare,
  readFractalHeap,
  readSharedMessageRecords,
  readSharedMessageTable,
} from "../src/index.ts";
import { body, openFixture } from "./fixture.ts";
import { memorySpace } from "./memory-space.ts";

const attributes = { messageTypes: 1 << messageType.attribute, minMessageSize: 4 };
const message = (i: number, length = 10): MessageToShare => {
  const bytes = new Uint8Array(length).fill(i % 256);
  bytes[0] = Math.floor(i / 256);
  return { type: messageType.attribute, body: bytes, referenceCount: i + 1 };
};
const messages = (count: number) => Array.from({ length: count }, (_, i) => message(i));

describe("buildSharedMessages", () => {
  it.each([
    [1, "list"],
    [50, "list"],
    [51, "btree"],
    [3000, "btree"],
  ])("finds %i messages again, by a %s", (count, kind) => {
    const space = memorySpace();
    const all = messages(count);
    const { index, heapIds } = buildSharedMessages(space, attributes, all);
    expect(index).toMatchObject({ ...attributes, kind, listMax: 50, btreeMin: 40, count });
    const records = space.read((context) => readSharedMessageRecords(context, index));
    const counts = records.map((record) => record.location === "heap" && record.referenceCount);
    expect(counts.sort((a, b) => Number(a) - Number(b))).toEqual(all.map(({ referenceCount }) => referenceCount));
    const address = buildSharedMessageTable(space, [index]);
    const table = space.read((context) => readSharedMessageTable(context, address, 1));
    expect(table).toEqual([index]);
    all.slice(0, 100).forEach(({ body, type }, i) => {
      expect(space.read((context) => findSharedMessage(context, table, type, heapIds[i]!))).toEqual(body);
      expect(records.some(({ hash }) => hash === lookup3(body, type))).toBe(true);
    });
  });

  it.each(["shared-list.h5", "shared-btree.h5"])("gives messages of %s the records they have there", (file) => {
    const { bytes, context, run } = openFixture(`heap/${file}`);
    const { superblock } = runSync(locateSuperblock(), bytesSource(bytes));
    const { messages: extension } = run(readObjectHeader(context, superblock.extensionAddress!));
    const pointer = decodeTableMessage(body(extension, messageType.sharedMessageTable)!, context);
    const [original] = run(readSharedMessageTable(context, pointer.address, pointer.indexCount));
    const records = run(readSharedMessageRecords(context, original!)).filter((record) => record.location === "heap");
    expect(records.length).toBeGreaterThan(10);
    const heap = run(readFractalHeap(context, original!.heapAddress!));
    const all = records.map(({ heapId, hash, referenceCount }) => {
      const found = run(fractalHeapObject(heap, heapId));
      const type = lookup3(found, messageType.attribute) === hash ? messageType.attribute : messageType.datatype;
      return { type, body: found, referenceCount };
    });
    // A list is in the order of its messages, a tree in its own.
    if (original!.kind === "btree") all.reverse();
    const space = memorySpace();
    const { index } = buildSharedMessages(space, original!, all);
    const built = space.read((context) => readSharedMessageRecords(context, index));
    // The heap ids differ: messages that are shared no longer have left holes in the file's heap.
    const known = records.map(({ hash, referenceCount }) => ({ location: "heap", hash, referenceCount }));
    expect(built).toMatchObject(known);
    const { indexAddress: _, heapAddress: __, count: ___, ...options } = original!;
    expect(index).toMatchObject(options);
  });

  it("keeps equal bodies of two types apart, and messages too large for the heap's blocks", () => {
    const space = memorySpace();
    const types = 2 ** messageType.datatype + 2 ** messageType.fillValue;
    const large = new Uint8Array(20000).fill(9);
    const { index, heapIds } = buildSharedMessages(space, { messageTypes: types, minMessageSize: 1, listMax: 0 }, [
      { type: messageType.datatype, body: large, referenceCount: 1 },
      { type: messageType.fillValueOld, body: large, referenceCount: 1 },
    ]);
    expect(index).toMatchObject({ kind: "btree", listMax: 0, btreeMin: 1 });
    const read = (i: number, type: number) =>
      space.read((context) => findSharedMessage(context, [index], type, heapIds[i]!));
    expect(read(0, messageType.datatype)).toEqual(large);
    expect(read(1, messageType.fillValueOld)).toEqual(large);
  });

  it("has neither list nor heap without messages", () => {
    const space = memorySpace();
    const { index, heapIds } = buildSharedMessages(space, attributes, []);
    expect(index).toMatchObject({ kind: "list", count: 0, indexAddress: undefined, heapAddress: undefined });
    expect(heapIds).toEqual([]);
    expect(space.file()).toHaveLength(64);
    expect(buildSharedMessages(space, { ...attributes, listMax: 0 }, []).index.kind).toBe("btree");
  });

  it("refuses what does not belong in", () => {
    const build = (all: MessageToShare[], changes = {}) =>
      buildSharedMessages(memorySpace(), { ...attributes, ...changes }, all);
    expect(() => build([{ ...message(1), type: messageType.datatype }])).toThrow(/type 3/);
    expect(() => build([message(1, 3)])).toThrow(/4 bytes, got one of 3/);
    expect(() => build([{ ...message(1), referenceCount: 0 }])).toThrow(/reference count/);
    expect(() => build([message(1), message(2), message(1)])).toThrow(/messages 0 and 2 are the same/);
    expect(() => build([], { listMax: 10, btreeMin: 12 })).toThrow(InvalidArgumentError);
    expect(() => build([], { listMax: 5001 })).toThrow(InvalidArgumentError);
    expect(() => build(messages(65536))).toThrow(/65535/);
  });
});
