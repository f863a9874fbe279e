import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Order } from "../peers/measure.ts";
import { commandOf, type Peer } from "./peers.ts";
import { run } from "./rounds.ts";

/** The parts of a profile of V8 that tell where time went. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where the main thread's time goes in a job of ours: the functions that most of it is spent in themselves. */
export function profileOf(peer: Peer, built: string, order: Order): string[] {
  const folder = mkdtempSync(join(tmpdir(), "h5-profile-"));
  try {
    const { file, args, env } = commandOf(peer, built);
    // Collections between the runs, which are not timed, would show.
    const asTimed = args.filter((arg) => arg !== "--expose-gc");
    const flags = ["--cpu-prof", "--cpu-prof-interval=500", `--cpu-prof-dir=${folder}`];
    const { failure } = run({ file, args: [...flags, ...asTimed], env }, order);
    if (failure !== undefined) throw new Error(failure);
    const [name] = readdirSync(folder);
    return topOf(JSON.parse(readFileSync(join(folder, name!), "utf8")) as Profile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MOST_LINES = 15;

function topOf({ nodes, samples, timeDeltas }: Profile): string[] {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const spent = new Map<string, number>();
  for (const [i, sample] of samples.entries()) {
    const place = places.get(sample)!;
    if (place === "(program)" || place === "(root)") continue;
    spent.set(place, (spent.get(place) ?? 0) + timeDeltas[i]!);
  }
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_LINES)
    .map(([place, time]) => `${((time * 100) / total).toFixed(1).padStart(5)} %  ${place}`);
}

function placeOf({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const name = functionName || "(anonymous)";
  if (!url.startsWith("file:")) return url === "" ? name : `${name}  ${url}`;
  return `${name}  ${sourceAt(new URL(url), lineNumber)}`;
}

/** The source a line of a bundle comes from, which esbuild writes above it. */
function sourceAt(bundle: URL, line: number): string {
  const above = readFileSync(bundle, "utf8")
    .split("\n", line + 1)
    .reverse();
  return above.find((each) => /^\/\/ \S+\.[mc]?[jt]s$/.test(each))?.slice(3) ?? "";
}
