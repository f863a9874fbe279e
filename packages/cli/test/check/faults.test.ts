import { bytesSource } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { checkFile } from "../../src/index.ts";
import { FAULTS } from "./faults.ts";
import { type Format, Planted, soundFile } from "./planted.ts";

describe.each<Format>(["earliest", "latest"])("%s", (format) => {
  const sound = soundFile(format);

  it("is sound before a fault is planted", async () => {
    expect(await checkFile(bytesSource(await sound), { data: true })).toEqual([]);
  });

  it.each(FAULTS)("finds $name", async ({ plant, data }) => {
    const file = await Planted.in(await sound, format);
    const expected = plant(file);
    const findings = await checkFile(bytesSource(file.bytes), { data });
    expect(findings).toContainEqual(expect.objectContaining(expected));
    if (expected.severity === "warning") expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});
