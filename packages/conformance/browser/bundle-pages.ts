import { join } from "node:path";
import { build } from "esbuild";

/** The scripts of pages and workers by their paths, as a bundler makes them for a browser from the packages' sources. */
export async function bundlePages(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: ["page.ts", "worker.ts", "documents.ts", "writings.ts"].map((name) => join(import.meta.dirname, name)),
    outdir: "/",
    bundle: true,
    // Parts that the packages load by import() are files of their own, as they are in a page.
    splitting: true,
    write: false,
    platform: "browser",
    format: "esm",
    conditions: ["h5-source"],
    alias: { "node:crypto": join(import.meta.dirname, "node-crypto.ts") },
    logLevel: "warning",
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}
