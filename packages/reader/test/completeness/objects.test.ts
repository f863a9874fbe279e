import { describe, expect, it } from "vitest";
import { type Group, open } from "../../src/index.ts";
import { bytesOf, expectedOf, json, openFixture, packedBytes, plain, plainData } from "./fixture.ts";

const order = json<string[]>("dense.order");

describe("dense links", () => {
  it("come in the order they were made where the group indexes it, else by name", async () => {
    const file = await openFixture("dense");
    expect(await (await file.group("ordered")).keys()).toEqual([...order, "ordered"]);
    expect(await (await file.group("tracked")).keys()).toEqual([...order].sort());
    expect(await (await file.group("plain")).keys()).toEqual([...order].sort());
  });

  it("are found by name, and those that were removed are not", async () => {
    const file = await openFixture("dense");
    for (const name of ["ordered", "tracked", "plain"]) {
      const group = await file.group(name);
      expect(group.linkStorage).toBe("dense");
      const links = new Map((await group.links()).map((link) => [link.name, link]));
      for (const link of order)
        expect(links.get(link)).toMatchObject({ type: "soft", target: expect.stringMatching(/^\/target \d+$/) });
      await expect(group.get("name 15")).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    // The only one that leads anywhere leads back.
    expect((await file.get("ordered/ordered/ordered")).address).toBe((await file.get("ordered")).address);
  });
});

describe("dense attributes", () => {
  it("come in the order they were made where it is tracked, else by name", async () => {
    const file = await openFixture("dense");
    expect(await (await file.group("ordered")).attrs.names()).toEqual(order);
    expect(await (await file.group("tracked")).attrs.names()).toEqual(order);
    expect(await (await file.group("plain")).attrs.names()).toEqual([...order].sort());
  });

  it("have the values they were given, all at once and by name", async () => {
    const file = await openFixture("dense");
    const made = new Map(Array.from({ length: 60 }, (_, i) => [`name ${String((i * 37) % 61).padStart(2, "0")}`, i]));
    for (const name of ["ordered", "tracked", "plain"]) {
      const { attrs } = await file.group(name);
      const all = await attrs.toObject();
      for (const attribute of order) {
        expect(all[attribute]).toBe(made.get(attribute));
        expect(await attrs.get(attribute)).toBe(made.get(attribute));
      }
      expect(await attrs.has("name 15")).toBe(false);
    }
  });
});

describe("attributes", () => {
  it("of more than 64 KiB are whole", async () => {
    const { attrs } = await open(packedBytes("huge-attribute"));
    for (const size of [65536, 100000, 300000]) {
      const value = (await attrs.get(`of ${size}`)) as Uint8Array;
      expect([value.length, value.every((byte, i) => byte === i % 251)]).toEqual([size, true]);
    }
    expect(await attrs.get("small")).toBe("beside them");
    expect((await attrs.names()).length).toBe(4);
  });

  it.each(["committed-earliest", "committed-latest"])(
    "have a committed datatype, compact and dense: %s",
    async (name) => {
      const file = await openFixture(name);
      expect(plain(await file.attrs.get("pair"))).toEqual([
        { x: 1.5, y: 2 },
        { x: -3, y: 4 },
      ]);
      const type = await file.get("type");
      for (let i = 0; i < 12; i++)
        expect(plain(await type.attrs.get(`pair ${i}`))).toEqual({ x: i, y: i === 0 ? 0 : -i });
    },
  );
});

describe.each(["shared-list", "shared-trees"])("messages in the shared heap: %s", (name) => {
  it("are the dataspaces, datatypes, fill values and pipelines of datasets", async () => {
    const file = await openFixture(name);
    const expected = expectedOf(name);
    for (let i = 0; i < 6; i++) {
      const dataset = await file.dataset(`data ${i}`);
      expect([dataset.shape, dataset.dtype, dataset.filters.map(({ id }) => id)]).toEqual([[12, 10], "uint16", [2, 1]]);
      expect(await dataset.fillValue()).toBe(60000);
      expect(await plainData(dataset)).toEqual(expected[`/data ${i}`]!.data);
    }
  });

  it("are whole attributes, and the datatypes and dataspaces in them, compact and dense", async () => {
    const file = await openFixture(name);
    const expected = expectedOf(name);
    for (const path of ["data 0", "data 1", "data 5", "dense"]) {
      const { attrs } = await file.get(path);
      const wanted = expected[`/${path}`]!.attrs!;
      expect((await attrs.names()).sort()).toEqual(Object.keys(wanted).sort());
      for (const attribute of await attrs.list())
        expect(await plainData(attribute)).toEqual(wanted[attribute.name]!.data);
      for (const [key, { data }] of Object.entries(wanted))
        expect(await plainData(await attrs.attribute(key))).toEqual(data);
    }
  });

  it("may stand beside committed datatypes", async () => {
    const file = await openFixture(name);
    const [dataset, type] = [await file.dataset("committed"), await file.get("type")];
    expect([dataset.committedDatatype, dataset.dtype]).toEqual([type.address, "compound"]);
    expect((await file.dataset("data 0")).committedDatatype).toBeUndefined();
  });
});

describe.each(["names-earliest", "names-latest"])("objects with more than one name: %s", (name) => {
  it("are found by each path, and no circle is entered", async () => {
    const file = await openFixture(name);
    const seen: [string, boolean][] = [];
    for await (const { path, cycle } of file.visit()) seen.push([path!, cycle]);
    const below = (base: string): [string, boolean][] => [
      [`${base}/back to one`, base === "/one/two"],
      [`${base}/data`, false],
      [`${base}/itself`, true],
    ];
    expect(seen).toEqual([
      ["/data", false],
      ["/one", false],
      ["/one/two", false],
      ...below("/one/two"),
      ["/second name", false],
      ["/second name/back to one", false],
      ["/second name/back to one/two", true],
      ...below("/second name").slice(1),
      ["/single", false],
      ["/the root", true],
    ]);
  });

  it("say how many hard links lead to them", async () => {
    const file = await openFixture(name);
    for (const [path, count] of Object.entries(json<Record<string, Record<string, number>>>("names.counts")[name]!)) {
      expect([path, (await file.get(path)).linkCount]).toEqual([path, count]);
    }
  });

  it("have their comments, and the paths of hard links fold dots", async () => {
    const file = await openFixture(name);
    expect((await file.get("one")).comment).toBe("a comment, größer");
    expect((await file.get("/one/./two//data")).comment).toBe("on data");
    expect((await file.get("one/two/../two/itself/itself/../data")).address).toBe((await file.get("data")).address);
    expect(file.comment).toBeUndefined();
  });
});

describe("times", () => {
  it.each(["framing/times", "framing/times-latest"])("are told where they are kept: %s", async (name) => {
    const file = await openFixture(name);
    expect((await file.get("data")).modified).toBeInstanceOf(Date);
    expect((await openFixture("dense")).modified).toBeUndefined();
  });
});

describe("groups", () => {
  it("say what their creator expected of them, and when their links move", async () => {
    const file = await openFixture("framing/links");
    expect((await file.group("plain")).info).toEqual({
      linkPhaseChange: { maxCompact: 20, minDense: 10 },
      estimate: { entries: 9, nameLength: 30 },
    });
    expect((await openFixture("names-earliest")).info).toBeUndefined();
  });
});

describe("user-defined links", () => {
  it("stay visible with their class and value, and lead nowhere", async () => {
    for (const name of ["plain", "ordered"]) {
      const group: Group = await (await open(bytesOf("framing/links"))).group(name);
      const link = (await group.links()).find(({ type }) => type === "user");
      expect(link).toMatchObject({ name: "user", class: 77, value: Uint8Array.of(1, 2, 3) });
      await expect(group.get("user")).rejects.toMatchObject({ code: "NOT_FOUND" });
      for await (const { link: visited, object } of group.visit())
        if (visited.type === "user") expect(object).toBeUndefined();
    }
  });
});
