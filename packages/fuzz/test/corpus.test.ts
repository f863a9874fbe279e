import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram } from "@h5/testing/bundle";
import { describe, expect, it } from "vitest";
import { runMutants } from "../src/pool.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const corpus = join(import.meta.dirname, "../corpus");
const files = readdirSync(corpus).filter((name) => name.endsWith(".h5"));

describe("what the fuzzer has found", () => {
  const folder = temporaryFolder();

  it("gives values or typed errors, soon and in little memory", { timeout: 120_000 }, async () => {
    const worker = await bundleProgram(join(import.meta.dirname, "../src/worker.ts"), folder);
    const paths = files.map((name) => join(corpus, name));
    const { findings, mutants } = await runMutants({
      ...{ worker, folder, mode: "files", files: paths, seed: 0, count: paths.length },
    });
    expect(findings.map(({ kind, name, message }) => `${kind} in ${name}: ${message}`)).toEqual([]);
    expect(mutants).toBe(files.length);
  });
});
