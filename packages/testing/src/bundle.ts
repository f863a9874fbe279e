import { basename, join } from "node:path";
import { build } from "esbuild";

/** Bundles a program of a test from the packages' sources into `folder`, since Node 20 runs no TypeScript; gives its path. */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["h5-source"],
    logLevel: "warning",
    // Bundled CommonJS still calls require for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
