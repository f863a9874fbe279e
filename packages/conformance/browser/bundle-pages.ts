import { join } from "node:path";
import { build } from "esbuild";

/**
 * The scripts of pages and workers by their paths, as a bundler makes them for a browser from the packages' sources; and
 * for each script (`/page.js`) a page (`/page`) with a place to choose or drop a file.
 */
export async function bundlePages(): Promise<Map<string, Uint8Array | string>> {
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
  const pages = new Map<string, Uint8Array | string>();
  for (const { path, contents } of outputFiles) {
    pages.set(path, contents);
    pages.set(path.replace(/\.js$/, ""), htmlOf(path));
  }
  return pages;
}

function htmlOf(script: string): string {
  return `<!doctype html><meta charset=utf-8><title>h5</title><input type=file><script type=module src=${script}></script>`;
}
