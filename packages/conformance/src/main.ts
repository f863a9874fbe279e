/** `pnpm conformance [folder]`: the table and the differences, for people. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Case, casesOf, corpusFolder, FIXTURES } from "./cases.ts";
import { checkCopies } from "./copies.ts";
import { type KnownFailures, problems, readKnownFailures, updateKnownFailures } from "./known-failures.ts";
import { bundleWorker, type Outcome, runCases } from "./pool.ts";
import { featureTable } from "./report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    filter: { type: "string", default: "" },
    "update-known": { type: "boolean", default: false },
    copies: { type: "boolean", default: false },
    libhdf5: { type: "boolean", default: false },
    limit: { type: "string", default: "3" },
  },
});
const from = process.env["INIT_CWD"] ?? process.cwd();
const folders =
  positionals.length > 0 ? positionals.map((folder) => resolve(from, folder)) : [FIXTURES, corpusFolder()];
const cases = folders
  .filter((folder) => folder !== undefined)
  .flatMap(casesOf)
  .filter(({ name }) => name.includes(values.filter));

process.exitCode = await (values.copies ? checkCopies(cases, values.libhdf5) : checkReading(cases));

async function checkReading(list: readonly Case[]): Promise<number> {
  const outcomes = await run(list);
  if (values["update-known"]) updateKnownFailures(outcomes, readKnownFailures());
  const known = readKnownFailures();
  for (const outcome of outcomes) print(outcome, known, Number(values.limit));
  console.log(featureTable(outcomes, known));
  return outcomes.some((outcome) => problems(outcome, known).length > 0) ? 1 : 0;
}

async function run(list: readonly Case[]): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "h5-conformance-"));
  try {
    return await runCases(await bundleWorker(folder), list);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print(outcome: Outcome, list: KnownFailures, limit: number): void {
  const lines = problems(outcome, list);
  if (lines.length === 0) return;
  console.log([outcome.case.name, ...lines.slice(0, limit).map((line) => `  ${line}`)].join("\n"));
  if (lines.length > limit) console.log(`  … and ${lines.length - limit} more`);
}
