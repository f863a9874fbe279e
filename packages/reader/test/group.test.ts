import { lookup3 } from "@h5/framing";
import { countingSource, fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type Group, open, type Visited } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

async function visited(group: Group): Promise<Visited[]> {
  const found: Visited[] = [];
  for await (const child of group.visit()) found.push(child);
  return found;
}

/** Finds the headers and their continuations, up to their checksums; what is given puts those right. */
function summed(bytes: Buffer): () => void {
  const starts = [...bytes.toString("latin1").matchAll(/OHDR|OCHK/g)].map(({ index }) => index);
  const parts = starts.map((start) => {
    let end = start + 4;
    while (lookup3(bytes.subarray(start, end)) !== bytes.readUInt32LE(end)) end++;
    return { start, end };
  });
  return () => {
    for (const { start, end } of parts) bytes.writeUInt32LE(lookup3(bytes.subarray(start, end)), end);
  };
}

describe("links", () => {
  it("of a symbol table come in byte order, none followed", async () => {
    const file = await openFixture("soft-links");
    const inner = await file.group("a/b");
    expect(inner.linkStorage).toBe("symtab");
    expect(await inner.links()).toEqual([
      { name: "absolute", type: "soft", target: "/a/b/data" },
      { name: "data", type: "hard", address: (await inner.get("data")).address },
      { name: "relative", type: "soft", target: "data" },
      { name: "upward", type: "soft", target: "../b/./data" },
    ]);
  });

  it("in messages come in byte order where no order is tracked", async () => {
    const file = await openFixture("links");
    expect(file.linkStorage).toBe("compact");
    const group = await file.get("group");
    expect(await file.links()).toEqual([
      { name: "__proto__", type: "hard", address: (await file.get("__proto__")).address },
      { name: "alias", type: "hard", address: (await file.get("group/data")).address },
      { name: "circle", type: "soft", target: "/circle" },
      { name: "dangling", type: "soft", target: "/nothing/here" },
      { name: "elsewhere", type: "external", file: "other.h5", target: "/data" },
      { name: "group", type: "hard", address: group.address },
      { name: "soft", type: "soft", target: "group/./data" },
    ]);
  });

  it("in messages come in the order they were made where that is tracked and indexed", async () => {
    const file = await openFixture("ordered");
    expect(file.linkStorage).toBe("compact");
    expect(await file.keys()).toEqual(["zulu", "alpha", "mike", "far", "beyond"]);
    expect((await file.links()).map(({ creationOrder }) => creationOrder)).toEqual([0, 1, 2, 3, 4]);
  });

  it("beyond limits.objects are refused", async () => {
    const file = await openFixture("ordered", { limits: { objects: 4 } });
    await expect(file.links()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "objects", path: "/" });
  });
});

describe("children", () => {
  it("are the links, with the objects of hard ones", async () => {
    const file = await openFixture("links");
    const children = await file.children();
    expect(children.map(({ path, object }) => [path, object?.kind])).toEqual([
      ["/__proto__", "datatype"],
      ["/alias", "dataset"],
      ["/circle", undefined],
      ["/dangling", undefined],
      ["/elsewhere", undefined],
      ["/group", "group"],
      ["/soft", undefined],
    ]);
  });

  it("are isolated: one with a damaged header carries its error, the others open", async () => {
    const { address } = await (await openFixture("storage")).get("contiguous");
    const bytes = bytesOf("storage");
    bytes[address] = 0xee;
    const file = await open(bytes);
    const children = await file.children();
    const broken = children.filter(({ error }) => error !== undefined);
    expect(broken.map(({ link, object, error }) => [link.name, object, error?.code, error?.address])).toEqual([
      ["contiguous", undefined, "INVALID_FIELD", address],
    ]);
    expect(children.length - broken.length).toBe(10);
    expect(children.every(({ object, error }) => (object === undefined) === (error !== undefined))).toBe(true);
  });

  it("have their headers read together", async () => {
    const source = countingSource(bytesOf("storage"));
    const file = await open(source, { cache: false });
    source.reset();
    await file.links();
    const listing = source.requests;
    source.reset();
    await file.children();
    // The links once more, then all 11 headers in one request, and what goes on elsewhere of them in another.
    expect(source.requests).toBe(listing + 2);
  });
});

