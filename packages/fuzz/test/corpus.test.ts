import { join } from "node:path";
import { bundleProgram } from "@h5/testing/bundle";
import { describe, expect, it } from "vitest";
import { runMutants } from "../src/pool.ts";
import { findingsIn } from "../src/seeds.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const files = findingsIn(join(import.meta.dirname, "../corpus"));
const fixtures = join(import.meta.dirname, "../../../fixtures");

describe("what the fuzzer has found", () => {
  const folder = temporaryFolder();

  it("gives values or typed errors, soon and in little memory", { timeout: 120_000 }, async () => {
    const worker = await bundleProgram(join(import.meta.dirname, "../src/worker.ts"), folder);
    const { findings, mutants } = await runMutants({
      ...{ worker, folder, fixtures, mode: "files", files, seed: 0, count: files.length },
    });
    expect(findings.map(({ kind, name, message }) => `${kind} in ${name}: ${message}`)).toEqual([]);
    expect(mutants).toBe(files.length);
  });
});
