import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesOf, corpusFolder, FIXTURES } from "../src/cases.ts";
import { bundleWorker, type Outcome, runCases } from "../src/pool.ts";

const corpus = corpusFolder();
const cases = [FIXTURES, corpus].filter((folder) => folder !== undefined).flatMap(casesOf);
const outcomes = new Map<string, Outcome>();
/** What can be read and not written, and why. */
const NOT_COPIED: ReadonlyMap<string, RegExp> = new Map([
  ["fixtures/completeness/huge-count.h5", /has over 2\^53-1 elements$/],
]);
const folder = mkdtempSync(join(tmpdir(), "h5-copies-"));

beforeAll(async () => {
  const worker = await bundleWorker(folder, "copy-worker");
  for (const outcome of await runCases(worker, cases, { seconds: 60 })) outcomes.set(outcome.case.name, outcome);
}, 1_200_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe("a copy is read as the file is", () => {
  it.each(cases)("$name", ({ name }) => {
    const refusal = NOT_COPIED.get(name);
    const expected = refusal === undefined ? [] : [expect.objectContaining({ error: expect.stringMatching(refusal) })];
    expect(outcomes.get(name)!.differences).toEqual(expected);
  });
});
