import { fletcher32Encoder } from "@h5/filters/fletcher32";
import type { ChunkFilter } from "./chunk-filter.ts";

/** The fletcher32 checksum, mandatory, as `H5Pset_fletcher32` has it. */
export function fletcher32(): ChunkFilter {
  return { encoder: fletcher32Encoder, optional: false, params: () => [] };
}
