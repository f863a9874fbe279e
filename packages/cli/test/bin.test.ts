import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, temporaryFolder } from "./bundle.ts";
import { fixture } from "./run.ts";

const folder = temporaryFolder();
let bin: string;

beforeAll(async () => {
  bin = await bundleProgram("src/bin.ts", folder);
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

  it("ends quietly behind a pipe to head", { timeout: 30_000 }, () => {
    const files = Array<string>(40)
      .fill(`"${fixture("references")}"`)
      .join(" ");
    const command = `"${process.execPath}" "${bin}" dump --json ${files} | head -c 10`;
    const run = spawnSync("bash", ["-o", "pipefail", "-c", command], { encoding: "utf8" });
    expect([run.status, run.stderr, run.stdout]).toEqual([0, "", '{"file":"r']);
  });
});
