import { bitshuffleEncoder } from "@h5/filters/bitshuffle";
import { type ChunkFilter, onlyIfSmaller } from "./chunk-filter.ts";

/** The version of the plugin that these chunks are like (`BSHUF_VERSION_MAJOR` and `MINOR` in bitshuffle_core.h). */
const VERSION = [0, 4];

/**
 * The registered bitshuffle filter with LZ4, optional, which takes the place of `shuffle()` and a compression. libhdf5
 * reads it with a plugin, as hdf5plugin for Python has it. The parameters are described at `bitshuffleDecoder`.
 */
export function bitshuffle(): ChunkFilter {
  return {
    encoder: onlyIfSmaller(bitshuffleEncoder),
    optional: true,
    params: ({ datatype }) => [...VERSION, datatype.size, 0, 2],
  };
}
