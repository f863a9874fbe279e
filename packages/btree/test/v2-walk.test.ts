import {
  decodeAttributeInfo,
  decodeLinkInfo,
  encodeText,
  H5Error,
  lookup3,
  messageType,
  readObjectHeader,
} from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  attributeNameRecords,
  attributeOrderRecords,
  decodeV2Header,
  decodeV2Node,
  encodeV2Header,
  encodeV2Node,
  findAttributeRecords,
  findLinkRecords,
  linkNameRecords,
  linkOrderRecords,
  readV2Records,
  recordsWhere,
  sizeOfV2Header,
  type V2NodePointer,
  type V2RecordCodec,
  v2Levels,
} from "../src/index.ts";
import { body, type Fixture, fixtureJson, openFixture } from "./fixture.ts";

const names = fixtureJson("btree/names.json") as Record<string, { readonly name: string[]; readonly order: string[] }>;

/** The info message of the first object in a file that has one. */
function infoOf({ bytes, context, run }: Fixture, type: number): Uint8Array {
  const headers = [...Buffer.from(bytes).toString("latin1").matchAll(/OHDR/g)].map(({ index }) => index);
  return headers
    .flatMap((address) => body(run(readObjectHeader(context, address)).messages, type) ?? [])
    .find((info) => info.length > 20 && !info.subarray(-8).every((byte) => byte === 255))!;
}

/** Every node of a tree encodes to the bytes it was decoded from. Gives the number of nodes. */
function checkNodes<R>({ bytes, context }: Fixture, address: number, codec: V2RecordCodec<R>): number {
  const stored = bytes.slice(address, address + sizeOfV2Header(context));
  const header = structuredClone(decodeV2Header(stored, context));
  expect(encodeV2Header(header, context)).toEqual(stored);
  const levels = v2Levels(header, context);
  const check = (pointer: V2NodePointer, depth: number): number => {
    const found = bytes.slice(pointer.address, pointer.address + header.nodeSize);
    const level = levels[depth]!;
    const node = structuredClone(decodeV2Node(found, pointer.records, depth, level, codec, context));
    expect(encodeV2Node(node, depth, level, codec, context, header.nodeSize)).toEqual(found);
    return node.children.reduce((sum, child) => sum + check(child, depth - 1), 1);
  };
  return header.root === undefined ? 0 : check(header.root, header.depth);
}

describe("dense-links.h5", () => {
  const fixture = openFixture("btree/dense-links.h5");
  const { context, run } = fixture;
  const info = decodeLinkInfo(infoOf(fixture, messageType.linkInfo), context);
  const known = names["dense-links.h5"]!;
  const byName = run(readV2Records(context, info.nameIndexAddress!, linkNameRecords()));
  const byOrder = run(readV2Records(context, info.orderIndexAddress!, linkOrderRecords()));

  it("is in order of the names' hashes", () => {
    const hashes = known.name.map((name) => lookup3(encodeText(name))).sort((a, b) => a - b);
    expect(byName.map(({ hash }) => hash)).toEqual(hashes);
  });

  it("has the same links in order of their creation", () => {
    expect(byOrder.map(({ creationOrder }) => creationOrder)).toEqual(known.order.map((_, i) => i));
    const idOf = new Map(byName.map(({ hash, heapId }) => [hash, heapId]));
    known.order.forEach((name, i) => {
      expect(byOrder[i]!.heapId).toEqual(idOf.get(lookup3(encodeText(name))));
    });
  });

  it("finds names by few reads", () => {
    for (const name of known.name.slice(0, 50)) {
      let reads = 0;
      const plan = findLinkRecords(context, info.nameIndexAddress!, encodeText(name));
      let step = plan.next();
      for (; !step.done; reads += 1) {
        step = plan.next(step.value.map(({ start, end }) => fixture.bytes.subarray(start, end)));
      }
      expect(step.value.map(({ hash }) => hash)).toEqual([lookup3(encodeText(name))]);
      expect(reads).toBeLessThanOrEqual(4);
    }
    expect(run(findLinkRecords(context, info.nameIndexAddress!, encodeText("not there")))).toEqual([]);
  });

  it("gives ranges", () => {
    const choice = recordsWhere<{ creationOrder: number }>(({ creationOrder }) =>
      creationOrder < 100 ? -1 : creationOrder < 300 ? 0 : 1,
    );
    const range = run(readV2Records(context, info.orderIndexAddress!, linkOrderRecords(), choice));
    expect(range.map(({ creationOrder }) => creationOrder)).toEqual(Array.from({ length: 200 }, (_, i) => 100 + i));
  });

  it("encodes every node back to its bytes", () => {
    expect(checkNodes(fixture, info.nameIndexAddress!, linkNameRecords())).toBeGreaterThan(10);
    expect(checkNodes(fixture, info.orderIndexAddress!, linkOrderRecords())).toBeGreaterThan(10);
  });

  it("is refused or read alike with any byte of header and root changed", () => {
    const { root } = decodeV2Header(fixture.bytes.subarray(info.nameIndexAddress!), context);
    for (const start of [info.nameIndexAddress!, root!.address]) {
      for (let at = start; at < start + 60; at++) {
        const bytes = fixture.bytes.slice();
        bytes[at]! ^= 0x10;
        const plan = readV2Records(context, info.nameIndexAddress!, linkNameRecords());
        const drive = () => {
          let step = plan.next();
          while (!step.done) step = plan.next(step.value.map((range) => bytes.subarray(range.start, range.end)));
          return step.value;
        };
        let outcome: unknown;
        try {
          outcome = drive();
        } catch (error) {
          outcome = error;
        }
        if (!(outcome instanceof H5Error)) expect(outcome).toEqual(byName);
      }
    }
  });
});

describe("dense-attributes.h5", () => {
  const fixture = openFixture("btree/dense-attributes.h5");
  const { context, run } = fixture;
  const info = decodeAttributeInfo(infoOf(fixture, messageType.attributeInfo), context);
  const known = names["dense-attributes.h5"]!;

  it("has a record for each attribute in both trees, three levels deep", () => {
    expect(decodeV2Header(fixture.bytes.subarray(info.nameIndexAddress!), context).depth).toBe(2);
    const byName = run(readV2Records(context, info.nameIndexAddress!, attributeNameRecords()));
    const byOrder = run(readV2Records(context, info.orderIndexAddress!, attributeOrderRecords()));
    const hashes = known.name.map((name) => lookup3(encodeText(name))).sort((a, b) => a - b);
    expect(byName.map(({ hash }) => hash)).toEqual(hashes);
    const hashOf = new Map(byName.map(({ creationOrder, hash }) => [creationOrder, hash]));
    expect(byOrder.map(({ creationOrder }) => hashOf.get(creationOrder))).toEqual(
      known.order.map((name) => lookup3(encodeText(name))),
    );
  });

  it("finds attributes by name", () => {
    for (const name of known.name.slice(0, 20)) {
      expect(run(findAttributeRecords(context, info.nameIndexAddress!, encodeText(name)))).toHaveLength(1);
    }
  });

  it("encodes every node back to its bytes", () => {
    expect(checkNodes(fixture, info.nameIndexAddress!, attributeNameRecords())).toBeGreaterThan(10);
    expect(checkNodes(fixture, info.orderIndexAddress!, attributeOrderRecords())).toBeGreaterThan(10);
  });
});
