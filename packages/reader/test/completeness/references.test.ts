import type { Reference } from "@h5/datatypes";
import { describe, expect, it } from "vitest";
import { type H5File, open } from "../../src/index.ts";
import { bytesOf, json, openFixture } from "./fixture.ts";

type Selected = Readonly<Record<string, readonly number[]>>;
type Region = Parameters<H5File["region"]>[0];

async function referencesIn<T extends Reference>(file: H5File, name: string): Promise<(T | null)[]> {
  return (await (await file.dataset(name)).get()).data as unknown as (T | null)[];
}

describe("region references", () => {
  const selected = json<Selected>("regions.selected");

  it.each(Object.entries(selected).map(([name, values], i) => ({ name, values, i })))(
    "to $name of filtered chunks read what libhdf5 reads through them",
    async ({ values, i }) => {
      const file = await openFixture("regions");
      const [reference] = (await referencesIn<Exclude<Region, null>>(file, "references")).slice(i);
      const { dataset, selection } = await file.region(reference!);
      expect(await file.pathOf(dataset)).toBe("/data");
      const { data, shape } = await dataset.get(selection);
      expect([Array.from(data as Uint16Array), shape]).toEqual([values, [values.length]]);
    },
  );

  it("to nothing are null", async () => {
    const file = await openFixture("regions");
    const references = await referencesIn<Exclude<Region, null>>(file, "references");
    expect(references.at(-1)).toBeNull();
    await expect(file.region(null)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("object references", () => {
  it("lead to datasets, groups and datatypes, whose first path is theirs", async () => {
    const file = await openFixture("regions");
    const [data, root, type] = await referencesIn(file, "objects");
    const found = await Promise.all([data, root, type].map((reference) => file.dereference(reference!)));
    expect(found.map(({ kind }) => kind)).toEqual(["dataset", "group", "datatype"]);
    expect(await Promise.all(found.map((object) => file.pathOf(object)))).toEqual(["/data", "/", "/type"]);
    // Reached without a path, an object has none, and relative paths begin at it all the same.
    expect(found[1]!.path).toBeUndefined();
    if (found[1]!.kind === "group") expect((await found[1]!.get("data")).address).toBe(found[0]!.address);
  });

  it("to an object that is damaged have its path all the same", async () => {
    const bytes = bytesOf("regions");
    const { address } = await (await open(bytes)).get("type");
    bytes[address] = 99;
    const file = await open(bytes);
    await expect(file.get("type")).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect(await file.pathOf((await referencesIn(file, "objects"))[2]!)).toBe("/type");
  });

  it("to addresses that no file has lead nowhere, beside others that do", async () => {
    const bytes = bytesOf("regions");
    const { layout } = await (await open(bytes)).dataset("objects");
    const at = layout.class === "contiguous" ? layout.address! : 0;
    new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(at, 0xdeadbeefcafe1234n, true);
    const file = await open(bytes);
    const [nowhere, root] = await referencesIn(file, "objects");
    expect(nowhere).toEqual({ kind: "object", address: Number(0xdeadbeefcafe1234n) });
    await expect(file.dereference(nowhere!)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    await expect(file.pathOf(nowhere!)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await file.dereference(root!)).kind).toBe("group");
  });

  it("to an object that was deleted are refused", async () => {
    const file = await openFixture("regions");
    const deleted = (await referencesIn(file, "objects"))[3]!;
    await expect(file.dereference(deleted)).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("to where there is no object are typed errors, and so is null", async () => {
    const file = await openFixture("regions");
    const [data] = await referencesIn(file, "objects");
    await expect(file.dereference(null)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const at = (address: number): Promise<unknown> => file.dereference({ ...data!, address } as Reference);
    await expect(at(data!.address + 8)).rejects.toMatchObject({ code: "INVALID_FIELD", address: data!.address + 8 });
    await expect(at(2 ** 40)).rejects.toMatchObject({ code: "UNEXPECTED_EOF" });
  });
});

describe("the references of HDF5 1.12", () => {
  const selected = json<Selected>("references.selected");

  it("are told apart by kind, with attribute names, files, and null", async () => {
    const file = await openFixture("references");
    const references = await referencesIn(file, "references");
    expect(references.map((reference) => reference?.kind)).toEqual([
      "object",
      "object",
      "region",
      "region",
      "region",
      "attribute",
      "object",
      undefined,
    ]);
  });

  it("lead to objects, regions and attributes", async () => {
    const file = await openFixture("references");
    const references = await referencesIn(file, "references");
    const [data, group] = await Promise.all(references.slice(0, 2).map((reference) => file.dereference(reference!)));
    expect([await file.pathOf(data!), await file.pathOf(group!)]).toEqual(["/data", "/group"]);
    for (const [i, values] of Object.values(selected).entries()) {
      const { dataset, selection } = await file.region(references[2 + i] as Exclude<Region, null>);
      expect(Array.from((await dataset.get(selection)).data as Uint16Array)).toEqual(values);
    }
    const attribute = references[5] as Reference & { kind: "attribute" };
    const owner = await file.dereference(attribute);
    expect([owner.address, await owner.attrs.get(attribute.name)]).toEqual([data!.address, "K"]);
  });

  it("to another file are not taken for ones to this", async () => {
    const file = await openFixture("references");
    const [elsewhere] = (await referencesIn(file, "references")).slice(6);
    expect(elsewhere!.file).toMatch(/references-other\.h5$/);
    await expect(file.dereference(elsewhere!)).rejects.toMatchObject({
      code: expect.stringMatching(/^(NOT_FOUND|UNSUPPORTED_FEATURE)$/),
    });
  });
});
