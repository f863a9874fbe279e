import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesOf, corpusFolder, FIXTURES } from "../src/cases.ts";
import { problems, readKnownFailures } from "../src/known-failures.ts";
import { bundleWorker, type Outcome, runCases } from "../src/pool.ts";
import { featureTable } from "../src/report.ts";

const known = readKnownFailures();
const corpus = corpusFolder();
const cases = [FIXTURES, corpus].filter((folder) => folder !== undefined).flatMap(casesOf);
const outcomes = new Map<string, Outcome>();

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "h5-conformance-"));
  try {
    const worker = await bundleWorker(folder);
    for (const outcome of await runCases(worker, cases)) outcomes.set(outcome.case.name, outcome);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 1_200_000);

afterAll(() => console.log(featureTable([...outcomes.values()], known)));

describe("reads what libhdf5 reads", () => {
  it.each(cases.map(({ name }) => ({ name, title: title(name) })))("$title", ({ name }) => {
    expect(problems(outcomes.get(name)!, known)).toEqual([]);
  });
});

describe("known-failures.txt", () => {
  it("names a feature for each file", () => {
    expect([...known].filter(([, feature]) => !feature)).toEqual([]);
  });

  it("lists only files that are there", () => {
    const names = new Set(cases.map(({ name }) => name));
    const own = process.env["H5_CORPUS"] || !corpus; // another corpus than the list was made with, or none
    expect([...known.keys()].filter((name) => !names.has(name) && !(own && !name.startsWith("fixtures/")))).toEqual([]);
  });
});

function title(name: string): string {
  const missing = known.get(name);
  return missing === undefined ? name : `${name} is refused by a typed error (missing: ${missing})`;
}
