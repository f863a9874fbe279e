/** A child process that copies files and compares what it reads in the copies, one at a time, until its parent goes. */
import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { copyFile, toJson } from "@h5/cli";
import { defaultFilters } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import { isH5Error } from "@h5/framing";
import { fileSource } from "@h5/framing/node";
import type { H5File } from "@h5/reader";
import { openResolved } from "@h5/resolver";
import { folderResolver } from "@h5/resolver/node";
import { memorySink } from "@h5/writer";
import { compareDocuments } from "./compare.ts";
import type { Difference } from "./difference.ts";
import { type Document, withoutDangling } from "./document.ts";

/** What the parent sends. */
export interface CopyTask {
  readonly file: string;
  /** Where the copy is to be left, if it is wanted. */
  readonly copy?: string | undefined;
}

process.on("message", async ({ file, copy }: CopyTask) => {
  try {
    process.send!(await checkCopy(file, copy));
  } catch (error) {
    process.send!([{ path: "", what: "untyped error", expected: "a copy", actual: String((error as Error).stack) }]);
  }
});

const allFilters = [...defaultFilters, ...communityFilters];

/** How a copy differs. A file that we cannot read is not to be copied. */
async function checkCopy(path: string, copy: string | undefined): Promise<readonly Difference[]> {
  const source = await fileSource(path);
  const companions = folderResolver(dirname(path));
  const openAt = (bytes: typeof source | Uint8Array): Promise<H5File> =>
    openResolved({ name: path, source: bytes }, companions, { filters: allFilters });
  try {
    const file = await attempted(openAt(source));
    if (!("kind" in file)) return [];
    const document = await documentOf(file);
    const sink = memorySink();
    const failed = await attempted(copyFile(file, sink));
    if (failed !== undefined) return failed.refusal(document);
    if (copy !== undefined) leave(copy, sink.bytes());
    const { superblock: _, userblock: __, ...comparable } = document;
    return compareDocuments(comparable, await documentOf(await openAt(sink.bytes())));
  } finally {
    await Promise.all([source.close(), companions.close()]);
  }
}

/** What was promised, or what a typed error comes to. */
async function attempted<T>(work: Promise<T>): Promise<T | { refusal(document: Document): readonly Difference[] }> {
  try {
    return await work;
  } catch (error) {
    if (!isH5Error(error)) throw error;
    const message = `${error.code}: ${error.message}`;
    // What cannot be read cannot be copied, and a copy of the rest would be no copy.
    const refusal = (document: Document): readonly Difference[] =>
      hasErrors(document)
        ? []
        : [{ path: "", what: "not copied", expected: "a copy", actual: message, error: message }];
    return { refusal };
  }
}

function hasErrors({ objects = {} }: Document): boolean {
  return Object.values(objects).some(({ error, attrs_error, attrs = {} }) => {
    return error !== undefined || attrs_error !== undefined || Object.values(attrs).some((attr) => attr.error);
  });
}

/** Where the copy is to go there may be a link to the file itself. */
function leave(copy: string, bytes: Uint8Array): void {
  rmSync(copy, { force: true });
  writeFileSync(copy, bytes);
}

async function documentOf(file: H5File): Promise<Document> {
  return withoutDangling(JSON.stringify(await toJson(file)));
}
