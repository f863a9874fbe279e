import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matrixFiles } from "./all-cases.ts";
import { differences } from "./compare.ts";
import { type Reading, readWithLibhdf5 } from "./libhdf5-run.ts";
import { toldOf, untold } from "./untold.ts";
import { writeInto } from "./write-folder.ts";

const files = matrixFiles().filter(({ slow, untold }) => !slow && !untold);

describe("libhdf5 2.0 reads what was put in", () => {
  let folder: string;
  let readings: Map<string, Reading>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "h5-matrix-"));
    const paths: string[] = [];
    for (const file of files) {
      paths.push(await writeInto(folder, file));
      // Vitest wants to hear of its worker now and then.
      await setImmediate();
    }
    readings = await readWithLibhdf5(paths, folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(files.map(({ name }) => name))("%s", (name) => {
    const { objects, error, complaints } = readings.get(join(folder, `${name}.h5`))!;
    const expected = JSON.parse(readFileSync(join(folder, `${name}.declared.json`), "utf8"));
    expect(error).toBeUndefined();
    expect(complaints).toEqual([]);
    expect(differences(toldOf(expected), objects, untold)).toEqual([]);
  });
});
