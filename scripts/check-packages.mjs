// Packs each published package and checks the tarball as a consumer would see it: publint, the types by attw, and a
// program that imports every entry point of all of them, compiled without skipLibCheck.
// Run it through pnpm, after a build: `pnpm check:packages`.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pack, published, root } from "./packed.mjs";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "h5-packages-"));

/** All that a package holds: what is built, its sources, a command, and what people read. */
const SHIPPED =
  /^package\/(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.*\.(js|js\.map|d\.ts)|src\/.*\.ts|bin\/\w+\.js)$/;

/** What is wrong with what is in the tarball, beyond what the tools say. */
function contents(tarball) {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const missing = ["package/LICENSE", "package/README.md", "package/dist/index.js", "package/dist/index.d.ts"]
    .concat("package/src/index.ts")
    .filter((file) => !files.includes(file));
  const surplus = files.filter((file) => !SHIPPED.test(file) || file.endsWith(".test.ts"));
  return [...missing.map((file) => `missing ${file}`), ...surplus.map((file) => `ships ${file}`)];
}

async function check(name) {
  const tarball = pack(name, folder);
  const faults = contents(tarball);
  const tools = [
    ["publint", "run", tarball, "--strict"],
    ["attw", tarball, "--profile", "esm-only", "--no-emoji"],
  ];
  for (const [tool, ...options] of tools) {
    const { stdout, stderr, code } = await run(join(root, "node_modules/.bin", tool), options).catch((error) => error);
    if (code) faults.push(`${tool}:\n${stdout}${stderr}`);
  }
  console.log(faults.length === 0 ? `ok   @h5/${name}` : `FAIL @h5/${name}\n${faults.join("\n")}`);
  return faults.length === 0;
}

/** Compiles a program against what the tarballs hold, as an installation lays it out. */
async function consume(names) {
  const consumer = join(folder, "consumer");
  const imports = [];
  for (const name of names) {
    const home = join(consumer, "node_modules/@h5", name);
    mkdirSync(home, { recursive: true });
    execFileSync("tar", [
      "-xzf",
      join(folder, name, readdirSync(join(folder, name))[0]),
      "-C",
      home,
      "--strip-components=1",
    ]);
    const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    for (const entry of Object.keys(exports))
      if (!entry.endsWith(".json")) imports.push(`@h5/${name}${entry.slice(1)}`);
  }
  const lines = imports.map((entry, i) => `import * as m${i} from "${entry}";\nexport { m${i} };\n`);
  writeFileSync(join(consumer, "program.mts"), lines.join(""));
  const faults = [];
  for (const module of ["nodenext", "bundler"]) {
    const flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--skipLibCheck", "false"];
    const how =
      module === "bundler" ? ["--module", "esnext", "--moduleResolution", "bundler"] : ["--module", "nodenext"];
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout, code } = await run(tsc, [...flags, ...how, "program.mts"], { cwd: consumer }).catch(
      (error) => error,
    );
    if (code) faults.push(`${module}:\n${stdout}`);
  }
  console.log(faults.length === 0 ? `ok   ${imports.length} imports` : `FAIL imports\n${faults.join("\n")}`);
  return faults.length === 0;
}

try {
  const results = [];
  for (const name of published()) results.push(await check(name));
  results.push(await consume(published()));
  if (results.includes(false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
