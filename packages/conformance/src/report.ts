import { type KnownFailures, problems } from "./known-failures.ts";
import type { Outcome } from "./pool.ts";

/** A table of the outcomes by feature: files, how many agree with libhdf5, are known to lack something, and fail. */
export function featureTable(outcomes: readonly Outcome[], known: KnownFailures): string {
  const rows = new Map<string, Row>();
  for (const outcome of outcomes) {
    for (const feature of new Set([...outcome.case.features, "all files"])) count(rows, feature, outcome, known);
  }
  const sorted = [...rows].sort(([a], [b]) => order(a, b));
  const width = Math.max(...sorted.map(([feature]) => feature.length), 8);
  const line = (feature: string, cells: readonly (number | string)[]): string =>
    feature.padEnd(width) + cells.map((cell) => String(cell).padStart(8)).join("");
  return [
    line("feature", ["files", "agree", "known", "fail"]),
    ...sorted.map(([feature, { files, agree, listed, fail }]) => line(feature, [files, agree, listed, fail])),
  ].join("\n");
}

interface Row {
  files: number;
  agree: number;
  listed: number;
  fail: number;
}

function count(rows: Map<string, Row>, feature: string, outcome: Outcome, known: KnownFailures): void {
  const row = rows.get(feature) ?? { files: 0, agree: 0, listed: 0, fail: 0 };
  rows.set(feature, row);
  row.files++;
  if (problems(outcome, known).length > 0) row.fail++;
  else if (outcome.differences.length > 0) row.listed++;
  else row.agree++;
}

/** By name, the sum last. */
function order(a: string, b: string): number {
  if (a === "all files" || b === "all files") return a === b ? 0 : a === "all files" ? 1 : -1;
  return a < b ? -1 : 1;
}
