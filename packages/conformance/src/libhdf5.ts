import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Case, FIXTURES } from "./cases.ts";
import { compareDocuments } from "./compare.ts";
import type { Difference } from "./difference.ts";
import { type Document, withoutDangling } from "./document.ts";
import type { Outcome } from "./pool.ts";

/** Debian's, for which it has h5py. */
const PYTHON = "/usr/bin/python3";
const CANON = join(FIXTURES, "make/canon.py");

/**
 * Compares what libhdf5 reads in copies with what is expected of their files; where that differs, with what the same
 * library reads in the files, which may be too new for it.
 */
export function compareInLibhdf5(cases: readonly Case[], copies: string, scratch: string): Outcome[] {
  const names = cases.map(({ name }) => name);
  const ofCopies = readDocuments(copies, names, join(scratch, "copies"));
  const differencesOf = (one: Case, expected: Document): readonly Difference[] => {
    const { superblock: _, userblock: __, ...comparable } = expected;
    return compareDocuments(comparable, refusalOf(ofCopies(one.name)));
  };
  const outcomes = cases.map((one) => {
    return { case: one, differences: differencesOf(one, readDocument(one.expected)) };
  });
  return outcomes.map((outcome) => {
    if (outcome.differences.length === 0) return outcome;
    const { file } = outcome.case;
    const own = readDocuments(dirname(file), [basename(file)], join(scratch, "files"));
    return { ...outcome, differences: differencesOf(outcome.case, own(basename(file))) };
  });
}

/** A copy that libhdf5 refuses is one that does not open. */
function refusalOf(document: Document): Document {
  const { open_error, root_error, crash } = document;
  const message = open_error ?? root_error ?? (crash ? "libhdf5 died" : undefined);
  return message === undefined ? document : { error: { code: "INVALID_FIELD", message } };
}

/** What libhdf5 reads of files of a folder, by their names; the documents are left in `scratch`. */
export function readDocuments(
  folder: string,
  names: readonly string[],
  scratch: string,
  canon: string = CANON,
): (name: string) => Document {
  mkdirSync(scratch, { recursive: true });
  const list = join(scratch, "list.txt");
  writeFileSync(list, names.map((name) => `${name}\n`).join(""));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: libhdf5 puts the file's folder in its place.
  const beside = { HDF5_EXTFILE_PREFIX: "${ORIGIN}", HDF5_VDS_PREFIX: "${ORIGIN}" };
  const options = ["--list", list, "--force", "--jobs", "2"];
  const run = spawnSync(PYTHON, [canon, folder, scratch, ...options], {
    env: { ...process.env, ...beside },
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`${PYTHON} ${canon}: ${run.stderr || run.error}`);
  return (name) => readDocument(join(scratch, `${name}.json`));
}

function readDocument(path: string): Document {
  return withoutDangling(readFileSync(path, "utf8"));
}
