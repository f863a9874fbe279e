import { gunzipSync } from "node:zlib";
import { bytesSource } from "@h5/framing";
import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { checkFile } from "../../src/index.ts";
import { FAULTS } from "./faults/all.ts";
import type { Fault } from "./faults/fault.ts";
import { STRUCTURE_FAULTS } from "./faults/structures.ts";
import { type Format, Planted, soundFile } from "./planted.ts";

/** Plants a fault, which must be found; a warning must not come with errors. */
async function plantAndFind({ plant, data }: Fault, file: Planted): Promise<void> {
  const expected = plant(file);
  const findings = await checkFile(bytesSource(file.bytes), { data });
  expect(findings).toContainEqual(expect.objectContaining(expected));
  if (expected.severity === "warning") expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
}

describe.each<Format>(["earliest", "latest"])("%s", (format) => {
  const sound = soundFile(format);

  it("is sound before a fault is planted", async () => {
    expect(await checkFile(bytesSource(await sound), { data: true })).toEqual([]);
  });

  it.each(FAULTS)("finds $name", async (fault) => {
    await plantAndFind(fault, await Planted.in(await sound, format));
  });
});

describe.each(STRUCTURE_FAULTS)("$name", (fault) => {
  it.each(fault.fixtures)("is found in %s", async (fixture) => {
    const stored = fixtureBytes(fixture);
    const bytes = new Uint8Array(fixture.endsWith(".gz") ? gunzipSync(stored) : stored);
    await plantAndFind(fault, await Planted.in(bytes, bytes[8]! < 2 ? "earliest" : "latest"));
  });
});
