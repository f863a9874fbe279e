import { InvalidArgumentError } from "@h5/framing";
import { type NameOptions, namedSources } from "./named-sources.ts";
import type { Resolver } from "./resolver.ts";

/** The part of a `File` a resolver needs. */
export interface NamedBlob extends Blob {
  readonly name: string;
  /** Path below the folder the user chose, where it was a folder. */
  readonly webkitRelativePath?: string | undefined;
}

/**
 * A resolver over the files a user dropped or chose: a `FileList` or an array of `File`s, called by their paths below the
 * folder that was chosen, or by their names.
 *
 * @throws InvalidArgumentError where two have one name
 */
export function fileListResolver(files: Iterable<NamedBlob> | ArrayLike<NamedBlob>, options?: NameOptions): Resolver {
  const byName = new Map<string, NamedBlob>();
  for (const file of Array.from(files)) {
    const name = file.webkitRelativePath || file.name;
    if (byName.has(name)) throw new InvalidArgumentError(`two files are called ${JSON.stringify(name)}`);
    byName.set(name, file);
  }
  return namedSources(byName, options);
}
