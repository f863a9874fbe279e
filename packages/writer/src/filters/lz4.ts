import { lz4Encoder } from "@h5/filters/lz4";
import { type ChunkFilter, onlyIfSmaller } from "./chunk-filter.ts";

/** The registered LZ4 filter, optional. libhdf5 reads it with a plugin, as hdf5plugin for Python has it. */
export function lz4(): ChunkFilter {
  return { encoder: onlyIfSmaller(lz4Encoder), optional: true, params: () => [0] };
}
