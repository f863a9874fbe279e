import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";

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

/** What a page downloads. */
export interface PageBundle {
  /** Minified. */
  readonly code: string;
  /** The files that gave code to it, below packages/. */
  readonly inputs: readonly string[];
}

/**
 * Bundles a module for browsers from the packages' sources.
 *
 * @param folder - of the package whose dependencies it imports
 * @param first - only what is loaded first: what `import()` loads is left out
 */
export async function bundlePage(module: string, folder: string, first: boolean): Promise<PageBundle> {
  const { outputFiles = [], metafile } = await build({
    stdin: { contents: module, loader: "ts", resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "esm",
    conditions: ["h5-source"],
    absWorkingDir: folder,
    logLevel: "silent",
    plugins: first ? [dynamicImportsStay] : [],
  });
  const used = Object.values(metafile!.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const inputs = used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path.replace(/^\.\.\//, ""));
  return { code: outputFiles[0]!.text, inputs };
}

const dynamicImportsStay: Plugin = {
  name: "dynamic imports stay",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined));
  },
};
