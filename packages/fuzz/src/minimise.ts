import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, type RunOptions, runMutants } from "./pool.ts";

/** Where bytes of a mutant that differ from its seed's lie. */
type Stretch = readonly [start: number, end: number];

/** Where the worker and the fixtures are, and room for files. */
export type Place = Pick<RunOptions, "worker" | "fixtures" | "folder">;

/** Stretches that are put back, each in a process of its own. */
const TRIES = 40;

/** Whether a finding comes back in a process of its own. */
export async function recurs(
  place: Place,
  { kind, name, bytes }: Omit<Finding, "index" | "message">,
): Promise<boolean> {
  const path = join(place.folder, "candidate.h5");
  writeFileSync(path, bytes);
  const { findings } = await runMutants({ ...place, mode: "files", files: [{ path, name }], seed: 0, count: 1 });
  return findings[0]?.kind === kind;
}

/**
 * A finding's bytes with as many as possible of those that differ from the seed put back, while it is still of its kind.
 * As it is where it does not come back on its own.
 */
export async function minimised(place: Place, finding: Finding, seedPath: string | undefined) {
  if (seedPath === undefined || !(await recurs(place, finding))) return finding.bytes;
  const seed = new Uint8Array(readFileSync(seedPath));
  let best = finding.bytes;
  for (const [start, end] of differences(seed, best).slice(0, TRIES)) {
    const candidate = new Uint8Array(best);
    candidate.set(seed.subarray(start, end), start);
    if (await recurs(place, { ...finding, bytes: candidate })) best = candidate;
  }
  return best;
}

function differences(seed: Uint8Array, bytes: Uint8Array): Stretch[] {
  const stretches: Stretch[] = [];
  const end = Math.min(seed.length, bytes.length);
  for (let at = 0; at < end; at++) {
    if (seed[at] === bytes[at]) continue;
    const start = at;
    while (at < end && seed[at] !== bytes[at]) at++;
    stretches.push([start, at]);
  }
  return stretches;
}
