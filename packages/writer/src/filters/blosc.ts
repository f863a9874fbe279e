import { bloscEncoder } from "@h5/filters/blosc";
import { type ChunkFilter, chunkElements, onlyIfSmaller, refuse } from "./chunk-filter.ts";

/** Revision of the filter (`FILTER_BLOSC_VERSION` in blosc_filter.h), and of the frames (`BLOSC_VERSION_FORMAT`). */
const VERSIONS = [2, 2];
/** The largest element that a frame has a number for; larger ones count as bytes (`BLOSC_MAX_TYPESIZE`). */
const MAX_SIZE = 255;
const LEVEL = 5;
const LZ4 = 1;

/**
 * The registered Blosc filter (version 1) with LZ4, optional, which shuffles bytes or bits itself. libhdf5 reads it with a
 * plugin, as hdf5plugin for Python and PyTables have it.
 *
 * @throws InvalidArgumentError for another shuffle
 */
export function blosc(shuffle: "none" | "bytes" | "bits" = "bytes"): ChunkFilter {
  const kind = ["none", "bytes", "bits"].indexOf(shuffle);
  if (kind < 0) refuse("blosc", `expected the shuffle "none", "bytes" or "bits", got ${shuffle}`);
  return {
    encoder: onlyIfSmaller(bloscEncoder),
    optional: true,
    params: (dataset) => {
      const { size } = dataset.datatype;
      return [...VERSIONS, size > MAX_SIZE ? 1 : size, chunkElements(dataset) * size, LEVEL, kind, LZ4];
    },
  };
}
