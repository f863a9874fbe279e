import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { ROOT } from "./repository.ts";

/** Writes what a program gives to `console.log` as JSON to the file that `H5_PRINTED` names, an array for each call. */
const RECORDER = `{
  const { writeFileSync } = await import("node:fs");
  const { log } = console, printed = [];
  console.log = (...values) => { printed.push(values); log(...values); };
  const plain = (_, value) =>
    typeof value === "bigint" ? (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))
      : typeof value === "number" && !Number.isFinite(value) ? String(value)
      : ArrayBuffer.isView(value) ? Array.from(value)
      : value ?? null;
  process.on("exit", () => writeFileSync(process.env.H5_PRINTED, JSON.stringify(printed, plain)));
}`;

/** Where what pages import is installed: no one package has all that they compose, or compare with. */
const installed = ["reader", "bench"].map((name) => join(ROOT, "packages", name, "node_modules"));

/** How an example is run. */
export interface RunOptions {
  /** The page it stands on: a package's sees what that package imports, any other what the command line does. */
  readonly page: string;
  /** Where its bundle goes: a path without an ending. */
  readonly target: string;
  /** Whether what it prints is also written to `<target>.json`. */
  readonly record?: boolean;
}

/** Bundles a program from the packages' sources, runs it in the root and gives what it printed. */
export async function run(program: string, { page, target, record = false }: RunOptions): Promise<string> {
  const outfile = `${target}.mjs`;
  await build({
    stdin: {
      contents: program,
      loader: "ts",
      resolveDir: join(ROOT, page.startsWith("packages/") ? dirname(page) : "packages/cli"),
    },
    nodePaths: installed,
    outfile,
    banner: { js: record ? RECORDER : "" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["h5-source"],
    logLevel: "silent",
  });
  const env = { ...process.env, H5_PRINTED: `${target}.json` };
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: ROOT, env, timeout: 20_000 });
  return stdout;
}
