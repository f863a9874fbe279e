import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { externalSlots } from "../../src/stored.ts";
import { expectedOf, fixtures, openAmong, readingOf } from "./folder.ts";

describe("raw data in other files", () => {
  it.each(Object.entries(expectedOf("raw.h5")))("%s is read as libhdf5 reads it", async (path, expected) => {
    const dataset = await (await openAmong("raw.h5")).dataset(path);
    if (expected.error === undefined) expect(await readingOf(dataset)).toEqual(expected);
    else await expect(dataset.get()).rejects.toMatchObject({ code: "NOT_FOUND", path });
  });

  it("asks only for the files of the slots that are read", async () => {
    const external = fixtures();
    const file = await openAmong("raw.h5", { external });
    const dataset = await file.dataset("crossing");
    expect(await dataset.get([3])).toBe(3);
    expect(external.asked).toEqual([{ name: "raw-1.bin", kind: "raw data", from: "raw.h5" }]);
    // Half of this element is in either file.
    expect(await dataset.get([4])).toBe(4);
    expect(external.asked.map(({ name }) => name)).toEqual(["raw-1.bin", "raw-2.bin"]);
  });

  it("is told of without a resolver, and not read", async () => {
    const file = await open(fixtureBytes("external/raw.h5"));
    const dataset = await file.dataset("short");
    expect((await externalSlots(dataset)).map(({ offset, size }) => [offset, size])).toEqual([
      [3, 24],
      [2, 16],
    ]);
    await expect(dataset.get()).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE", path: "/short" });
  });
});
