// Bundles the page into dist/, with the built packages; `--serve` serves it too, and bundles again on each reload.
// `--conditions=h5-source` takes the packages' sources instead.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { context } from "esbuild";

const { values } = parseArgs({
  options: {
    outdir: { type: "string", default: join(import.meta.dirname, "dist") },
    conditions: { type: "string", multiple: true, default: [] },
    serve: { type: "boolean", default: false },
  },
});
const bundle = await context({
  entryPoints: [join(import.meta.dirname, "src/main.ts")],
  outdir: values.outdir,
  conditions: values.conditions,
  bundle: true,
  // What the packages load when it is first needed stays apart.
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
  // The built packages' parts import one another for nothing here and there; outside of node_modules esbuild warns of each.
  logOverride: { "ignored-bare-import": "silent" },
});
await bundle.rebuild();
cpSync(join(import.meta.dirname, "index.html"), join(values.outdir, "index.html"));

if (values.serve) {
  const { port } = await bundle.serve({ servedir: values.outdir, host: "127.0.0.1" });
  console.log(`http://localhost:${port}`);
} else {
  await bundle.dispose();
}
