import { type ByteSource, checkLimit, isH5Error } from "@h5/framing";
import { type H5File, open } from "@h5/reader";
import { type Check, type FileUse, warn } from "./check.ts";
import type { CheckOptions } from "./file.ts";

type Options = Pick<CheckOptions, "external" | "name" | "signal">;

/** What became of looking for a file: it, where objects may be asked of it, or why there is none. */
type Found = { readonly file?: H5File; readonly problem?: string };

/** Whether the files that links, virtual datasets and raw data lead to are there, with the objects that must be in them. */
export async function checkOtherFiles(check: Check, source: ByteSource, options: Options): Promise<void> {
  if (options.external === undefined) return;
  const files = new Map<string, Found>();
  const reported = new Set<string>();
  for (const use of check.otherFiles) {
    const key = `${use.kind}\0${use.file}`;
    if (!files.has(key)) {
      checkLimit(check.limits, "files", files.size + 1, use);
      files.set(key, await asFound(() => find(check, use, source, options)));
    }
    const { structure, address, path } = use;
    const found = files.get(key)!;
    const { problem: message } =
      found.file === undefined ? found : await asFound(() => lookUp(use, found.file!, options));
    if (message === undefined || reported.has(`${path}\0${message}`)) continue;
    warn(check, { structure, address, path, message });
    reported.add(`${path}\0${message}`);
  }
}

async function find(check: Check, { kind, file }: FileUse, source: ByteSource, options: Options): Promise<Found> {
  const { external, name, signal } = options;
  const own = kind === "virtual source" && file === ".";
  const found = own ? { name, source } : await external!.open(file, { kind, from: name, signal });
  if (found === null) return { problem: `no file ${JSON.stringify(file)}` };
  if (kind === "raw data") return {};
  const { filters, limits } = check;
  return { file: await open(found.source, { filters, limits, external, name: found.name, signal }) };
}

async function lookUp({ file: name, object = "/" }: FileUse, file: H5File, { signal }: Options): Promise<Found> {
  if (await file.has(object, { signal })) return {};
  const where = name === "." ? "" : ` in the file ${JSON.stringify(name)}`;
  return { problem: `no object ${JSON.stringify(object)}${where}` };
}

/** An error is what is wrong with the file. */
async function asFound(look: () => Promise<Found>): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { problem: error.message };
  }
}
