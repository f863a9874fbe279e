import { spawn } from "node:child_process";
import { join } from "node:path";
import { bundleProgram } from "@h5/testing/bundle";
import type { Json } from "./expected.ts";

/** What libhdf5 made of a file. */
export interface Reading {
  readonly objects?: Readonly<Record<string, Json>>;
  /** Why there are none. */
  readonly error?: string;
  /** What it complained of. */
  readonly complaints: readonly string[];
}

const PROCESSES = 2;

/** Reads files with libhdf5 2.0.0, in processes of their own; one that dies is started again behind the file it died of. */
export async function readWithLibhdf5(paths: readonly string[], folder: string): Promise<Map<string, Reading>> {
  const program = await bundleProgram(join(import.meta.dirname, "libhdf5-process.ts"), folder);
  const readings = new Map<string, Reading>();
  const serve = async (own: readonly string[]): Promise<void> => {
    for (let rest = own; rest.length > 0; rest = rest.filter((path) => !readings.has(path))) {
      for (const [path, reading] of await readSome(program, rest)) readings.set(path, reading);
    }
  };
  const shares = Array.from({ length: PROCESSES }, (_, i) => paths.filter((_, n) => n % PROCESSES === i));
  await Promise.all(shares.map(serve));
  return readings;
}

/** One process' readings, at least of the first file. */
async function readSome(program: string, paths: readonly string[]): Promise<Map<string, Reading>> {
  const child = spawn(process.execPath, [program, ...paths], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, status] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code))),
  ]);
  const answers = stdout.split("\n").filter((line) => line.startsWith("{"));
  const readings = new Map<string, Reading>();
  const complaints = complaintsIn(stderr);
  for (const line of answers) {
    const { file, ...reading } = JSON.parse(line) as Reading & { file: string };
    readings.set(file, { ...reading, complaints: complaints.get(file) ?? [] });
  }
  const next = paths[readings.size];
  if (next !== undefined) {
    readings.set(next, { error: `the process ended with ${status}: ${stderr.slice(-500)}`, complaints: [] });
  }
  return readings;
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** What h5wasm tries on all types, and on links that lead nowhere. */
const TRIED: readonly string[] = ["H5Tset_order()", "H5Oexists_by_name()", "H5Gget_objinfo()"];

/** The first line of each stack of errors, by file. */
function complaintsIn(stderr: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const part of stderr.split(/^=== /m).slice(1)) {
    const [path = "", ...lines] = part.split("\n");
    const isComplaint = (line: string): boolean =>
      line.trim().startsWith("#000:") && !TRIED.some((call) => line.includes(`in ${call}`));
    found.set(path, lines.filter(isComplaint));
  }
  return found;
}
