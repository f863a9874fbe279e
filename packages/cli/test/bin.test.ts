import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { bundleProgram } from "@h5/testing/bundle";
import { createFile } from "@h5/writer";
import { beforeAll, describe, expect, it } from "vitest";
import { fixture } from "./run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
let bin: string;

beforeAll(async () => {
  bin = await bundleProgram(join(import.meta.dirname, "../src/bin.ts"), folder);
}, 60_000);

describe("the program", () => {
  it("writes to the process's streams and exits with main's status", { timeout: 30_000 }, () => {
    const good = spawnSync(process.execPath, [bin, "ls", fixture("ordered")], { encoding: "utf8" });
    expect([good.status, good.stderr, good.stdout.split("\n").length]).toEqual([0, "", 6]);
    const text = join(folder, "text.h5");
    writeFileSync(text, "nothing of the kind");
    const bad = spawnSync(process.execPath, [bin, "ls", text], { encoding: "utf8" });
    expect([bad.status, bad.stdout]).toEqual([1, ""]);
    expect(bad.stderr).toMatch(/^h5: [^\n]+\n$/);
  });

  it("ends quietly when who reads its output has enough", { timeout: 30_000 }, async () => {
    const program = spawn(process.execPath, [bin, "dump", "-a", fixture("references")]);
    program.stdout.once("data", () => program.stdout.destroy());
    let err = "";
    program.stderr.on("data", (text) => {
      err += text;
    });
    const status = await new Promise((resolve) => program.on("close", resolve));
    expect([status, err]).toEqual([0, ""]);
  });

  it("leaves nothing behind of a copy that is interrupted", { timeout: 60_000 }, async () => {
    const from = join(folder, "from.h5");
    const noise = new Uint32Array(2 ** 23);
    for (let i = 0, x = 1; i < noise.length; i++) noise[i] = x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    const file = createFile();
    file.dataset("noise", noise, { chunks: [2 ** 16], copy: false });
    writeFileSync(from, await file.encode());
    const out = mkdtempSync(join(folder, "out-"));
    const program = spawn(process.execPath, [bin, "copy", from, join(out, "to.h5"), "--filter", "deflate:9"]);
    let err = "";
    program.stderr.on("data", (text) => {
      err += text;
    });
    const status = new Promise((resolve) => program.on("close", resolve));
    while (readdirSync(out).length === 0) await setTimeout(20);
    program.kill("SIGINT");
    expect(await status).toBe(1);
    expect(err).toMatch(/^h5: [^\n]*interrupted\n$/);
    expect(readdirSync(out)).toEqual([]);
  });

  it("ends quietly behind a pipe to head", { timeout: 30_000 }, () => {
    const files = Array<string>(40)
      .fill(`"${fixture("references")}"`)
      .join(" ");
    const command = `"${process.execPath}" "${bin}" dump --json ${files} | head -c 10`;
    const run = spawnSync("bash", ["-o", "pipefail", "-c", command], { encoding: "utf8" });
    expect([run.status, run.stderr, run.stdout]).toEqual([0, "", '{"file":"r']);
  });
});
