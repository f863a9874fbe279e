/** A child process that reads files and compares them, one at a time, until its parent goes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { toJson } from "@h5/cli";
import { defaultFilters } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import { isH5Error } from "@h5/framing";
import { fileSource } from "@h5/framing/node";
import { openResolved } from "@h5/resolver";
import { folderResolver } from "@h5/resolver/node";
import { compareDocuments } from "./compare.ts";
import type { Difference } from "./difference.ts";
import type { Document } from "./document.ts";

/** What the parent sends: paths of a file and of what libhdf5 reads in it. */
export interface Task {
  readonly file: string;
  readonly expected: string;
}

const allFilters = [...defaultFilters, ...communityFilters];

/** Our document as it would be printed, or the error that the file does not open with. */
async function read(path: string): Promise<Document> {
  const source = await fileSource(path);
  const companions = folderResolver(dirname(path));
  try {
    const document = await toJson(
      await openResolved({ name: path, source }, companions, { filters: allFilters }),
      basename(path),
    );
    return JSON.parse(JSON.stringify(document)) as Document;
  } catch (error) {
    if (isH5Error(error)) return { error: { code: error.code, message: error.message } };
    return { error: { code: "UNTYPED", message: (error as Error).stack ?? String(error) } };
  } finally {
    await Promise.all([source.close(), companions.close()]);
  }
}

/** Values that libhdf5 read in another version of the file prove nothing about this one. */
function staleness(file: string, { sha256 }: Document): Difference[] {
  const own = createHash("sha256").update(readFileSync(file)).digest("hex");
  if (sha256 === undefined || sha256 === own) return [];
  const difference = { path: "", what: "sha256 of the file", expected: sha256, actual: own };
  return [{ ...difference, error: "the expected values are those of another file" }];
}

process.on("message", async ({ file, expected }: Task) => {
  const actual = await read(file);
  const document = JSON.parse(readFileSync(expected, "utf8")) as Document;
  const stale = staleness(file, document);
  process.send!(stale.length > 0 ? stale : compareDocuments(document, actual));
});