describe("visit", () => {
  it("gives everything below by every path, and enters no ancestor", async () => {
    const file = await openFixture("links");
    expect((await visited(file)).map(({ path, object, cycle }) => [path, object?.kind, cycle])).toEqual([
      ["/__proto__", "datatype", false],
      ["/alias", "dataset", false],
      ["/circle", undefined, false],
      ["/dangling", undefined, false],
      ["/elsewhere", undefined, false],
      ["/group", "group", false],
      ["/group/data", "dataset", false],
      ["/group/up", "group", true],
      ["/soft", undefined, false],
    ]);
  });

  it("shows one object by two paths at one address", async () => {
    const found = await visited(await openFixture("links"));
    const addressAt = (path: string): number | undefined => found.find((child) => child.path === path)?.object?.address;
    expect(addressAt("/alias")).toBe(addressAt("/group/data"));
    expect(addressAt("/alias")).toBeDefined();
  });

  it("begins at any group", async () => {
    const group = await (await openFixture("soft-links")).group("a");
    expect((await visited(group)).map(({ path }) => path)).toEqual([
      "/a/b",
      "/a/b/absolute",
      "/a/b/data",
      "/a/b/relative",
      "/a/b/upward",
    ]);
  });

  it("gives a group whose links cannot be read with the error, and goes on", async () => {
    const bytes = bytesOf("soft-links");
    // The second symbol table node is that of /a.
    const nodes = [...Buffer.from(bytes).toString("latin1").matchAll(/TREE/g)].map(({ index }) => index);
    bytes[nodes[1]!] = 0x74;
    const found = await visited(await open(bytes));
    const broken = found.filter(({ error }) => error !== undefined);
    expect(broken.map(({ path, object, error }) => [path, object?.kind, error?.code])).toEqual([
      ["/a", "group", "INVALID_FIELD"],
    ]);
    expect(found.at(-1)!.path).toBe("/pong");
  });

  it("goes on past a link without an object, which is listed as libhdf5 lists it", async () => {
    const bytes = Buffer.from(bytesOf("soft-links"));
    const { address } = await (await open(bytes)).get("a/b/data");
    const at = bytes.indexOf(Buffer.from(BigUint64Array.of(BigInt(address)).buffer), bytes.indexOf("SNOD"));
    bytes.fill(0xff, at, at + 8);
    const file = await open(bytes);
    expect((await (await file.group("a/b")).links())[1]).toEqual({ name: "data", type: "hard", address: undefined });
    await expect(file.get("a/b/data")).rejects.toMatchObject({ code: "INVALID_FIELD", path: "a/b/data" });
    const found = await visited(file);
    expect(found.map(({ path }) => path)).toEqual(
      (await visited(await openFixture("soft-links"))).map(({ path }) => path),
    );
    expect(found.flatMap(({ path, error }) => (error === undefined ? [] : [[path, error.code]]))).toEqual([
      ["/a/b/data", "INVALID_FIELD"],
    ]);
  });

  it("of a group that has a symbol table too are its links all the same", async () => {
    const bytes = Buffer.from(fixtureBytes("completeness/filtered-heap.h5"));
    const keys = await (await (await open(bytes)).group("few")).keys();
    const sumAgain = summed(bytes);
    // The attribute info of the group, which begins behind its header's pipeline.
    bytes[bytes.indexOf(Buffer.of(0x15, 0x12, 0, 4))] = 0x11;
    sumAgain();
    const group = await (await open(bytes)).group("few");
    expect(group.linkStorage).toBe("dense");
    expect(await group.keys()).toEqual(keys);
  });

  it("lists link messages that lead nowhere, and the others", async () => {
    const bytes = Buffer.from(bytesOf("ordered"));
    const sumAgain = summed(bytes);
    bytes.fill(0xff, bytes.indexOf("mike") + 4, bytes.indexOf("mike") + 12);
    bytes[bytes.indexOf("other.h5") - 1] = 0x10;
    sumAgain();
    const file = await open(bytes);
    const links = await file.links();
    expect([...links].sort((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      { name: "alpha", type: "hard" },
      { name: "beyond", type: "user", class: 64 },
      { name: "far", type: "soft" },
      { name: "mike", type: "hard", address: undefined },
      { name: "zulu", type: "hard" },
    ]);
    await expect(file.get("mike")).rejects.toMatchObject({ code: "INVALID_FIELD" });
    await expect(file.get("beyond")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await file.group("far")).toMatchObject({ kind: "group" });
  });

  it("ends with an error at limits.objects", async () => {
    const file = await openFixture("links", { limits: { objects: 8 } });
    await expect(visited(file)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "objects" });
  });

  it("rejects with the reason of an abort", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const walk = (await openFixture("links")).visit({ signal: controller.signal });
    await walk.next();
    controller.abort(reason);
    const rest = (async (): Promise<void> => {
      for await (const _ of walk);
    })();
    await expect(rest).rejects.toBe(reason);
  });
});

describe("objects", () => {
  it("are dereferenced at the addresses that references hold", async () => {
    const file = await openFixture("references");
    const { data } = await (await file.dataset("objects")).get();
    const [grid, group, nothing] = data as { address: number }[];
    const object = await file.dereference(grid as never);
    expect([object.kind, object.address, object.path]).toEqual([
      "dataset",
      (await file.get("grid")).address,
      undefined,
    ]);
    expect((await file.dereference(group as never)).kind).toBe("group");
    await expect(file.dereference(nothing as never)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("dangling, are typed errors", async () => {
    const file = await openFixture("references");
    await expect(file.dereference({ kind: "object", address: 9 } as never)).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    await expect(file.dereference({ kind: "object", address: 2 ** 40 } as never)).rejects.toMatchObject({
      code: "UNEXPECTED_EOF",
    });
  });

  it("have a comment and a time where the file keeps them", async () => {
    const file = await openFixture("links");
    const data = await file.get("group/data");
    expect([data.comment, data.modified]).toEqual([undefined, undefined]);
  });
});

describe("a committed datatype", () => {
  it("is an object with attributes", async () => {
    const type = await (await openFixture("links")).get("__proto__");
    expect(type).toMatchObject({ kind: "datatype", dtype: "compound", path: "/__proto__" });
    expect(await type.attrs.get("constructor")).toBe(1);
  });
});
