import { readdirSync } from "node:fs";
import { bytesSource } from "@h5/framing";
import type { ExternalSources } from "@h5/reader";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { checkFile, type Finding } from "../../src/index.ts";

const FOLDER = "external";

/** Members that drivers have put files into, of which the one with the superblock is named. */
const DRIVEN = [
  "family-00000.h5f",
  "relatives-00000.h5f",
  "split-m.h5s",
  "parted-m.h5s",
  "multi-s.h5m",
  "latest-s.h5m",
  "mapped-s.h5m",
  "placed-s.h5m",
  "behind-s.h5m",
  "default-s.h5m",
  "tokens-s.h5m",
] as const;

/** The names that members are asked for by are those of files in the folder. */
function fileName(root: string, member: string): string {
  if (/^\d+$/.test(member)) return root.replace("00000", member.padStart(5, "0"));
  return member.replace("%s", root.replace(/-[a-z]\.h5[ms]$/, "")).replace(/\.h5$/, ".h5m");
}

interface Change {
  readonly file: string;
  /** New bytes; `undefined` for a file that is gone. */
  bytes(old: Uint8Array): Uint8Array<ArrayBuffer> | undefined;
}

/** What is found in a file of several, of which one may be changed. */
function check(root: string, change?: Change): Promise<Finding[]> {
  const bytesOf = (name: string): Uint8Array<ArrayBuffer> | undefined => {
    if (!readdirSync(fixturePath(FOLDER)).includes(name)) return undefined;
    const bytes = new Uint8Array(fixtureBytes(`${FOLDER}/${name}`));
    return change?.file === name ? change.bytes(bytes) : bytes;
  };
  const external: ExternalSources = {
    open(member) {
      const name = fileName(root, member);
      const bytes = bytesOf(name);
      return bytes === undefined ? null : { name, source: bytesSource(bytes) };
    },
  };
  return checkFile(bytesSource(bytesOf(root)!), { name: root, external, data: true });
}

const faults = (findings: readonly Finding[]): Finding[] => findings.filter(({ severity }) => severity === "error");
const member = (name: string, message: string): object =>
  expect.objectContaining({ structure: "driver member", message: `${JSON.stringify(name)}: ${message}` });

describe("a file that a driver has put into several", () => {
  it.each(DRIVEN)("is checked as a whole: %s", async (root) => {
    const findings = await check(root);
    expect(faults(findings)).toEqual([]);
    expect(findings.filter(({ structure }) => structure !== "unused space")).toEqual([]);
  });

  it.each(["family-00000.h5f", "split-m.h5s", "multi-s.h5m", "latest-s.h5m"])(
    "is not, without the others: %s",
    async (root) => {
      const findings = await checkFile(bytesSource(fixtureBytes(`${FOLDER}/${root}`)));
      expect(faults(findings)).toEqual([]);
      expect(findings).toContainEqual(expect.objectContaining({ structure: "driver information" }));
    },
  );

  it.each([
    ["family-00000.h5f", "family-00002.h5f", "2", 2000],
    ["relatives-00000.h5f", "relatives-00001.h5f", "1", 2000],
    ["split-m.h5s", "split-r.h5s", "%s-r.h5s", 7608],
    ["multi-s.h5m", "multi-b.h5m", "%s-b.h5m", 4360],
    ["latest-s.h5m", "latest-r.h5m", "%s-r.h5m", 7620],
  ])("has a member missing: %s without %s", async (root, file, name, size) => {
    const findings = await check(root, { file, bytes: () => undefined });
    expect(faults(findings)).toContainEqual(member(name, `the file is missing, which has ${size} bytes`));
  });

  it.each([
    ["family-00000.h5f", "family-00001.h5f", "1", 2000],
    ["relatives-00000.h5f", "relatives-00001.h5f", "1", 2000],
    ["split-m.h5s", "split-r.h5s", "%s-r.h5s", 7608],
    ["latest-s.h5m", "latest-r.h5m", "%s-r.h5m", 7620],
  ])("has a member that is short: %s with %s", async (root, file, name, size) => {
    const findings = await check(root, { file, bytes: (old) => old.slice(0, 1000) });
    expect(findings).toContainEqual(member(name, `expected a file of ${size} bytes, got 1000`));
    const beyond = expect.stringContaining(`beyond the end of the member ${JSON.stringify(name)} at `);
    expect(faults(findings)).toContainEqual(expect.objectContaining({ message: beyond }));
  });

  it("has bytes behind the end of a member", async () => {
    const findings = await check("split-m.h5s", {
      file: "split-r.h5s",
      bytes: (old) => new Uint8Array([...old, 1, 2, 3]),
    });
    expect(findings).toEqual([
      expect.objectContaining({
        severity: "warning",
        message: '"%s-r.h5s": the file ends at 7608, and 3 more bytes follow',
      }),
    ]);
  });

  it.each([
    ["a family", "family-00000.h5f", "family-00004.h5f"],
    ["a split file", "split-m.h5s", "split-m.h5s"],
  ])("has damage in a member: %s", async (_, root, file) => {
    const flip = (old: Uint8Array): Uint8Array<ArrayBuffer> =>
      new Uint8Array(old).map((byte, i) => (i > 200 && i % 64 < 8 ? byte ^ 0xff : byte));
    expect(faults(await check(root, { file, bytes: flip })).length).toBeGreaterThan(0);
  });

  it("names a member of a multi file without which nothing is known of the others", async () => {
    const findings = await check("latest-s.h5m", { file: "latest-o.h5m", bytes: () => undefined });
    expect(faults(findings)).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("superblock extension") }),
    );
  });
});
