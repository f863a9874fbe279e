// Installs the published packages as their users do and runs a program on them that reads a file, writes one and reads
// that: in Node 20 and 22, Deno and Bun, through esbuild, Vite, Rollup and webpack, and in Chromium if there is one.
// Takes some minutes and 300 MB, for the runtimes. Run it through pnpm, after a build: `pnpm smoke`.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pack, published, root } from "./packed.mjs";

const TOOLS = [
  "node@22.23.1",
  "deno@2.9.6",
  "bun@1.4.5",
  "esbuild@0.28.2",
  "vite@8.4.0",
  "webpack@5.113.0",
  "webpack-cli@7.3.1",
  "rollup@4.68.8",
  "@rollup/plugin-node-resolve@16.0.3",
];
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const folder = mkdtempSync(join(tmpdir(), "h5-smoke-"));
const home = join(folder, "user");
const tools = join(folder, "tools");
const fixture = join(root, "fixtures/reader/weather.h5");
const bundled = `import("./bundle/program.mjs").then(({ smoke }) => smoke(require("node:fs").readFileSync(${JSON.stringify(fixture)}))).then((result) => console.log(JSON.stringify(result)))`;
let failed = 0;

/** What libhdf5 reads in the fixture, in the form of the program's result. */
function expected() {
  const { objects } = JSON.parse(readFileSync(fixture.replace(/h5$/, "json"), "utf8"));
  return JSON.stringify({
    title: objects["/"].attrs.title.data[0],
    temperature: objects["/temperature"].data,
    names: objects["/stations/name"].data,
  });
}

/** Runs a command in the user's folder; its output. */
async function run(command, ...options) {
  const { stdout } = await promisify(execFile)(command, options, { cwd: home, maxBuffer: 2 ** 24, timeout: 120_000 });
  return stdout.trim();
}

/** The path of a tool's command. */
function tool(name) {
  return join(tools, "node_modules/.bin", name);
}

/** One check: that what `work` gives is what libhdf5 reads. */
async function check(name, work) {
  try {
    const got = await work();
    if (got !== expected()) throw new Error(`expected ${expected()}\ngot ${got}`);
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n${error.stdout ?? ""}${error.stderr ?? ""}${error.message}`);
  }
}

/** The same for a bundle that a command makes in `bundle/`, for browsers; it runs in this Node. */
function checkBundle(name, command, ...options) {
  return check(name, async () => {
    rmSync(join(home, "bundle"), { recursive: true, force: true });
    await run(tool(command), ...options);
    return await run(process.execPath, "-e", bundled);
  });
}

function install() {
  const npm = (where, packages) =>
    execFileSync("npm", ["install", "--prefix", where, "--no-audit", "--no-fund", "--loglevel=error", ...packages]);
  for (const where of [home, tools]) {
    cpSync(join(root, "packages/conformance/smoke"), where, { recursive: true });
    writeFileSync(join(where, "package.json"), '{ "type": "module", "private": true }');
  }
  npm(
    home,
    published().map((name) => pack(name, folder)),
  );
  npm(tools, TOOLS);
}

const LIBRARY = {
  "rollup.config.mjs": `import { createRequire } from "node:module";
const resolve = createRequire(${JSON.stringify(`${tools}/`)})("@rollup/plugin-node-resolve");
export default { input: "program.mjs", output: { dir: "bundle", entryFileNames: "[name].mjs" }, plugins: [resolve({ browser: true })] };`,
  "vite.config.mjs": `export default { build: { outDir: "bundle", lib: { entry: "program.mjs", formats: ["es"], fileName: () => "program.mjs" } } };`,
  "webpack.config.mjs": `export default { mode: "production", entry: "./program.mjs", experiments: { outputModule: true },
  output: { path: ${JSON.stringify(join(home, "bundle"))}, filename: "program.mjs", chunkFilename: "[name].mjs", library: { type: "module" }, publicPath: "auto" } };`,
};

/** A page of Chromium's that loads the bundle of `page.mjs`; its title. */
async function inChromium() {
  await run(tool("esbuild"), "page.mjs", "--bundle", "--splitting", "--format=esm", "--outdir=bundle");
  const server = createServer(({ url }, response) => {
    const script = join(home, "bundle", url);
    if (url === "/weather.h5") response.end(readFileSync(fixture));
    else if (url.endsWith(".js") && existsSync(script))
      response.setHeader("content-type", "text/javascript").end(readFileSync(script));
    else
      response
        .setHeader("content-type", "text/html")
        .end("<!doctype html><meta charset=utf-8><script type=module src=page.js></script>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = `http://127.0.0.1:${server.address().port}/`;
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--virtual-time-budget=20000",
    `--user-data-dir=${folder}/profile`,
  ];
  const dom = await run(chromium, ...flags, "--dump-dom", page);
  server.close();
  return /<title>(.*)<\/title>/.exec(dom)?.[1];
}

try {
  install();
  for (const [name, text] of Object.entries(LIBRARY)) writeFileSync(join(home, name), text);
  const file = ["file.mjs", fixture];
  await check(`Node ${process.version}`, () => run(process.execPath, ...file));
  await check("Node 22", () => run(tool("node"), ...file));
  await check("Deno", () => run(tool("deno"), "run", "--allow-read", "--allow-env", ...file));
  await check("Bun", () => run(tool("bun"), ...file));
  const esbuild = ["program.mjs", "--bundle", "--format=esm", "--outdir=bundle", "--out-extension:.js=.mjs"];
  await checkBundle("esbuild", "esbuild", ...esbuild);
  await checkBundle("esbuild, split", "esbuild", ...esbuild, "--splitting");
  await checkBundle("Rollup", "rollup", "--config", "rollup.config.mjs", "--silent");
  await checkBundle("Vite", "vite", "build", "--config", "vite.config.mjs", "--logLevel", "error");
  await checkBundle("webpack", "webpack", "--config", "webpack.config.mjs");
  if (existsSync(chromium)) await check("Chromium", inChromium);
  const listed = await run(process.execPath, join(home, "node_modules/@h5/cli/bin/h5.js"), "ls", fixture);
  console.log(listed.includes("temperature") ? "ok   h5 ls" : `FAIL h5 ls\n${listed}`);
  if (failed > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
