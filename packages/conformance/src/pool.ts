import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { bundleProgram } from "@h5/testing/bundle";
import type { Case } from "./cases.ts";
import type { CopyTask } from "./copy-worker.ts";
import type { Difference } from "./difference.ts";
import type { Task } from "./worker.ts";

/** A case that was run. No difference is agreement. */
export interface Outcome {
  readonly case: Case;
  readonly differences: readonly Difference[];
}

/** What one file may take, and how many are read at a time. */
export interface PoolOptions {
  /** Folder in which workers leave the copies they make, by the cases' names. */
  readonly copies?: string | undefined;
  readonly workers?: number | undefined;
  readonly seconds?: number | undefined;
  readonly heapMegabytes?: number | undefined;
}

/** Bundles a worker from the packages' sources into `folder`; gives its path. */
export async function bundleWorker(folder: string, name: "worker" | "copy-worker" = "worker"): Promise<string> {
  return await bundleProgram(join(import.meta.dirname, `../src/${name}.ts`), folder);
}

/**
 * Runs cases in child processes, so that a crash, a hang or a heap above the limit ends one case and not the run. A
 * process is used for file after file, and replaced when it dies.
 */
export async function runCases(worker: string, cases: Iterable<Case>, options: PoolOptions = {}): Promise<Outcome[]> {
  const { workers = 2, seconds = 20, heapMegabytes = 2048, copies } = options;
  const start = (): ChildProcess =>
    fork(worker, { execArgv: [`--max-old-space-size=${heapMegabytes}`], stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const outcomes: Outcome[] = [];
  const queue = cases[Symbol.iterator]();
  const serve = async (): Promise<void> => {
    let child = start();
    for (let next = queue.next(); !next.done; next = queue.next()) {
      if (!child.connected || child.killed) child = start();
      outcomes.push({ case: next.value, differences: await ask(child, taskOf(next.value, copies), seconds) });
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: workers }, serve));
  return outcomes.sort((a, b) => (a.case.name < b.case.name ? -1 : 1));
}

function taskOf({ name, file, expected }: Case, copies: string | undefined): Task & CopyTask {
  return { file, expected, copy: copies && join(copies, name) };
}

/** One case in one process; a process that dies or takes too long gives a difference that no list excuses. */
function ask(child: ChildProcess, task: Task & CopyTask, seconds: number): Promise<readonly Difference[]> {
  return new Promise((resolve) => {
    const settle = (differences: readonly Difference[]): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(differences);
    };
    const dead = (how: string): void => settle([{ path: "", what: how, expected: "an answer", actual: "none" }]);
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      dead(`no answer in ${seconds} s`);
    }, seconds * 1000);
    child.once("message", (differences) => settle(differences as Difference[]));
    child.once("exit", (code, signal) => dead(`process died (${signal ?? `status ${code}`})`));
    child.once("error", (error) => dead(`process failed: ${error.message}`));
    child.send(task);
  });
}
