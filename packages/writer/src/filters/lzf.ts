import { lzfEncoder } from "@h5/filters/lzf";
import { type ChunkFilter, chunkElements } from "./chunk-filter.ts";

/** Revision of the filter (`H5PY_FILTER_LZF_VERSION` in h5py's lzf_filter.h). */
const FILTER_VERSION = 4;
/** Version of LibLZF (`LZF_VERSION` in its lzf.h). */
const LIBRARY_VERSION = 0x0105;

/** h5py's LZF filter, optional, as h5py has it; its last parameter is the size of a chunk (lzf_filter.c). */
export function lzf(): ChunkFilter {
  return {
    encoder: lzfEncoder,
    optional: true,
    params: (dataset) => [FILTER_VERSION, LIBRARY_VERSION, chunkElements(dataset) * dataset.datatype.size],
  };
}
