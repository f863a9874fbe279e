// Bundles one case from the sources, since Node 20 runs no TypeScript, and runs it in a process of its own that can
// collect garbage on demand: node packages/bench/run.mjs selection-runs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const cases = readdirSync(join(here, "src", "cases")).map((file) => file.replace(/\.ts$/, ""));
const name = process.argv[2];
if (!name || !cases.includes(name)) {
  console.error(`usage: node ${process.argv[1]} CASE [ARGUMENTS], where CASE is one of: ${cases.join(", ")}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "h5-bench-"));
try {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(here, "src", "cases", `${name}.ts`)],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["h5-source"],
    outfile,
    logLevel: "warning",
  });
  const { status } = spawnSync(process.execPath, ["--expose-gc", outfile, ...process.argv.slice(3)], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
