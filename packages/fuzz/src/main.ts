import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareWithLibhdf5, kindsOf, type Sample } from "./agreement.ts";
import { decodeCoverage, type FileCoverage } from "./coverage.ts";
import { minimised, type Place, recurs } from "./minimise.ts";
import { type Finding, type RunResult, runMutants } from "./pool.ts";
import { findingsIn, type SeedFile, seedsIn } from "./seeds.ts";
import type { Mode } from "./worker.ts";

/** `node packages/fuzz/run.mjs`; README.md describes the options. Gives the exit code: 1 for any finding. */
export async function main(root: string, worker: string, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      first: { type: "string", default: "0" },
      count: { type: "string" },
      minutes: { type: "string" },
      structure: { type: "boolean", default: false },
      bytes: { type: "boolean", default: false },
      workers: { type: "string", default: "1" },
      libhdf5: { type: "string" },
      missed: { type: "boolean", default: false },
    },
  });
  if (values.libhdf5 !== undefined) return await agreement(root, worker, Number(values.seed), Number(values.libhdf5));
  const modes: Mode[] =
    values.structure === values.bytes ? ["structure", "bytes"] : [values.bytes ? "bytes" : "structure"];
  const count = Number(values.count ?? (values.minutes === undefined ? 10000 : Number.MAX_SAFE_INTEGER));
  const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY) / modes.length;
  const folder = mkdtempSync(join(tmpdir(), "h5-fuzz-"));
  const fixtures = join(root, "../../fixtures");
  const place = { worker, fixtures, folder };
  const coverage = join(folder, "coverage");
  mkdirSync(coverage);
  try {
    const files = seedsIn(fixtures);
    let faults = 0;
    for (const mode of modes) {
      const until = Date.now() + minutes * 60000;
      const run = { ...place, mode, files, coverage, seed: Number(values.seed), first: Number(values.first) };
      const result = await runMutants({ ...run, count, until, workers: Number(values.workers) });
      console.log(summary(mode, result));
      for (const finding of distinct(result.findings)) {
        // A machine that does other things may make any mutant slow once.
        if (finding.kind === "hang" && !(await recurs(place, finding))) {
          console.log(`mutant ${finding.index} of ${finding.name} was slow once, and is not on its own`);
          continue;
        }
        await keep(root, place, finding, files);
        faults++;
      }
    }
    const kept = findingsIn(join(root, "corpus"));
    const run = { ...place, mode: "files", files: kept, coverage, seed: 0, count: kept.length } as const;
    console.log(summary("corpus", await runMutants(run)));
    report(await decodeCoverage(coverage, worker, join(root, "..")), values.missed);
    return faults > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares a sample of mutants that give values with libhdf5, and prints where that reads otherwise. */
async function agreement(root: string, worker: string, seed: number, count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "h5-fuzz-"));
  try {
    const fixtures = join(root, "../../fixtures");
    const files = seedsIn(fixtures);
    const samples: Sample[] = [];
    // About half of the mutants give values.
    const run = { worker, fixtures, folder, files, mode: "structure", seed, count: 4 * count } as const;
    await runMutants({
      ...run,
      onRead(name, { kind }, bytes) {
        if (kind === "values" && samples.length < count) samples.push({ name, bytes });
      },
    });
    const compared = await compareWithLibhdf5(samples, folder, fixtures);
    const agreeing = compared.filter(({ differences }) => differences.length === 0).length;
    console.log(`${agreeing} of ${samples.length} mutants are read as libhdf5 reads them`);
    const kinds = kindsOf(compared);
    for (const { kind, names, example, reason = "NOT EXPLAINED" } of kinds) {
      console.log(`  ${names.size} × ${kind}\n      ${reason}\n      ${example.slice(0, 240)}`);
    }
    return kinds.some(({ reason }) => reason === undefined) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary(mode: string, { mutants, kinds, peak }: RunResult): string {
  const parts = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = parts.map(([kind, times]) => `${times} ${kind}`).join(", ");
  return `${mode}: ${mutants} mutants: ${counts}; at most ${Math.round(peak / 1024)} MiB resident`;
}

/** One finding for each place that the first lines of its message name. */
function distinct(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const finding of findings) {
    const place = finding.message.split("\n").slice(1, 3).join().replace(/\d+/g, "") || finding.name;
    const key = `${finding.kind} ${place}`;
    if (!byPlace.has(key)) byPlace.set(key, finding);
  }
  return [...byPlace.values()];
}

/** Puts a finding, made small, into the corpus. */
async function keep(root: string, place: Place, finding: Finding, files: readonly SeedFile[]): Promise<void> {
  const { kind, index, name, message } = finding;
  const seed = files.find((file) => file.name === name);
  const bytes = await minimised(place, finding, seed?.path);
  const kept = join(name, `${kind}-${index}.h5`);
  mkdirSync(join(root, "corpus", name), { recursive: true });
  writeFileSync(join(root, "corpus", kept), bytes);
  console.log(`${kind} in mutant ${index} of ${name}, kept as corpus/${kept}\n${message}\n`);
}

function report(files: readonly FileCoverage[], missed: boolean): void {
  const total = (part: readonly FileCoverage[]): string => {
    const lines = part.reduce((sum, file) => sum + file.lines, 0);
    const covered = part.reduce((sum, file) => sum + file.covered, 0);
    return `${((100 * covered) / Math.max(1, lines)).toFixed(1)} % of ${lines} lines`;
  };
  const packages = new Set(files.map(({ path }) => path.split("/")[0]!));
  for (const name of packages) {
    console.log(`  ${name}: ${total(files.filter(({ path }) => path.startsWith(`${name}/`)))}`);
  }
  console.log(`coverage of the files that decode: ${total(files)}`);
  if (!missed) return;
  for (const { path, missed: numbers } of files) if (numbers.length > 0) console.log(`${path}: ${numbers.join(" ")}`);
}
