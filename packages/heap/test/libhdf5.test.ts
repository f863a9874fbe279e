import { linkNameRecords, linkOrderRecords, readV2Records } from "@h5/btree";
import { decodeLink, decodeLinkInfo, messageType, readObjectHeader } from "@h5/framing";
import { libhdf5 } from "@h5/testing/libhdf5";
import { describe, expect, it } from "vitest";
import { fractalHeapObjects, readFractalHeap } from "../src/index.ts";
import {
  builtFile,
  denseAttributes,
  denseLinks,
  noLinks,
  sharedAttributesFile,
  softLink,
  symbolTableFile,
} from "./built-file.ts";
import { body, openBytes } from "./fixture.ts";

/** Names and targets of a root group's dense links, in creation order, after a look at the tree by name too. */
function linksOf(bytes: Uint8Array<ArrayBuffer>): [string, string][] {
  const { context, rootAddress, run } = openBytes(bytes);
  const { messages } = run(readObjectHeader(context, rootAddress));
  const info = decodeLinkInfo(body(messages, messageType.linkInfo)!, context);
  const heap = run(readFractalHeap(context, info.heapAddress!));
  const [byOrder, byName] = [
    run(readV2Records(context, info.orderIndexAddress!, linkOrderRecords())),
    run(readV2Records(context, info.nameIndexAddress!, linkNameRecords())),
  ].map((records) => {
    const objects = run(
      fractalHeapObjects(
        heap,
        records.map(({ heapId }) => heapId),
      ),
    );
    return objects.map((object): [string, string] => {
      const link = decodeLink(object, context);
      return [link.name, "target" in link ? link.target : ""];
    });
  });
  expect(new Map(byName)).toEqual(new Map(byOrder));
  return byOrder!;
}

describe("links that libhdf5 reads and adds to", { timeout: 60_000 }, () => {
  it.each([
    ["1", 1, [20]],
    ["9", 9, [20]],
    ["1000", 1000, [20]],
    ["blocks passed over", 300, [10, 900, 30, 3000, 5, 200]],
    ["nested indirect blocks", 1100, [4000]],
    ["huge ones", 40, [4100, 65000, 1]],
  ] as const)("%s", async (_, count, lengths) => {
    const links = Array.from({ length: count }, (_, i): [string, string] => {
      return [`link ${i}`, "t".repeat(lengths[i % lengths.length]!)];
    });
    const file = builtFile((space) =>
      denseLinks(
        space,
        links.map(([name, target], i) => softLink(name, target, i)),
      ),
    );
    expect(linksOf(file)).toEqual(links);
    const stored = await libhdf5(file);
    stored.open("r", (root) => {
      expect(new Set(root.keys())).toEqual(new Set(links.map(([name]) => name)));
      for (const [name, target] of links) expect(root.get_link(name)).toBe(target);
    });
    const added = Array.from({ length: 60 }, (_, i): [string, string] => [`added ${i}`, "a".repeat(1 + i * 75)]);
    stored.open("a", (root) => {
      for (const [name, target] of added) expect(root.create_soft_link(target, name)).toBe(0);
    });
    stored.open("r", (root) => {
      for (const [name, target] of [...links, ...added]) expect(root.get_link(name)).toBe(target);
    });
    expect(linksOf(stored.bytes())).toEqual([...links, ...added]);
  });
});

const someIntegers = (count: number, lengthOf: (i: number) => number): Record<string, number[]> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`attribute ${i}`, Array.from({ length: lengthOf(i) }, (_, j) => i + j)]),
  );

