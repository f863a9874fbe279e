import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, text } from "./repository.ts";

/** The checklist's items: S of the selection wire format, C of what others prove, M of the design that came before. */
const ITEMS = { S: 25, C: 18, M: 107 };

interface Row {
  readonly id: string;
  readonly item: string;
  readonly shown: string;
}

const rows: Row[] = [...text("docs/audit.md").matchAll(/^\| ([SCM]\d+) \| (.*?) \| (.*) \|$/gm)].map((match) => ({
  id: match[1]!,
  item: match[2]!,
  shown: match[3]!,
}));

/** What is wrong with one entry of the last column: a test that is not there, or no reason. */
function fault(entry: string): string | undefined {
  if (/^(to come|not planned): \S/.test(entry)) return undefined;
  const fixture = /^`(fixtures\/\S+\.h5)` agrees with libhdf5$/.exec(entry)?.[1];
  if (fixture !== undefined) return agreement(fixture);
  const [, file, title] = /^`([^`]+)` › (.+)$/.exec(entry) ?? [];
  if (file === undefined || title === undefined)
    return `neither a test, a fixture, "to come: …" nor "not planned: …": ${entry}`;
  if (!/(\.test|\/matrix\/cases\/\w+)\.ts$/.test(file) || !existsSync(join(ROOT, file))) return `no test file ${file}`;
  return runs(text(file), title.replaceAll("\\|", "|")) ? undefined : `${file} has no test "${title}" that runs`;
}

/** Whether a title stands in a test file outside its comments, and none of the file's tests is skipped. */
function runs(source: string, title: string): boolean {
  const skips = /\b(it|test|describe)\.(skip|todo|only|skipIf|runIf)\b/.test(source);
  const line = source.split("\n").find((candidate) => candidate.includes(title) && !/^\s*(\/\/|\*)/.test(candidate));
  return !skips && line !== undefined;
}

/** Why a fixture shows nothing: it has no expected content, or is known not to agree with it. */
function agreement(fixture: string): string | undefined {
  const expected = fixture.replace(/\.h5$/, ".json");
  if (!existsSync(join(ROOT, fixture)) || !existsSync(join(ROOT, expected)))
    return `no fixture ${fixture} with its JSON`;
  const refused = "open_error" in (JSON.parse(text(expected)) as object);
  const listed = text("packages/conformance/known-failures.txt").includes(`${fixture}\t`);
  return refused || listed ? `${fixture} is not read` : undefined;
}

describe("docs/audit.md", () => {
  it("has every item of the checklist once, in order", () => {
    const expected = Object.entries(ITEMS).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it.each(rows)("$id is shown by a test, to come, or not planned for a reason", ({ item, shown }) => {
    expect(item).not.toBe("");
    expect(shown.split("<br>").map(fault).filter(Boolean)).toEqual([]);
  });
});
