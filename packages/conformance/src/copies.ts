import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Case } from "./cases.ts";
import { copyProblems, readKnownCopies } from "./known-copies.ts";
import type { KnownFailures } from "./known-failures.ts";
import { compareInLibhdf5 } from "./libhdf5.ts";
import { bundleWorker, type Outcome, runCases } from "./pool.ts";

/** Seconds for a file: it is read, copied and read again. */
const SECONDS = 60;

/**
 * Copies files and compares what is read in the copies with what is read in the files: by us and, if `libhdf5`, by that
 * library. Prints what differs; gives an exit status.
 */
export async function checkCopies(cases: readonly Case[], libhdf5: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "h5-copies-"));
  const copies = join(folder, "copies");
  try {
    for (const { name, file } of cases) linkFolder(dirname(file), dirname(join(copies, name)));
    const own = await runCases(await bundleWorker(folder, "copy-worker"), cases, { copies, seconds: SECONDS });
    const copied = cases.filter(({ name }) => !lstatSync(join(copies, name)).isSymbolicLink());
    const failed = print(`${copied.length} of ${cases.length} files copied, in our reading`, own, new Map());
    if (!libhdf5) return failed;
    const theirs = compareInLibhdf5(copied, copies, folder);
    return failed | print(`${copied.length} copies, in that of libhdf5`, theirs, readKnownCopies());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts links to the files of a folder into another, so that copies there have the same companions. */
function linkFolder(folder: string, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [from, to] = [join(folder, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) linkFolder(from, to);
    else if (!existsSync(to)) symlinkSync(from, to);
  }
}

function print(title: string, outcomes: readonly Outcome[], known: KnownFailures): number {
  let failed = 0;
  for (const outcome of outcomes) {
    const lines = copyProblems(outcome, known);
    if (lines.length === 0) continue;
    failed++;
    console.log([outcome.case.name, ...lines.map((line) => `  ${line}`)].join("\n"));
  }
  const listed = outcomes.filter((outcome) => known.has(outcome.case.name)).length;
  console.log(`${title}: ${outcomes.length - failed - listed} unchanged, ${listed} known to differ, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
