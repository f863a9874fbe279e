import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkFile } from "@h5/cli";
import { bytesSource } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { casesOf, corpusFolder } from "../src/cases.ts";
import { readList } from "../src/known-failures.ts";

const folder = corpusFolder();
const KNOWN = join(import.meta.dirname, "../known-findings.txt");

/** Statuses of the files found in the field; those made for the corpus have none. */
function statuses(corpus: string): Map<string, string> {
  const manifest = join(corpus, "real-manifest.tsv");
  const [header, ...rows] = existsSync(manifest) ? readFileSync(manifest, "utf8").trimEnd().split("\n") : [];
  const column = header?.split("\t").indexOf("status") ?? -1;
  return new Map(
    rows.map((row) => {
      const cells = row.split("\t");
      return [`real/${cells[0]}/${cells[1]}`, cells[column]!];
    }),
  );
}

/** Names of the files that libhdf5 reads in which the check finds errors. */
async function faulty(corpus: string): Promise<string[]> {
  const known = statuses(corpus);
  const found: string[] = [];
  for (const { name, file } of casesOf(corpus)) {
    if ((known.get(name) ?? "ok") !== "ok") continue;
    const findings = await checkFile(bytesSource(new Uint8Array(readFileSync(file))));
    if (findings.some(({ severity }) => severity === "error")) found.push(name);
  }
  return found;
}

describe.skipIf(folder === undefined)("h5 check", () => {
  it("finds errors in the files listed, and in no others that libhdf5 reads", { timeout: 900_000 }, async () => {
    expect(await faulty(folder!)).toEqual([...readList(KNOWN).keys()].sort());
  });
});
