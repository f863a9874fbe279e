import { readdirSync, readFileSync } from "node:fs";
import { bytesSource } from "@h5/framing";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { createFile } from "@h5/writer";
import { describe, expect, it } from "vitest";
import { checkFile } from "../../src/index.ts";

/** Fixtures with faults that libhdf5 or the scripts that made them put there. */
const FAULTY: Readonly<Record<string, readonly string[]>> = {
  // Lengths of 2 bytes cannot hold the 65536 of the largest direct block.
  "completeness/widths-2-2-latest.h5": ["fractal heap header", "fractal heap header"],
  "completeness/widths-4-2-latest.h5": ["fractal heap header", "fractal heap header"],
  "completeness/widths-8-2-latest.h5": ["fractal heap header", "fractal heap header"],
};

const names = readdirSync(fixturePath("."), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".h5"),
);

async function errorsOf(name: string, data: boolean): Promise<string[]> {
  const findings = await checkFile(bytesSource(new Uint8Array(readFileSync(fixturePath(name)))), { data });
  return findings.filter(({ severity }) => severity === "error").map(({ structure }) => structure);
}

describe("fixtures", () => {
  it.each(names)("%s has no errors but those known", async (name) => {
    const known = FAULTY[name.split("\\").join("/")] ?? [];
    expect(await errorsOf(name, true)).toEqual(known);
    expect(known).toEqual(expect.arrayContaining(await errorsOf(name, false)));
  });
});

describe("checkFile", () => {
  it("takes a file that is being written to, or was left so, for sound", async () => {
    const findings = await checkFile(bytesSource(fixtureBytes("check/growing.unclosed")), { data: true });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(findings[0]).toMatchObject({ structure: "superblock", message: "marked as open for writing" });
  });

  it("refuses what is no HDF5 file", async () => {
    await expect(checkFile(bytesSource(new Uint8Array(5000)))).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("warns of a reference that leads nowhere where it may never have been written", async () => {
    const findings = await checkFile(bytesSource(fixtureBytes("completeness/regions.h5")), { data: true });
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: "warning", structure: "reference", path: "/objects" }),
    );
  });

  it("knows the heaps of elements that it does not read, wherever they begin", async () => {
    const names = Array.from({ length: 16 }, (_, i) => "name".padEnd(4 + i, "x"));
    for (const name of names) {
      const file = createFile();
      file.dataset(name, ["a", "b"]);
      expect(await checkFile(bytesSource(await file.encode()))).toEqual([]);
    }
  });

  it("ends with the signal's reason", async () => {
    const signal = AbortSignal.abort("enough");
    const source = bytesSource(fixtureBytes("reader/weather.h5"));
    await expect(checkFile(source, { signal })).rejects.toBe("enough");
  });

  it("goes on past a superblock whose checksum alone is wrong", async () => {
    const bytes = fixtureBytes("reader/ordered.h5");
    bytes[44]! ^= 1;
    const findings = await checkFile(bytesSource(bytes));
    expect(findings[0]).toMatchObject({ severity: "error", structure: "superblock", address: 0 });
    expect(findings.filter(({ severity }) => severity === "error")).toHaveLength(1);
  });

  it("gives one finding for a superblock that says nothing", async () => {
    const bytes = fixtureBytes("reader/superblock-0-deflate.h5");
    bytes[13] = 9;
    expect(await checkFile(bytesSource(bytes))).toEqual([
      {
        severity: "error",
        structure: "superblock",
        address: 13,
        path: undefined,
        message: "size of offsets 9, expected 2, 4 or 8",
      },
    ]);
  });

  it("takes an end of file beyond 2^53 for one that is not there", async () => {
    const bytes = fixtureBytes("reader/superblock-0-deflate.h5");
    bytes.fill(0xee, 40, 48);
    const findings = await checkFile(bytesSource(bytes));
    expect(findings).toContainEqual(expect.objectContaining({ severity: "warning", structure: "superblock" }));
  });

  it.each(["header-continuation", "superblock-0-deflate", "vlen-strings"])(
    "gives findings whatever the bytes of %s",
    async (name) => {
      const bytes = fixtureBytes(`reader/${name}.h5`);
      for (let at = 64; at < bytes.length; at += 13) {
        const mutant = new Uint8Array(bytes);
        mutant[at]! ^= 0xff;
        expect(await checkFile(bytesSource(mutant), { data: true })).toBeInstanceOf(Array);
      }
    },
  );
});
