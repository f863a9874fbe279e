import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SeedFile } from "./seeds.ts";
import type { Mode, Report, Result, Task } from "./worker.ts";

/** What no mutant may do. */
export type Fault = "untyped" | "unhandled" | "hang" | "memory" | "crash";

/** A mutant that did it. */
export interface Finding {
  readonly kind: Fault;
  /** Number of the mutant in its run. */
  readonly index: number;
  /** Name of the seed among the fixtures. */
  readonly name: string;
  readonly message: string;
  /** The mutant with the checksums that were put right. */
  readonly bytes: Uint8Array;
}

/** What is to be run. */
export interface RunOptions {
  /** The bundled worker. */
  readonly worker: string;
  readonly mode: Mode;
  readonly files: readonly SeedFile[];
  /** Folder of the fixtures. */
  readonly fixtures: string;
  readonly seed: number;
  /** Mutants, from number `first` on, default 0. */
  readonly count: number;
  readonly first?: number | undefined;
  /** When to stop if that comes earlier: milliseconds as `Date.now()` counts them. */
  readonly until?: number | undefined;
  /** Folder of the scratch files. */
  readonly folder: string;
  readonly workers?: number | undefined;
  /** Where V8 leaves what was executed, if that is wanted. */
  readonly coverage?: string | undefined;
  /** Told of every mutant that was read: the name of its seed, what became of it, and its bytes. */
  onRead?(name: string, result: Result, bytes: Uint8Array): void;
}

/** What became of a run. */
export interface RunResult {
  readonly mutants: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** Highest resident memory of any process, in KiB. */
  readonly peak: number;
}

/** What one read of a mutant may take. */
const SECONDS = 2;
const KIBIBYTES = 524288;
const HEAP_MEBIBYTES = 256;
/** Mutants of a task. */
const TASK = 10000;
/** How long a process may take to start and to look at its seeds. */
const START_SECONDS = 30;

/** Runs mutants in child processes, so that a crash, a hang or too much memory ends one mutant and not the run. */
export async function runMutants(options: RunOptions): Promise<RunResult> {
  const { workers = 1, count, first = 0, until = Number.POSITIVE_INFINITY } = options;
  const state = { mutants: 0, kinds: {} as Record<string, number>, findings: [] as Finding[], peak: 0 };
  let next = first;
  const serve = async (): Promise<void> => {
    while (next < first + count && Date.now() < until) {
      const from = next;
      next = Math.min(from + TASK, first + count);
      for (let at = from; at < next && Date.now() < until; ) at = await runTask(options, at, next, state, until);
    }
  };
  await Promise.all(Array.from({ length: workers }, serve));
  return state;
}

interface State {
  mutants: number;
  readonly kinds: Record<string, number>;
  readonly findings: Finding[];
  peak: number;
}

/** Runs mutants `[from, to)` in a process of their own; gives the number of the first that is still to be run. */
async function runTask(options: RunOptions, from: number, to: number, state: State, until: number): Promise<number> {
  const { mode, files, fixtures, seed, worker, coverage, folder } = options;
  const own = mkdtempSync(join(folder, "worker-"));
  const scratch = join(own, "mutant.h5");
  const child = fork(worker, {
    execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Which sends bytes as they are.
    serialization: "advanced",
    env: { ...process.env, ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }) },
  });
  const task: Task = { mode, files, fixtures, seed, from, to, scratch };
  try {
    return await new Promise((resolve) => {
      new Watch(child, task, state, until, options.onRead, resolve);
      child.send(task);
    });
  } finally {
    await ended(child);
    rmSync(own, { recursive: true, force: true });
  }
}

/** Lets a process end, which then leaves its coverage behind. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  if (child.connected) child.disconnect();
  await exit;
}

/** How long a process may do nothing at a mutant: longer, and it waits for what never comes. */
const IDLE_SECONDS = 30;

