import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a process is told to do, as JSON in its first argument. */
export interface Order {
  readonly job: string;
  /** Folder of the generated files. */
  readonly data: string;
  /** The file that a writing job makes, and its check reads. */
  readonly out: string;
  /** Runs after the first. */
  readonly warm: number;
  /** How a library is asked, where it can be asked in more than one way. */
  readonly variant: string;
}

/** What a process says of its job, as JSON on its standard output. */
export interface Measured {
  /** Milliseconds of the process' first run, and of those after it. */
  readonly cold: number;
  readonly warm: readonly number[];
  /** Milliseconds of processor time, of all threads, that the warm runs took. */
  readonly cpu: readonly number[];
  /** Bytes by which resident memory grew at most during the first run. */
  readonly peak: number;
  /** Of all that the job found. */
  readonly digest: string;
}

/** What `data/generate.py` says of the files it made. */
export interface Manifest {
  readonly a_offset: number;
  readonly windows: readonly (readonly [row: number, column: number])[];
  readonly lookups: readonly string[];
  readonly sparse: readonly (readonly [start: number, end: number])[];
  readonly s_rows: readonly [start: number, end: number];
  readonly s_nnz: number;
  readonly t: { readonly dset: string; readonly rows: readonly [start: number, end: number] };
}

export interface Setting extends Order {
  readonly manifest: Manifest;
  /** A generated file. */
  path(name: string): string;
}

/** A part of what a job found: numbers as they lie in memory, or strings. */
export type Part = ArrayBufferView | readonly string[];

/** What is timed; gives a function, not timed, that tells what was found. */
export type Run = () => Promise<() => readonly Part[]>;

/** Gets ready, which is not timed. */
export type Job = (setting: Setting) => Run;

/** Warm runs are not begun once they have taken this long. */
const MOST_MILLISECONDS = 5000;

/** Does the job the process was started for, and prints what it measured. */
export async function measure(jobs: Readonly<Record<string, Job>>): Promise<void> {
  const order = JSON.parse(process.argv[2]!) as Order;
  const job = jobs[order.job];
  if (job === undefined) throw new Error("has no such job");
  const manifest = JSON.parse(readFileSync(join(order.data, "manifest.json"), "utf8")) as Manifest;
  const run = job({ ...order, manifest, path: (name) => join(order.data, name) });
  const clear = (): void => {
    if (order.job.startsWith("w_")) rmSync(order.out, { force: true });
  };
  console.log(JSON.stringify(await measureRuns(run, order.warm, clear)));
}

/**
 * Memory is collected at will before the first run, whose peak is measured, and not between others: no program does that,
 * and V8 throws optimised code away with it.
 */
async function measureRuns(run: Run, runs: number, clear: () => void): Promise<Measured> {
  clear();
  globalThis.gc?.();
  const first = await firstRun(run);
  const warm: number[] = [];
  const cpu: number[] = [];
  for (let spent = 0; warm.length < runs && spent < MOST_MILLISECONDS; spent += warm.at(-1)!) {
    clear();
    const before = process.cpuUsage();
    warm.push((await timed(run)).milliseconds);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  return { ...first, warm, cpu };
}

async function firstRun(run: Run): Promise<Omit<Measured, "warm" | "cpu">> {
  resetPeak();
  const before = residentBytes("VmRSS");
  const { milliseconds: cold, found } = await timed(run);
  const peak = residentBytes("VmHWM") - before;
  return { cold, peak, digest: digestOf(found()) };
}

async function timed(run: Run): Promise<{ milliseconds: number; found: () => readonly Part[] }> {
  const start = performance.now();
  const found = await run();
  return { milliseconds: performance.now() - start, found };
}

/** Lets the system forget the largest size so far, where it can (Linux). */
function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // The peak is then that of the process, importing included.
  }
}

function residentBytes(field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)![1]) * 1024;
  } catch {
    return field === "VmRSS" ? process.memoryUsage().rss : process.resourceUsage().maxRSS * 1024;
  }
}

/** `with_h5py.py` makes the same of the same values. */
function digestOf(parts: readonly Part[]): string {
  const hash = createHash("sha1");
  for (const part of parts) {
    hash.update(
      ArrayBuffer.isView(part) ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength) : part.join("\n"),
    );
  }
  return hash.digest("hex");
}
