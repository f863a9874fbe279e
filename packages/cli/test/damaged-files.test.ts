import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fixtureBytes, fixturePath, flips, type Mutant, sample, truncations } from "@h5/testing";
import { bundleProgram } from "@h5/testing/bundle";
import { describe, expect, it } from "vitest";
import { checksummedBytes } from "./checksummed-bytes.ts";
import { DAMAGED, readDamaged } from "./damaged-files.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Milliseconds that no file of a few kilobytes may take. */
const SLOW = 2000;
const MINUTES = 180_000;
const bytesOf = (name: string): Uint8Array<ArrayBuffer> => fixtureBytes(`reader/${name}.h5`);

/** Reads every mutant; gives the places of those that were slow, or gave no error where one must be. */
async function faults(mutants: Iterable<Mutant>, mustFail: (at: number) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { at, bytes } of mutants) {
    const { errors, milliseconds } = await readDamaged(bytes);
    // Reads from memory leave no room for timers, and the test runner needs some.
    if (at % 100 === 0) await setImmediate();
    if (milliseconds > SLOW) found.push(`${at}: ${Math.round(milliseconds)} ms`);
    if (mustFail(at) && errors.length === 0) found.push(`${at}: read without an error`);
  }
  return found;
}

/** One bit of each byte flipped, the same one for the same seed. */
function* bitFlips(bytes: Uint8Array): Generator<Mutant> {
  for (const [at, bit] of sample(bytes.length, 8, 5).entries()) {
    const mutant = new Uint8Array(bytes);
    mutant[at]! ^= 1 << bit;
    yield { at, bytes: mutant };
  }
}

describe.each(DAMAGED)("%s", (name) => {
  const checked = checksummedBytes(bytesOf(name));

  it("is read without errors while it is whole", async () => {
    expect((await readDamaged(bytesOf(name))).errors).toEqual([]);
  });

  it("gives typed errors when it is cut at any byte", { timeout: MINUTES }, async () => {
    expect(await faults(truncations(bytesOf(name)), () => true)).toEqual([]);
  });

  it("gives a document or typed errors when any byte is inverted", { timeout: MINUTES }, async () => {
    expect(await faults(flips(bytesOf(name)), (at) => checked.has(at))).toEqual([]);
  });

  it("gives a document or typed errors when a bit of any byte is flipped", { timeout: MINUTES }, async () => {
    expect(await faults(bitFlips(bytesOf(name)), (at) => checked.has(at))).toEqual([]);
  });
});

describe("checksums", () => {
  it("cover most of the newer headers, and chunks with a sum", () => {
    expect(checksummedBytes(bytesOf("header-continuation")).size).toBeGreaterThan(1000);
    expect(checksummedBytes(bytesOf("four-byte-widths")).size).toBe(4 * 28);
    expect(checksummedBytes(bytesOf("superblock-0-deflate")).size).toBe(0);
  });
});

describe("memory", () => {
  const folder = temporaryFolder();

  it("stays below 256 MiB for all damaged files one after the other", { timeout: MINUTES }, async () => {
    const program = await bundleProgram(join(import.meta.dirname, "damaged-files-process.ts"), folder);
    const paths = DAMAGED.map((name) => fixturePath(`reader/${name}.h5`));
    const kibibytes = Number(execFileSync(process.execPath, ["--max-old-space-size=128", program, ...paths]));
    expect(kibibytes).toBeGreaterThan(0);
    expect(kibibytes).toBeLessThan(256 * 1024);
  });
});