/** Seconds that a process has worked, where the system tells (Linux, by hundredths). */
function cpuSeconds({ pid }: ChildProcess): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/** Watches a process work at a task. */
class Watch {
  readonly #child: ChildProcess;
  readonly #task: Task;
  readonly #state: State;
  readonly #until: number;
  readonly #onRead: RunOptions["onRead"];
  readonly #resolve: (next: number) => void;
  #index: number;
  #name = "";
  #timer: NodeJS.Timeout;
  #stderr = "";
  #over = false;
  /** When the mutant's reading began, in milliseconds, and the seconds its process had worked by then. */
  #began: { readonly wall: number; readonly cpu: number | undefined } = { wall: 0, cpu: undefined };

  constructor(
    child: ChildProcess,
    task: Task,
    state: State,
    until: number,
    onRead: RunOptions["onRead"],
    resolve: (next: number) => void,
  ) {
    this.#child = child;
    this.#task = task;
    this.#state = state;
    this.#until = until;
    this.#onRead = onRead;
    this.#resolve = resolve;
    this.#index = task.from;
    this.#timer = this.#alarm(START_SECONDS);
    child.on("message", (report: Report) => this.#take(report));
    child.stderr?.on("data", (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2000);
    });
    child.once("exit", (code, signal) => {
      const memory = /heap out of memory|allocation failed/i.test(this.#stderr);
      this.#find(memory ? "memory" : "crash", `ended with ${signal ?? code}: ${this.#stderr}`);
    });
  }

  #take(report: Report): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    if (report.type === "done") this.#end(this.#task.to);
    else if (report.type === "reading") {
      this.#index = report.index;
      this.#name = report.name;
      this.#began = { wall: performance.now(), cpu: cpuSeconds(this.#child) };
      this.#timer = this.#alarm(SECONDS);
    } else this.#read(report);
  }

  #read({ index, result, peak, bytes }: Report & { type: "read" }): void {
    this.#timer = this.#alarm(START_SECONDS);
    this.#state.peak = Math.max(this.#state.peak, peak);
    if (peak > KIBIBYTES) this.#find("memory", `${Math.round(peak / 1024)} MiB`);
    else if (result.kind === "untyped" || result.kind === "unhandled") {
      this.#note(result.kind, result.message, bytes);
    } else {
      this.#count(result.kind);
      this.#onRead?.(this.#name, result, bytes);
      if (Date.now() > this.#until) this.#end(index + 1);
    }
  }

  #alarm(seconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      // On a machine that does other things, two seconds may pass without the process being let do anything.
      if (this.#isStarved(seconds)) this.#timer = this.#alarm(seconds);
      else this.#find("hang", `more than ${seconds} s`);
    }, seconds * 1000);
  }

  #isStarved(seconds: number): boolean {
    const { wall, cpu } = this.#began;
    const now = cpuSeconds(this.#child);
    if (cpu === undefined || now === undefined) return false;
    return now - cpu < seconds && performance.now() - wall < IDLE_SECONDS * 1000;
  }

  /** A fault after which the process is of no more use. */
  #find(kind: Fault, message: string): void {
    if (this.#over) return;
    this.#note(kind, message, this.#leftBytes());
    this.#child.kill("SIGKILL");
    this.#end(this.#index + 1);
  }

  #note(kind: Fault, message: string, bytes: Uint8Array): void {
    this.#count(kind);
    this.#state.findings.push({ kind, index: this.#index, name: this.#name, message, bytes });
  }

  #count(kind: string): void {
    this.#state.mutants++;
    this.#state.kinds[kind] = (this.#state.kinds[kind] ?? 0) + 1;
  }

  /** The mutant that a process was at when it ended. */
  #leftBytes(): Uint8Array {
    try {
      return new Uint8Array(readFileSync(this.#task.scratch));
    } catch {
      return new Uint8Array(0);
    }
  }

  #end(next: number): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#resolve(next);
  }
}
