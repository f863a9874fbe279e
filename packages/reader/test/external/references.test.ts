import type { ObjectReference, Reference, RegionReference, StructArray } from "@h5/datatypes";
import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type Dataset, type H5File, open } from "../../src/index.ts";
import { expectedOf, folderOf, openAmong, readingOf } from "./folder.ts";

/** What libhdf5 reads in the file of the references; the one they are read through has /wrong at the address of /right. */
const referred = expectedOf("referred.h5");
const FROM = "referred.h5";

async function valuesOf(file: H5File, path: string): Promise<unknown> {
  return (await (await file.dataset(path)).get()).data;
}

async function expectObjects(file: H5File, references: readonly (Reference | null)[], paths: (string | null)[]) {
  const found = references.map(async (reference) => {
    if (reference === null) return null;
    const object = await file.dereference(reference);
    const path = await file.pathOf(object);
    expect(await file.pathOf(reference)).toBe(path);
    expect(object.from).toBe(reference.from);
    if (referred[path] !== undefined) expect(await readingOf(object as Dataset)).toEqual(referred[path]);
    return path;
  });
  expect(await Promise.all(found)).toEqual(paths);
}

async function expectRegion(file: H5File, reference: RegionReference | null, name: string) {
  const { dataset, selection } = await file.region(reference);
  const { data, shape } = await dataset.get(selection);
  expect({ data: Array.from(data as Int32Array), shape }).toEqual(referred[`/right?${name}`]);
}

describe.each([
  ["through an external link", "there/"],
  ["through a virtual dataset", ""],
])("references read %s", (_, folder) => {
  it("lead to objects of their own file", async () => {
    const file = await openAmong("references.virtual");
    const objects = (await valuesOf(file, `${folder}objects`)) as (ObjectReference | null)[];
    expect(objects[0]).toMatchObject({ kind: "object", from: FROM });
    await expectObjects(file, objects.slice(0, 3), ["/right", "/own", null]);
  });

  it("lead to regions of their own file", async () => {
    const file = await openAmong("references.virtual");
    const regions = (await valuesOf(file, `${folder}regions`)) as (RegionReference | null)[];
    expect(regions[1]).toBeNull();
    await expectRegion(file, regions[0]!, "regions");
  });

  it("do so in lists, and in records with arrays", async () => {
    const file = await openAmong("references.virtual");
    const lists = (await valuesOf(file, `${folder}lists`)) as (Reference | null)[][];
    await expectObjects(file, lists.slice(0, 3).flat(), ["/right", "/right", "/own"]);
    const records = (await valuesOf(file, `${folder}records`)) as StructArray;
    const row = records.at(1) as { object: Reference; region: RegionReference; array: Reference[] };
    await expectObjects(file, [row.object, ...row.array], ["/right", "/right", "/own"]);
    await expectRegion(file, row.region, "records");
    const first = records.at(0) as { number: number; region: null; array: (Reference | null)[] };
    expect([first.number, first.region]).toEqual([3, null]);
    await expectObjects(file, first.array, [null, "/own"]);
  });

  it("are plain objects, which may be copied and compared", async () => {
    const file = await openAmong("references.virtual");
    const read = async () => ((await valuesOf(file, `${folder}objects`)) as Reference[])[0]!;
    const reference = structuredClone(await read());
    expect(reference).toEqual(await read());
    await expectObjects(file, [reference], ["/right"]);
    // Also where nothing has led to that file yet.
    await expectObjects(await openAmong("references.virtual"), [reference], ["/right"]);
  });
});

describe("a reference from another file", () => {
  const foreign = { kind: "object", address: 800, from: FROM } as const;

  it("in an attribute leads to that file", async () => {
    const file = await openAmong("references.virtual");
    const { attrs } = await file.dataset("there/own");
    await expectObjects(file, [(await attrs.get("object")) as Reference], ["/right"]);
    await expectRegion(file, (await attrs.get("region")) as RegionReference, "region");
  });

  it("stands beside those of the file itself in a virtual dataset, and reads as it is in parts of it", async () => {
    const file = await openAmong("references.virtual");
    const own = await (await file.dataset("objects")).get([3]);
    expect(own).toEqual({ kind: "object", address: expect.any(Number) });
    expect(await file.pathOf(await file.dereference(own as unknown as Reference))).toBe("/wrong");
    const right = (await (await file.dataset("objects")).get([0])) as unknown as Reference;
    expect(right.address).toBe((own as unknown as Reference).address);
    await expectObjects(file, [right], ["/right"]);
    expect((await (await file.dataset("records")).get([2])) as unknown).toMatchObject({ number: 0, object: null });
  });

  it("is followed in its own file where that is the one that is opened", async () => {
    const file = await openAmong(FROM);
    const [right] = (await valuesOf(file, "objects")) as Reference[];
    expect(right).toEqual({ kind: "object", address: right!.address });
    await expectObjects(file, [right!], ["/right"]);
    expect(await file.pathOf({ ...right!, from: FROM })).toBe("/right");
  });

  it("is refused where that file cannot be had", async () => {
    const bytes = fixtureBytes("external/references.virtual");
    await expect((await open(bytes)).dereference(foreign)).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    const none = await open(bytes, { external: folderOf(() => undefined) });
    await expect(none.dereference(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(none.pathOf(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
    // A name that means another file is not taken for it.
    const other = await open(bytes, {
      external: { open: () => ({ name: "elsewhere/referred.h5", source: { slice: () => new Uint8Array(0) } }) },
    });
    await expect(other.dereference(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("to a further file has that looked for from there", async () => {
    const external = folderOf((name) =>
      /^chain-b\.h5$|references-other/.test(name) ? fixtureBytes("completeness/references.h5") : undefined,
    );
    const file = await open(fixtureBytes("external/chain-a.h5"), { name: "chain-a.h5", external });
    const references = (await valuesOf(file, "file/references")) as Reference[];
    expect(references.map((reference) => reference?.from)).toEqual([...new Array(7).fill("chain-b.h5"), undefined]);
    const last = references[6]!;
    expect(last.file).toMatch(/references-other\.h5$/);
    const there = await file.dereference(last);
    expect(external.asked.at(-1)).toEqual({ name: last.file, kind: "external link", from: "chain-b.h5" });
    expect([there.from, await file.pathOf(there)]).toEqual([last.file, "/data"]);
    expect(await file.pathOf(await file.dereference(references[0]!))).toBe("/data");
    const { dataset } = await file.region(references[2] as RegionReference);
    expect([dataset.from, await file.pathOf(dataset)]).toEqual(["chain-b.h5", "/data"]);
  });
});
