import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCases } from "../src/pool.ts";

const folder = mkdtempSync(join(tmpdir(), "h5-pool-"));
const worker = join(folder, "worker.mjs");

beforeAll(() => {
  writeFileSync(
    worker,
    `process.on("message", ({ file }) => {
      if (file === "hang") for (;;);
      if (file === "crash") process.abort();
      if (file === "grow") for (const all = []; ; ) all.push(new Array(1e5).fill(all.length));
      process.send(file === "differ" ? [{ path: "/", what: "kind", expected: "a", actual: "b" }] : []);
    });`,
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

it("goes on after a crash, a hang and a heap above the limit, and says which file it was", async () => {
  const files = ["crash", "differ", "fine", "grow", "hang", "well"];
  const cases = files.map((file) => ({ name: file, file, expected: "", features: [] }));
  const outcomes = await runCases(worker, cases, { seconds: 3, heapMegabytes: 32 });
  const said = outcomes.map((outcome) => [outcome.case.name, outcome.differences.map(({ what }) => what)]);
  expect(said).toEqual([
    ["crash", [expect.stringMatching(/^process died/)]],
    ["differ", ["kind"]],
    ["fine", []],
    ["grow", [expect.stringMatching(/^process died/)]],
    ["hang", ["no answer in 3 s"]],
    ["well", []],
  ]);
}, 60_000);
