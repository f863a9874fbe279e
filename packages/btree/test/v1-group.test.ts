import {
  decodeSymbolTableMessage,
  encodeText,
  H5Error,
  messageType,
  need,
  type Plan,
  readObjectHeader,
  type SymbolTableEntry,
} from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  decodeSymbolTableNode,
  decodeV1Node,
  encodeSymbolTableNode,
  encodeV1Node,
  findGroupEntry,
  groupKeys,
  readGroupEntries,
  sizeOfSymbolTableNode,
  sizeOfV1Node,
} from "../src/index.ts";
import { body, type Fixture, fixtureJson, openBytes, openFixture } from "./fixture.ts";

const names = (fixtureJson("btree/names.json") as Record<string, Record<string, string[]>>)["v1-group.h5"]!;
const fixture = openFixture("btree/v1-group.h5");

interface Group {
  readonly btreeAddress: number;
  nameAt(offset: number): Uint8Array;
}

/** An old-style group's tree, and names at offsets of its local heap's data segment. */
function openGroup({ bytes, context, run }: Fixture, header: number): Group {
  const message = body(run(readObjectHeader(context, header)).messages, messageType.symbolTable)!;
  const { btreeAddress, heapAddress } = decodeSymbolTableMessage(message, context);
  const segment = Number(new DataView(bytes.buffer).getBigUint64(heapAddress + 24, true));
  const nameAt = (offset: number) => bytes.subarray(segment + offset, bytes.indexOf(0, segment + offset));
  return { btreeAddress, nameAt };
}

const root = openGroup(fixture, fixture.rootAddress);
const nameOf = ({ nameOffset }: SymbolTableEntry, group: Group) => new TextDecoder().decode(group.nameAt(nameOffset));

describe("readGroupEntries", () => {
  const { context, run } = fixture;
  const entries = run(readGroupEntries(context, root.btreeAddress));

  it("gives the links of a deep tree in order of their names", () => {
    expect(entries.map((entry) => nameOf(entry, root))).toEqual(names["/"]);
  });

  it("gives names in the order of their bytes, and none of an empty group", () => {
    for (const name of ["bytes", "empty"]) {
      const entry = entries.find((each) => nameOf(each, root) === name)!;
      const group = openGroup(fixture, entry.headerAddress!);
      const found = run(readGroupEntries(context, group.btreeAddress));
      expect(found.map((each) => nameOf(each, group))).toEqual(names[`/${name}`]);
    }
  });

  it("reads one batch for each level", () => {
    let batches = 0;
    const plan = readGroupEntries(context, root.btreeAddress);
    for (let step = plan.next(); !step.done; batches++) {
      const starts = step.value.map(({ start }) => start);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      step = plan.next(step.value.map(({ start, end }) => fixture.bytes.subarray(start, end)));
    }
    const { level } = decodeV1Node(fixture.bytes.subarray(root.btreeAddress), groupKeys(context), context);
    expect(level).toBeGreaterThan(1);
    expect(batches).toBe(level + 2);
  });
});

describe("findGroupEntry", () => {
  const { context, run } = fixture;
  const find = (name: string) => run(findGroupEntry(context, root.btreeAddress, encodeText(name), root.nameAt));

  it("finds every name, and no other", () => {
    for (const name of names["/"]!) expect(nameOf(find(name)!, root)).toBe(name);
    for (const name of ["", "name 000", "name 013", "name 039", "name 0", "zzz"]) expect(find(name)).toBeUndefined();
  });
});

describe("nodes of a group's tree", () => {
  const { bytes, context, run } = fixture;

  /** Checks a node and all below it against the bytes in the file, for which K is 1: two children, two entries. */
  function* check(address: number): Plan<void> {
    const size = sizeOfV1Node(2, context.lengthSize, context);
    const stored = (yield* need("node", address, size)).slice();
    const node = structuredClone(decodeV1Node(stored, groupKeys(context), context));
    expect(encodeV1Node(node, groupKeys(context), context, 2)).toEqual(stored);
    for (const child of node.children) {
      if (node.level > 0) yield* check(child);
      else checkLeaf(child);
    }
  }

  function checkLeaf(address: number): void {
    const stored = bytes.slice(address, address + sizeOfSymbolTableNode(2, context));
    const entries = structuredClone(decodeSymbolTableNode(stored, context));
    expect(encodeSymbolTableNode(entries, context, 2)).toEqual(stored);
  }

  it("encode back to their bytes", () => run(check(root.btreeAddress)));
});

describe("damaged trees", () => {
  const { context } = fixture;
  const firstKey = 24 + context.lengthSize;
  const node = decodeV1Node(fixture.bytes.subarray(root.btreeAddress), groupKeys(context), context);
  const damaged = (change: (view: DataView, bytes: Uint8Array) => void) => {
    const bytes = fixture.bytes.slice();
    change(new DataView(bytes.buffer), bytes);
    const { run } = openBytes(bytes);
    return () => run(readGroupEntries(context, root.btreeAddress));
  };
  const child = BigInt(node.children[0]!);
  const childAt = (i: number) => root.btreeAddress + firstKey + i * 16;

  it("are refused for children that are the node itself or shared", () => {
    expect(damaged((view) => view.setBigUint64(childAt(0), BigInt(root.btreeAddress), true))).toThrow(/second time/);
    expect(damaged((view) => view.setBigUint64(childAt(1), child, true))).toThrow(/second time/);
  });

  it("are refused for other levels, signatures and siblings", () => {
    expect(damaged((_, bytes) => bytes.fill(9, Number(child) + 5, Number(child) + 6))).toThrow(/expected level/);
    expect(damaged((_, bytes) => bytes.fill(9, Number(child), Number(child) + 1))).toThrow(/signature "TREE"/);
    expect(damaged((view) => view.setBigUint64(Number(child) + 16, 7n, true))).toThrow(/siblings/);
    expect(damaged((_, bytes) => bytes.fill(1, root.btreeAddress + 4, root.btreeAddress + 5))).toThrow(/node type/);
    expect(damaged((view) => view.setBigUint64(childAt(0), 2n ** 64n - 1n, true))).toThrow(/undefined/);
  });

  it("give typed errors, whatever byte is changed", () => {
    for (let at = root.btreeAddress; at < root.btreeAddress + 64; at++) {
      for (const value of [0, 1, 127, 255]) {
        try {
          damaged((_, bytes) => bytes.fill(value, at, at + 1))();
        } catch (error) {
          expect(error).toBeInstanceOf(H5Error);
        }
      }
    }
  });
});
