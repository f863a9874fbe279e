import { shuffleEncoder } from "@h5/filters/shuffle";
import type { ChunkFilter } from "./chunk-filter.ts";

/** The shuffle filter, optional, as `H5Pset_shuffle` has it; its parameter is the element's size (H5Zshuffle.c). */
export function shuffle(): ChunkFilter {
  return { encoder: shuffleEncoder, optional: true, params: ({ datatype }) => [datatype.size] };
}