describe("attributes that libhdf5 reads, deletes and adds to", { timeout: 60_000 }, () => {
  it.each([
    ["9", someIntegers(9, () => 5)],
    ["of many sizes", someIntegers(300, (i) => 1 + ((i * 37) % 1200))],
    ["of 64 KiB and 10 MB", { small: [1], large: new Array(16384).fill(7), huge: new Array(2_500_000).fill(-3) }],
  ])("%s", async (_, attributes) => {
    const names = Object.keys(attributes);
    const stored = await libhdf5(builtFile((space) => [...noLinks(), denseAttributes(space, attributes)]));
    const check = (expected: Record<string, number[]>): void =>
      stored.open("r", (root) => {
        expect(Object.keys(root.attrs).sort()).toEqual(Object.keys(expected).sort());
        for (const [name, values] of Object.entries(expected)) {
          const found = root.attrs[name]!.value as Int32Array;
          expect(
            Buffer.compare(new Uint8Array(found.slice().buffer), new Uint8Array(Int32Array.from(values).buffer)),
          ).toBe(0);
        }
      });
    check(attributes);
    const rest: Record<string, number[]> = { ...attributes };
    stored.open("a", (root) => {
      for (const name of names.filter((_, i) => i % 3 !== 1)) {
        expect(root.delete_attribute(name)).toBe(0);
        delete rest[name];
      }
    });
    check(rest);
    const added = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`added ${i}`, new Array(1 + i * 40).fill(i)]),
    );
    stored.open("a", (root) => {
      for (const [name, values] of Object.entries(added)) root.create_attribute(name, Int32Array.from(values));
    });
    check({ ...rest, ...added });
    stored.open("a", (root) => {
      for (const name of Object.keys(root.attrs)) root.delete_attribute(name);
    });
    check({});
  });
});

describe("shared messages that libhdf5 reads, deletes and adds to", { timeout: 60_000 }, () => {
  it.each([
    ["a list", 5, { listMax: 50, btreeMin: 40 }],
    ["a full list", 20, { listMax: 20, btreeMin: 15 }],
    ["a B-tree", 21, { listMax: 20, btreeMin: 15 }],
    ["a B-tree from the first on", 400, { listMax: 0, btreeMin: 0 }],
  ] as const)("%s", async (_, count, phases) => {
    const attributes = someIntegers(count, (i) => 3 + (i % 5));
    const stored = await libhdf5(sharedAttributesFile(attributes, phases));
    stored.open("r", (root) => {
      for (const [name, values] of Object.entries(attributes))
        expect([...(root.attrs[name]!.value as Int32Array)]).toEqual(values);
    });
    const names = Object.keys(attributes);
    stored.open("a", (root) => {
      for (const name of names.slice(0, count / 2)) expect(root.delete_attribute(name)).toBe(0);
    });
    // Deleting and adding in one go damages the header, of files of libhdf5 2.0.0's own too.
    stored.open("a", (root) => {
      for (let i = 0; i < 8; i++) root.create_attribute(`added ${i}`, Int32Array.of(i, i));
    });
    stored.open("r", (root) => {
      expect(Object.keys(root.attrs)).toHaveLength(names.length - Math.floor(count / 2) + 8);
      for (const name of names.slice(count / 2))
        expect([...(root.attrs[name]!.value as Int32Array)]).toEqual(attributes[name]);
      for (let i = 0; i < 8; i++) expect([...(root.attrs[`added ${i}`]!.value as Int32Array)]).toEqual([i, i]);
    });
  });
});

describe("symbol tables that libhdf5 reads and adds to", () => {
  it.each([0, 1, 8, 9, 1000])("of %i links", async (count) => {
    const links = Object.fromEntries(Array.from({ length: count }, (_, i) => [`link ${i}`, "t".repeat(1 + (i % 40))]));
    const stored = await libhdf5(symbolTableFile(links));
    stored.open("r", (root) => {
      expect(root.keys().sort()).toEqual(Object.keys(links).sort());
      for (const [name, target] of Object.entries(links)) expect(root.get_link(name)).toBe(target);
    });
    stored.open("a", (root) => {
      for (let i = 0; i < 50; i++) root.create_soft_link("u".repeat(i + 1), `added ${i}`);
    });
    stored.open("r", (root) => {
      for (const [name, target] of Object.entries(links)) expect(root.get_link(name)).toBe(target);
      for (let i = 0; i < 50; i++) expect(root.get_link(`added ${i}`)).toBe("u".repeat(i + 1));
    });
  });
});
