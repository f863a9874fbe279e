// Bundles the benches from the sources, since Node 20 runs no TypeScript, and runs one in a process that can collect
// garbage on demand. Without arguments: what there is.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
// Inside the package, where the libraries compared with are found; two may run at once.
const built = join(here, "dist", String(process.pid));
const namesIn = (folder, suffix) =>
  readdirSync(join(here, "src", folder))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length));
const cases = namesIn("cases", ".ts");
const peers = ["ours", "h5wasm", "jsfive"];
const [name, ...rest] = process.argv.slice(2);

/** Gives the exit code. */
function run(file, args) {
  return spawnSync(file, args, { stdio: "inherit" }).status ?? 1;
}

if (name === "generate") {
  process.exitCode = run("/usr/bin/python3", [join(here, "data", "generate.py"), ...rest]);
} else {
  try {
    await build({
      entryPoints: [
        join(here, "src", "main.ts"),
        ...cases.map((each) => join(here, "src", "cases", `${each}.ts`)),
        ...peers.map((each) => join(here, "src", "peers", `${each}.ts`)),
      ],
      outdir: built,
      outbase: join(here, "src"),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      conditions: ["h5-source"],
      external: ["h5wasm", "jsfive"],
      logLevel: "warning",
    });
    const script = cases.includes(name) ? join("cases", `${name}.js`) : "main.js";
    const args = cases.includes(name) ? rest : process.argv.slice(2);
    process.exitCode = run(process.execPath, ["--expose-gc", join(built, script), ...args]);
    if (name === undefined) console.log(`others:\n  ${cases.join("\n  ")}`);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
