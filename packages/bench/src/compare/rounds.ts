import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { median } from "../harness.ts";
import type { Measured, Order } from "../peers/measure.ts";
import { type Case, casesOf } from "./cases.ts";
import { type Command, commandOf, type Peer, peerOf, peersFor, pythonWithH5py } from "./peers.ts";

export interface Plan {
  readonly peers: readonly Peer[];
  readonly rounds: number;
  readonly warm: number;
  readonly data: string;
  readonly built: string;
}

/** What a peer reached in a case: the rounds that all had, or why it has none. */
export interface Reached {
  readonly peer: Peer;
  readonly rounds: readonly Measured[];
  readonly failure: string | undefined;
}

export interface Outcome {
  readonly case: Case;
  readonly reached: readonly Reached[];
}

/** Stands for the digest of a file that was written again: the first one has been read back. */
const UNCHECKED = "";
/** No process is waited for longer. */
const MOST_MILLISECONDS = 120_000;

/** Runs a case: in each round every peer, in a process of its own, one after the other, each round from another one on. */
export function runCase(each: Case, plan: Plan): Outcome {
  const peers = peersFor(each, plan.peers);
  const rounds = new Map<Peer, Measured[]>(peers.map((peer) => [peer, []]));
  const failures = new Map<Peer, string>();
  let expected: string | undefined;
  for (let round = 0; round < plan.rounds; round++) {
    const from = round % peers.length;
    for (const peer of [...peers.slice(from), ...peers.slice(0, from)]) {
      if (failures.has(peer)) continue;
      const { measured, failure } = attempt(each, peer, plan, round === 0);
      if (measured === undefined) {
        failures.set(peer, failure!);
        continue;
      }
      rounds.get(peer)!.push(measured);
      if (peer.library === "h5py") expected ??= measured.digest;
    }
  }
  expected ??= rounds.get(peers[0]!)?.[0]?.digest;
  const reached = peers.map((peer): Reached => {
    const own = rounds.get(peer)!;
    const checked = own.filter(({ digest }) => digest !== UNCHECKED);
    const differs = checked.some(({ digest }) => digest !== expected) ? "finds other values" : undefined;
    return { peer, rounds: own, failure: failures.get(peer) ?? differs };
  });
  return { case: each, reached };
}

interface Attempted {
  readonly measured?: Measured;
  readonly failure?: string;
}

function attempt({ id }: Case, peer: Peer, plan: Plan, first: boolean): Attempted {
  const { built, data, warm } = plan;
  const order: Order = { job: id, data, out: join(data, `written-${peer.library}.h5`), warm, variant: peer.variant };
  const done = run(commandOf(peer, built), order);
  const writes = casesOf.write.some((each) => each.id === id);
  if (done.measured === undefined || !writes || pythonWithH5py() === null) return done;
  if (!first) return { measured: { ...done.measured, digest: UNCHECKED } };
  const check = run(commandOf(peerOf("h5py"), built), { ...order, job: `check ${id}`, warm: 0 });
  return check.measured === undefined ? check : { measured: { ...done.measured, digest: check.measured.digest } };
}

/** Runs a job in a process of its own. */
export function run({ file, args, env }: Command, order: Order): Attempted {
  const options = { encoding: "utf8", env, timeout: MOST_MILLISECONDS, maxBuffer: 2 ** 24 } as const;
  const { status, stdout, stderr, signal } = spawnSync(file, [...args, JSON.stringify(order)], options);
  if (status === 0) return { measured: JSON.parse(stdout.trim().split("\n").at(-1)!) as Measured };
  if (signal !== null) return { failure: "takes too long" };
  const message = /^\w*Error\b.*$/m.exec(stderr) ?? /^has no such job$/m.exec(stderr);
  return { failure: message?.[0].slice(0, 100) ?? `exits with ${status}` };
}

/** Median over the rounds of one peer's time ÷ another's in the same round. */
export function ratio(of: Reached, to: Reached, time: (measured: Measured) => number): number {
  return median(of.rounds.map((measured, i) => time(measured) / time(to.rounds[i]!)));
}

export function coldOf({ cold }: Measured): number {
  return cold;
}

/** Processor time, which what else the machine does changes less; a pool of threads does not lessen it. */
export function cpuOf(measured: Measured): number {
  return measured.cpu.length === 0 ? warmOf(measured) : median(measured.cpu);
}

export function warmOf({ cold, warm }: Measured): number {
  return warm.length === 0 ? cold : median(warm);
}
