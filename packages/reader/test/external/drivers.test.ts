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
    expect(await readingOf(await file.dataset(path))).toEqual(expected);
  });

  it("has references to its objects", async () => {
    const file = await openDriven(root, nameOf);
    const { data } = await (await file.dataset("g/ref")).get();
    expect(await file.pathOf(await file.dereference((data as never[])[0]!))).toBe("/whole");
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
