/** A child process that makes mutants and exercises them, until its parent has had enough or it is no more fit to go on. */
import { readFileSync, writeFileSync } from "node:fs";
import { exercise, exerciseCommands, type Outcome, type Surroundings } from "./exercise.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { mendChecksums } from "./mend.ts";
import { applied, byteEdits, structureEdits } from "./mutate.ts";
import { random } from "./random.ts";
import { companionsIn, type SeedFile } from "./seeds.ts";

/** Where mutants come from: changes of seeds, by structures or by bytes, or files as they are. */
export type Mode = "structure" | "bytes" | "files";

/** What the parent sends: mutants `[from, to)` of a run. */
export interface Task {
  readonly mode: Mode;
  /** The seeds, or the files. */
  readonly files: readonly SeedFile[];
  /** Folder of the fixtures, which mutants may lead to. */
  readonly fixtures: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** Where the mutant at hand is to be left, so that it is not lost with the process. */
  readonly scratch: string;
}

/** What the worker sends: a mutant is about to be read, or was read, or the task is done. */
export type Report =
  | { readonly type: "reading"; readonly index: number; readonly name: string }
  | {
      readonly type: "read";
      readonly index: number;
      readonly result: Result;
      /** KiB. */
      readonly peak: number;
      /** The mutant as it was last read: by now `scratch` may hold another one. */
      readonly bytes: Uint8Array;
    }
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
  const { mode, scratch } = task;
  const files = companionsIn(task.fixtures);
  for (let index = task.from; index < task.to; index++) {
    const { bytes, name } = mode === "files" ? load(task.files[index]!) : await mutantOf(task, index, files);
    let result = await read(bytes, { name, files }, () => {
      writeFileSync(scratch, bytes);
      send({ type: "reading", index, name });
    });
    // What was rejected and not handled is told of in another turn.
    await new Promise(setImmediate);
    const [first] = unhandled.splice(0);
    if (first !== undefined) result = { kind: "unhandled", message: messageOf(first) };
    send({ type: "read", index, result, peak: process.resourceUsage().maxRSS, bytes });
  }
  send({ type: "done" });
}

interface Seed {
  readonly bytes: Uint8Array;
  fields: ReadonlyMap<string, readonly Field[]> | undefined;
}

const seeds = new Map<string, Seed>();

function seedOf({ path }: SeedFile): Seed {
  const known = seeds.get(path) ?? { bytes: new Uint8Array(readFileSync(path)), fields: undefined };
  seeds.set(path, known);
  return known;
}

function load({ path, name }: SeedFile): { bytes: Uint8Array; name: string } {
  return { bytes: new Uint8Array(readFileSync(path)), name };
}

async function mutantOf({ files, mode, seed }: Task, index: number, companions: Surroundings["files"]) {
  const numbers = random(seed, index);
  const file = numbers.pick(files);
  const { name } = file;
  const known = seedOf(file);
  if (mode === "bytes") return { bytes: applied(known.bytes, byteEdits(known.bytes, numbers)), name };
  known.fields ??= await fieldsOf(known.bytes, { name, files: companions });
  return { bytes: applied(known.bytes, structureEdits(known.bytes, known.fields, numbers)), name };
}

/** Reads a mutant, and again with its checksums put right while there are any that are wrong. */
async function read(bytes: Uint8Array, around: Surroundings, before: () => void): Promise<Result> {
  try {
    for (let mends = 0; ; mends++) {
      before();
      const outcome = await exercise(bytes, around);
      if (mends < MENDS && mendChecksums(bytes, outcome.errors)) continue;
      await exerciseCommands(bytes, around);
      return resultOf(outcome);
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
