import type { Child, Group, H5File, H5Object } from "@h5/reader";
import { attributeLines } from "./attributes.ts";
import { describeLink, describeObject, describeStorage, orUnreadable } from "./describe.ts";
import type { Output } from "./output.ts";
import { alignColumns } from "./table.ts";

export interface LsOptions {
  readonly recursive?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** Rows whose columns are aligned together: output begins before a large file is walked. */
const PAGE = 1000;

/**
 * Lists what is at `path`: the links of a group (with all below it, if recursive), or the object itself. What cannot be
 * read is listed as that, the others all the same.
 */
export async function ls(file: H5File, path: string, options: LsOptions, output: Output): Promise<void> {
  const object = await file.get(path);
  if (object.kind !== "group") {
    printRows([await rowsOf(output.colors.bold(path), object, options, output)], output);
    return;
  }
  let page: Row[][] = [];
  for await (const [name, child] of options.recursive ? everythingBelow(object) : childrenOf(object)) {
    page.push(await rowsOfChild(name, child, options, output));
    if (page.length === PAGE) {
      printRows(page, output);
      page = [];
    }
  }
  printRows(page, output);
}

/** Cells of a line, or a line of its own below the one before. */
type Row = readonly string[] | string;

async function* childrenOf(group: Group): AsyncGenerator<[string, Child]> {
  for (const child of await group.children()) yield [child.link.name, child];
}

async function* everythingBelow(group: Group): AsyncGenerator<[string, Child & { readonly cycle?: boolean }]> {
  for await (const child of group.visit()) yield [child.path ?? child.link.name, child];
}

async function rowsOfChild(
  name: string,
  { link, object, error, cycle }: Child & { readonly cycle?: boolean },
  options: LsOptions,
  output: Output,
): Promise<Row[]> {
  const { bold, cyan } = output.colors;
  if (error !== undefined) return [[name, output.unreadable(error)]];
  if (object === undefined)
    return [[cyan(name), ...(link.type === "hard" || link.type === "broken" ? [] : describeLink(link))]];
  if (cycle) return [[bold(name), "group", "(one of its own ancestors)"]];
  return await rowsOf(object.kind === "group" ? bold(name) : name, object, options, output);
}

async function rowsOf(name: string, object: H5Object, options: LsOptions, output: Output): Promise<Row[]> {
  const row = [name, ...describeObject(object, output)];
  return options.verbose ? [row, ...(await details(object, output))] : [row];
}

/** What `-v` adds below an object's line. */
async function details(object: H5Object, output: Output): Promise<string[]> {
  const lines = [`address: ${object.address}`];
  if (object.kind === "dataset") lines.push(`storage: ${orUnreadable(() => describeStorage(object), output)}`);
  if (object.kind === "group") lines.push(`links: ${orUnreadable(() => object.linkStorage, output)}`);
  const comment = orUnreadable(() => (object.comment === undefined ? "" : JSON.stringify(object.comment)), output);
  const modified = orUnreadable(() => object.modified?.toISOString() ?? "", output);
  if (comment !== "") lines.push(`comment: ${comment}`);
  if (modified !== "") lines.push(`modified: ${modified}`);
  return [...lines.map((line) => output.colors.dim(`    ${line}`)), ...(await attributeLines(object, "    ", output))];
}

function printRows(page: readonly (readonly Row[])[], output: Output): void {
  const rows = page.flat();
  const aligned = alignColumns(rows.filter((row) => typeof row !== "string"));
  let next = 0;
  for (const row of rows) output.line(typeof row === "string" ? row : aligned[next++]!);
}
