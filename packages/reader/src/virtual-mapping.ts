import { InvalidFieldError, isH5Error } from "@h5/framing";
import type { Selection, VirtualMapping } from "@h5/selection";
import { parseSourceName } from "./virtual-names.ts";

/** Where a virtual mapping's source is: names as they are opened. */
export interface SourcePlace {
  /** `"."` for the virtual dataset's own file. */
  readonly file: string;
  readonly dataset: string;
}

/** A mapping whose selections end somewhere. */
export interface SettledMapping extends SourcePlace {
  readonly source: Selection;
  readonly virtual: Selection;
}

/** The mapping as it stands, of one that is not unlimited. */
export function fixedMapping({ file, dataset, source, virtual }: VirtualMapping): SettledMapping {
  return { file: fixedName(file), dataset: fixedName(dataset), source, virtual };
}

function fixedName(name: string): string {
  const parsed = parseSourceName(name);
  if (parsed.length === 1) return parsed[0]!;
  throw brokenMapping(`${JSON.stringify(name)} has a block number, but the mapping has no end of blocks`);
}

/** A mapping that makes no sense. */
export function brokenMapping(message: string): InvalidFieldError {
  return new InvalidFieldError(message, { structure: "virtual dataset mappings" });
}

/** Does something with a mapping's selections, of which those that do not fit their arrays are the file's fault. */
export function withinMapping<T>({ file, dataset }: SourcePlace, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!isH5Error(cause, "INVALID_ARGUMENT")) throw cause;
    throw brokenMapping(`${dataset} of ${file}: ${cause.message}`);
  }
}
