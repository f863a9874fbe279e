import {
  decodeSymbolTableMessage,
  encodeText,
  messageType,
  readObjectHeader,
  type SymbolTableEntry,
} from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  buildGroupTree,
  decodeSymbolTableNode,
  decodeV1Node,
  findGroupEntry,
  groupKeys,
  readGroupEntries,
  sizeOfSymbolTableNode,
  sizeOfV1Node,
} from "../src/index.ts";
import { body, openFixture } from "./fixture.ts";
import { memorySpace, replaySpace } from "./memory-space.ts";

const NAME_BYTES = 16;
const nameAt = (offset: number) =>
  encodeText(offset === 0 ? "" : `name${String(offset / NAME_BYTES).padStart(7, "0")}`);

const entriesOf = (count: number): SymbolTableEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    nameOffset: NAME_BYTES * (i + 1),
    headerAddress: 800 + 8 * i,
    cacheType: 0,
  }));

describe("buildGroupTree", () => {
  it.each([
    [0, 0, 0],
    [1, 1, 0],
    [8, 1, 0],
    [9, 2, 0],
    [256, 32, 0],
    [257, 33, 1],
    [1000, 125, 1],
    [70_000, 8750, 2],
  ])("of %i entries has %i symbol table nodes below level %i", (count, leaves, level) => {
    const space = memorySpace();
    const entries = entriesOf(count);
    const address = buildGroupTree(space, entries);
    const root = decodeV1Node(space.file().subarray(address), groupKeys(space), space);
    expect(root.level).toBe(level);
    const sizes = [...space.blocks.values()].map(({ size }) => size);
    expect(sizes.filter((size) => size === sizeOfSymbolTableNode(8, space)).length).toBe(leaves);
    expect(sizes.filter((size) => size !== sizeOfSymbolTableNode(8, space))).toEqual(
      sizes.slice(leaves).map(() => sizeOfV1Node(32, 8, space)),
    );
    const found = space.read((context) => readGroupEntries(context, address));
    expect(found.length).toBe(count);
    expect(found.every(({ headerAddress }, i) => headerAddress === entries[i]!.headerAddress)).toBe(true);
  });

  it("finds every name, and no other", () => {
    const space = memorySpace();
    const address = buildGroupTree(space, entriesOf(600), { leafK: 1, internalK: 2 });
    const find = (name: Uint8Array) => space.read((context) => findGroupEntry(context, address, name, nameAt));
    for (let i = 1; i <= 600; i++) expect(find(nameAt(i * NAME_BYTES))?.nameOffset).toBe(i * NAME_BYTES);
    for (const name of ["", "name", "name0000003x", "z"]) expect(find(encodeText(name))).toBeUndefined();
  });

  it("shares entries evenly, keyed by the last name to the left", () => {
    const space = memorySpace();
    const address = buildGroupTree(space, entriesOf(9));
    const file = space.file();
    const { keys, children } = decodeV1Node(file.subarray(address), groupKeys(space), space);
    expect(children.map((child) => decodeSymbolTableNode(file.subarray(child), space).length)).toEqual([4, 5]);
    expect(keys).toEqual([0, 4 * NAME_BYTES, 9 * NAME_BYTES]);
  });

  it.each(["btree/v1-chunks.h5", "btree/v1-chunks-pruned.h5", "btree/v1-chunks-four-byte-widths.h5"])(
    "writes the bytes of libhdf5 for the root of %s",
    (name) => {
      const fixture = openFixture(name);
      const { bytes, context, run } = fixture;
      const message = body(run(readObjectHeader(context, fixture.rootAddress)).messages, messageType.symbolTable)!;
      const { btreeAddress } = decodeSymbolTableMessage(message, context);
      const entries = run(readGroupEntries(context, btreeAddress));
      const { children } = decodeV1Node(bytes.subarray(btreeAddress), groupKeys(context), context);
      const space = replaySpace(fixture, [...children, btreeAddress]);
      expect(buildGroupTree(space, entries)).toBe(btreeAddress);
      space.finish();
    },
  );
});
