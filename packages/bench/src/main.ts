import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { casesNamed, casesOf, type Kind } from "./compare/cases.ts";
import { h5pyVersion, peerOf, pythonWithH5py } from "./compare/peers.ts";
import { profileOf } from "./compare/profile.ts";
import { linesOf, tableOf } from "./compare/report.ts";
import { type Outcome, type Plan, runCase } from "./compare/rounds.ts";

const PEERS = {
  read: "ours,ours+into,h5py,h5wasm,jsfive",
  write: "ours,ours+copy,h5py,h5wasm",
  profile: "ours",
} as const;

/** `read` and `write`: compares the libraries, and gives 1 where ours fails or finds other values. */
function compare(kind: Kind, names: string | undefined, plan: Plan, markdown: boolean): number {
  const outcomes: Outcome[] = [];
  for (const each of casesNamed(kind, names)) {
    const outcome = runCase(each, plan);
    outcomes.push(outcome);
    console.error(linesOf(outcome).join("\n"));
  }
  if (markdown) console.log(tableOf(outcomes));
  const ours = outcomes.flatMap(({ reached }) => reached.filter(({ peer }) => peer.library === "ours"));
  return ours.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** `profile`: where the time of our side of some cases goes. */
function profile(names: string | undefined, { peers, built, data, warm }: Plan): void {
  const kind = names?.startsWith("w_") ? "write" : "read";
  for (const { id } of casesNamed(kind, names)) {
    for (const peer of peers) {
      const order = { job: id, data, out: join(data, "written-ours.h5"), warm, variant: peer.variant };
      console.log([`${id} ${peer.name}`, ...profileOf(peer, built, order)].join("\n"));
    }
  }
}

function list(): void {
  for (const kind of ["read", "write"] as const) {
    console.log(`${kind}:`);
    for (const { id, what } of casesOf[kind]) console.log(`  ${id.padEnd(12)} ${what}`);
  }
}

const options = {
  rounds: { type: "string", default: "5" },
  warm: { type: "string", default: "9" },
  peers: { type: "string" },
  markdown: { type: "boolean", default: false },
} as const;

function main(): number {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [verb, names] = positionals;
  if (verb !== "read" && verb !== "write" && verb !== "profile") {
    list();
    return verb === undefined ? 0 : 2;
  }
  const built = import.meta.dirname;
  const data = process.env["BENCH_DATA"] ?? join(built, "..", "..", ".bench-data");
  if (!existsSync(join(data, "manifest.json"))) throw new Error("no files: node packages/bench/run.mjs generate");
  const asked = (values.peers ?? PEERS[verb]).split(",");
  const python = pythonWithH5py();
  const peers = [...new Set(verb === "profile" ? asked : ["ours", ...asked])]
    .map(peerOf)
    .filter(({ library }) => library !== "h5py" || python !== null);
  const plan = { peers, rounds: Number(values.rounds), warm: Number(values.warm), data, built };
  if (verb === "profile") {
    profile(names, plan);
    return 0;
  }
  if (python !== null) console.error(`h5py ${h5pyVersion()}`);
  return compare(verb, names, plan, values.markdown);
}

process.exitCode = main();
