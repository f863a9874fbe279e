import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram } from "@h5/testing/bundle";
import { expect, it } from "vitest";
import { runMutants } from "../src/pool.ts";
import { seedsIn } from "../src/seeds.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures");
const folder = temporaryFolder();

it("tells of each file's own bytes, however far the process is by then", { timeout: 60_000 }, async () => {
  const files = seedsIn(fixtures).slice(0, 12);
  const worker = await bundleProgram(join(import.meta.dirname, "../src/worker.ts"), folder);
  const read: [string, Buffer][] = [];
  await runMutants({
    ...{ worker, folder, fixtures, mode: "files", files, seed: 0, count: files.length },
    onRead(name, _, bytes) {
      read.push([name, Buffer.from(bytes)]);
      // Long enough for the process to go on.
      for (const until = performance.now() + 20; performance.now() < until; );
    },
  });
  expect(read).toEqual(files.map(({ path, name }) => [name, readFileSync(path)]));
});
