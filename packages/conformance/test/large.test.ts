import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleProgram } from "@h5/testing/bundle";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "h5-large-"));
let program = "";

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, "large/process.ts"), folder);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** What a process of its own saw, whose memory is nothing but this. */
async function run(what: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, what]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("more than 2 GiB of one dataset", () => {
  it("are read at once, in the memory of the result and 64 MiB", async () => {
    const { good, aboveResultMib } = await run("whole");
    expect(good).toBe(true);
    expect(aboveResultMib).toBeLessThanOrEqual(64);
  }, 300_000);

  it.each(["contiguous", "chunked"])(
    "are gone through in less than 128 MiB, %s",
    async (layout) => {
      const { good, grownMib } = await run(layout);
      expect(good).toBe(true);
      expect(grownMib).toBeLessThanOrEqual(128);
    },
    300_000,
  );
});
