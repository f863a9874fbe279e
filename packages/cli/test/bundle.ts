import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll } from "vitest";

/** A folder that goes when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "h5-cli-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Bundles a program from the packages' sources into `folder`; gives its path. `entry` is seen from this package. */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "..", entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["h5-source"],
    logLevel: "warning",
    // Bundled CommonJS still calls require for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
