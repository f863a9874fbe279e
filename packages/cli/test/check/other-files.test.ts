import { existsSync } from "node:fs";
import { bytesSource, NotFoundError } from "@h5/framing";
import type { ExternalSources } from "@h5/reader";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { checkFile, type Finding } from "../../src/index.ts";

/** The files of a folder of fixtures, but for those left out. */
function folder(name: string, ...without: readonly string[]): ExternalSources & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    open(file) {
      asked.push(file);
      const path = `${name}/${file}`;
      if (without.includes(file) || !existsSync(fixturePath(path))) return null;
      return { name: file, source: bytesSource(fixtureBytes(path)) };
    },
  };
}

async function about(structure: string, file: string, external: ExternalSources): Promise<Finding[]> {
  const name = file.split("/").at(-1)!;
  const findings = await checkFile(bytesSource(fixtureBytes(file)), { external, name });
  return findings.filter((finding) => finding.structure === structure);
}

describe("other files", () => {
  it("are those that links lead to, with the objects in them", async () => {
    const findings = await about("link message", "resolver/year.h5", folder("resolver", "side.h5"));
    expect(findings).toContainEqual({
      severity: "warning",
      structure: "link message",
      address: expect.any(Number),
      path: "/",
      message: 'no file "side.h5"',
    });
    const present = await about("link message", "resolver/year.h5", folder("resolver"));
    expect(present.map(({ message }) => message)).toContain('no object "/none" in the file "side.h5"');
    expect(present.map(({ message }) => message)).not.toContain('no file "side.h5"');
  });

  it("are those that raw data is in", async () => {
    const findings = await about("external file list", "external/raw.h5", folder("external"));
    expect(findings).toEqual([
      expect.objectContaining({ severity: "warning", path: "/missing", message: 'no file "missing.bin"' }),
    ]);
  });

  it("are those that virtual datasets are made of", async () => {
    const findings = await about("virtual mapping", "resolver/virtual.h5", folder("resolver"));
    expect(findings).toEqual([expect.objectContaining({ severity: "warning", message: 'no file "parts/2.h5"' })]);
    expect(await about("virtual mapping", "reader/virtual.h5", folder("reader"))).toEqual([]);
  });

  it("are asked for once, and not at all without a way to them", async () => {
    const external = folder("resolver");
    await about("virtual mapping", "resolver/many.h5", external);
    expect(new Set(external.asked).size).toBe(external.asked.length);
    const findings = await checkFile(bytesSource(fixtureBytes("resolver/many.h5")));
    expect(findings.filter(({ structure }) => structure === "virtual mapping")).toEqual([]);
  });

  it("may be refused, which is a finding", async () => {
    const external: ExternalSources = {
      open(file) {
        throw new NotFoundError(`${file} is somewhere else`);
      },
    };
    const findings = await about("external file list", "external/raw.h5", external);
    expect(findings).toContainEqual(expect.objectContaining({ message: "missing.bin is somewhere else" }));
  });
});
