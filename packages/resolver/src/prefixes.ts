import type { ResolveRequest } from "./resolver.ts";

/**
 * Folders in which files are looked for first, as libhdf5 takes them from the environment or from property lists. They
 * are options, never read from the environment. One that begins with `${ORIGIN}` begins at the folder of the file that
 * asks.
 */
export interface Prefixes {
  /** For external links: `HDF5_EXT_PREFIX`, `H5Pset_elink_prefix`. */
  readonly externalLink?: readonly string[] | undefined;
  /** For external raw data: `HDF5_EXTFILE_PREFIX`, `H5Pset_efile_prefix`. */
  readonly rawData?: readonly string[] | undefined;
  /** For sources of virtual datasets: `HDF5_VDS_PREFIX`, `H5Pset_virtual_prefix`. */
  readonly virtualSource?: readonly string[] | undefined;
}

/** The prefixes for what asks, each ending in `/`. */
export function prefixesFor(prefixes: Prefixes | undefined, kind: ResolveRequest["kind"], origin: string): string[] {
  const list = prefixList(prefixes, kind) ?? [];
  return list.map((prefix) => prefix.replace(/^\$\{ORIGIN\}\/?/, () => origin).replace(/(?<!\/)$/, "/"));
}

/** The prefixes that say by themselves where they lead. */
export function fixedPrefixes(prefixes: Prefixes = {}): string[] {
  const { externalLink = [], rawData = [], virtualSource = [] } = prefixes;
  return [...externalLink, ...rawData, ...virtualSource].filter((prefix) => !/^\$\{ORIGIN\}/.test(prefix));
}

function prefixList(prefixes: Prefixes | undefined, kind: ResolveRequest["kind"]): readonly string[] | undefined {
  switch (kind) {
    case "external link":
      return prefixes?.externalLink;
    case "raw data":
      return prefixes?.rawData;
    case "virtual source":
      return prefixes?.virtualSource;
    default:
      return undefined;
  }
}
