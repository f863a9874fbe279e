import type { Reference, RegionReference } from "@h5/datatypes";
import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type H5File, open } from "../../src/index.ts";
import { expectedOf, folderOf, readingOf } from "./folder.ts";

/** Roots of files that drivers have put into several, what libhdf5 calls them, and the name of a member. */
const DRIVEN = [
  ["family-00000.h5f", "family-00000.h5f", (member: string) => `family-${member.padStart(5, "0")}.h5f`],
  ["relatives-00000.h5f", "relatives-00000.h5f", (member: string) => `relatives-${member.padStart(5, "0")}.h5f`],
  ["split-m.h5s", "split", (member: string) => member.replace("%s", "split")],
  ["parted-m.h5s", "parted", (member: string) => member.replace("%s", "parted")],
  ["multi-s.h5m", "multi", (member: string) => member.replace("%s", "multi")],
  ["latest-s.h5m", "latest", (member: string) => member.replace("%s", "latest")],
  ["mapped-s.h5m", "mapped", (member: string) => member.replace("%s", "mapped")],
  ["placed-s.h5m", "placed", (member: string) => member.replace("%s", "placed")],
  ["behind-s.h5m", "behind", (member: string) => member.replace("%s", "behind")],
  ["default-s.h5m", "default", (member: string) => member.replace("%s", "default").replace(/\.h5$/, ".h5m")],
] as const;

function openDriven(root: string, nameOf: (member: string) => string): Promise<H5File> {
  const external = folderOf((member) => {
    try {
      return fixtureBytes(`external/${nameOf(member)}`);
    } catch {
      return undefined;
    }
  });
  return open(fixtureBytes(`external/${root}`), { name: root, external });
}

describe.each(DRIVEN)("%s", (root, name, nameOf) => {
  it.each(Object.entries(expectedOf(name)))("has %s as libhdf5 reads it", async (path, expected) => {
    const file = await openDriven(root, nameOf);
    expect(await readingAt(file, path)).toEqual(expected);
  });

  it("has references to its objects", async () => {
    const file = await openDriven(root, nameOf);
    const { data } = await (await file.dataset("g/ref")).get();
    expect(await file.pathOf(await file.dereference((data as never[])[0]!))).toBe("/whole");
  });
});

/** What there is at a path, or with `?region` what the file's region reference has of it. */
async function readingAt(file: H5File, path: string): Promise<object> {
  if (!path.endsWith("?region")) return await readingOf(await file.dataset(path));
  const [reference] = (await (await file.dataset("g/region")).get()).data as unknown as RegionReference[];
  const { dataset, selection } = await file.region(reference!);
  expect(await file.pathOf(dataset)).toBe(path.replace("?region", ""));
  const { data, shape } = await dataset.get(selection);
  return { data: Array.from(data as ArrayLike<unknown>), shape };
}

describe("a multi file", () => {
  it("has the references of HDF5 1.12 to its objects, regions and attributes", async () => {
    const file = await openDriven("tokens-s.h5m", (member) => member.replace("%s", "tokens"));
    const tokens = (await (await file.dataset("tokens")).get()).data as unknown as Reference[];
    expect(tokens.map(({ kind }) => kind)).toEqual(["object", "region", "attribute"]);
    for (const token of tokens) expect(await file.pathOf(await file.dereference(token))).toBe("/whole");
    const { dataset, selection } = await file.region(tokens[1] as RegionReference);
    expect((await dataset.get(selection)).data).toEqual(Int32Array.of(5, 6, 9, 10, 13, 14));
    expect(tokens[2]).toMatchObject({ name: "unit" });
  });

  it("of a later superblock is refused where the member that tells of the others is not found", async () => {
    const bytes = fixtureBytes("external/latest-s.h5m");
    const asked: string[] = [];
    const find = (member: string): undefined => void asked.push(member);
    await expect(open(bytes, { name: "latest-s.h5m", external: folderOf(find) })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining('"%s-o.h5m", "%s-o.h5"'),
    });
    expect(new Set(asked).size).toBe(10);
  });

  it("is refused where no member holds its first addresses", async () => {
    const bytes = fixtureBytes("external/split-m.h5s");
    // The driver information block has the members' addresses after its own head and the kinds.
    const first = Buffer.from(bytes).indexOf("NCSAmult") + 16;
    bytes[first + 4] = 1;
    const external = folderOf((member) => fixtureBytes(`external/${member.replace("%s", "split")}`));
    await expect(open(bytes, { name: "split-m.h5s", external })).rejects.toMatchObject({
      code: "INVALID_FIELD",
      structure: "multi driver",
    });
  });

  it("takes no other file for the member that tells of the others", async () => {
    const external = folderOf((member) => fixtureBytes(`external/${member.includes("-o") ? "raw.h5" : "raw-1.bin"}`));
    await expect(open(fixtureBytes("external/placed-s.h5m"), { external })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("a file in several", () => {
  const family = "family-00000.h5f";
  const member = (index: string): string => `family-${index.padStart(5, "0")}.h5f`;

  it("opens with its first member alone, and asks for the others as they are needed", async () => {
    const external = folderOf((index) => fixtureBytes(`external/${member(index)}`));
    const file = await open(fixtureBytes(`external/${family}`), { name: family, external, cache: { blockSize: 256 } });
    expect(external.asked).toEqual([]);
    await (await file.dataset("chunked")).get([0, 0]);
    expect(external.asked.length).toBeGreaterThan(0);
    expect(external.asked.length).toBeLessThan(7);
    expect(external.asked[0]).toMatchObject({ kind: "driver member", from: family });
  });

  it.each(DRIVEN)("%s without its members is refused", async (root) => {
    const bytes = fixtureBytes(`external/${root}`);
    await expect(open(bytes)).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    const file = open(bytes, { name: root, external: folderOf(() => undefined) });
    await expect(file.then((opened) => opened.dataset("whole")).then((dataset) => dataset.get())).rejects.toMatchObject(
      {
        code: "NOT_FOUND",
      },
    );
  });
});
