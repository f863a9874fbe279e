// Bundles the fuzzer from the packages' sources, since Node 20 runs no TypeScript, and runs it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
// Two may run at once.
const built = join(here, "dist", String(process.pid));

try {
  await build({
    entryPoints: ["main", "worker"].map((name) => join(here, "src", `${name}.ts`)),
    outdir: built,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    sourcemap: "linked",
    sourcesContent: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["h5-source"],
    external: ["acorn", "ast-v8-to-istanbul", "istanbul-lib-coverage", "@bcoe/v8-coverage"],
    logLevel: "warning",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const { main } = await import(join(built, "main.mjs"));
  process.exitCode = await main(here, join(built, "worker.mjs"), process.argv.slice(2));
} finally {
  rmSync(built, { recursive: true, force: true });
}
