/** A child process that makes mutants and exercises them, until its parent has had enough or it is no more fit to go on. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { exercise, type Outcome } from "./exercise.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { mendChecksums } from "./mend.ts";
import { applied, byteEdits, type Mutation, structureEdits } from "./mutate.ts";
import { random } from "./random.ts";

/** Where mutants come from: changes of seeds, by structures or by bytes, or files as they are. */
export type Mode = "structure" | "bytes" | "files";

/** What the parent sends: mutants `[from, to)` of a run. */
export interface Task {
  readonly mode: Mode;
  /** Paths of the seeds, or of the files. */
  readonly files: readonly string[];
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** Where the mutant at hand is to be left, so that it is not lost with the process. */
  readonly scratch: string;
}

/** What the worker sends: a mutant is about to be read, or was read, or the task is done. */
export type Report =
  | { readonly type: "reading"; readonly index: number; readonly name: string }
  | { readonly type: "read"; readonly index: number; readonly result: Result; readonly peak: number }
  | { readonly type: "done" };

/** What became of a mutant; `untyped` and `unhandled` are what must not be. */
export type Result =
  | { readonly kind: "values" | "refused" | "no values" }
  | { readonly kind: "untyped" | "unhandled"; readonly message: string };

/** Times that checksums are put right in one mutant. */
const MENDS = 4;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
process.on("uncaughtException", (error) => unhandled.push(error));
process.on("message", (task: Task) => void work(task));
process.on("disconnect", () => process.exit());

function send(report: Report): void {
  process.send!(report);
}

async function work(task: Task): Promise<void> {
  const { files, seed, mode, scratch } = task;
  for (let index = task.from; index < task.to; index++) {
    const { bytes, name } = mode === "files" ? load(files, index) : await mutantOf(files, mode, seed, index);
    let result = await read(bytes, () => {
      writeFileSync(scratch, bytes);
      send({ type: "reading", index, name });
    });
    // What was rejected and not handled is told of in another turn.
    await new Promise(setImmediate);
    const [first] = unhandled.splice(0);
    if (first !== undefined) result = { kind: "unhandled", message: messageOf(first) };
    send({ type: "read", index, result, peak: process.resourceUsage().maxRSS });
  }
  send({ type: "done" });
}

const seeds = new Map<string, { bytes: Uint8Array; fields: ReadonlyMap<string, readonly Field[]> | undefined }>();

function seedOf(path: string) {
  const known = seeds.get(path) ?? { bytes: new Uint8Array(readFileSync(path)), fields: undefined };
  seeds.set(path, known);
  return known;
}

function load(files: readonly string[], index: number): { bytes: Uint8Array; name: string } {
  return { bytes: new Uint8Array(readFileSync(files[index]!)), name: basename(files[index]!) };
}

async function mutantOf(files: readonly string[], mode: Mode, seed: number, index: number) {
  const { edits, seed: file } = await mutationOf(files, mode, seed, index);
  return { bytes: applied(seedOf(files[file]!).bytes, edits), name: basename(files[file]!) };
}

async function mutationOf(files: readonly string[], mode: Mode, seed: number, index: number): Promise<Mutation> {
  const numbers = random(seed, index);
  const file = numbers.below(files.length);
  const known = seedOf(files[file]!);
  if (mode === "bytes") return { seed: file, edits: byteEdits(known.bytes, numbers) };
  known.fields ??= await fieldsOf(known.bytes);
  return { seed: file, edits: structureEdits(known.bytes, known.fields, numbers) };
}

/** Reads a mutant, and again with its checksums put right while there are any that are wrong. */
async function read(bytes: Uint8Array, before: () => void): Promise<Result> {
  try {
    for (let mends = 0; ; mends++) {
      before();
      const outcome = await exercise(bytes);
      if (mends === MENDS || !mendChecksums(bytes, outcome.errors)) return resultOf(outcome);
    }
  } catch (error) {
    return { kind: "untyped", message: messageOf(error) };
  }
}

function resultOf({ opened, values }: Outcome): Result {
  return { kind: values > 0 ? "values" : opened ? "no values" : "refused" };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
