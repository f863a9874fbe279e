import { deflateDecoder } from "#inflate";
import type { Decoder } from "./filter.ts";
import { fletcher32Decoder } from "./fletcher32.ts";
import { lzfDecoder } from "./lzf.ts";
import { nbitDecoder } from "./nbit.ts";
import { scaleOffsetDecoder } from "./scale-offset.ts";
import { shuffleDecoder } from "./shuffle.ts";
import { szipDecoder } from "./szip.ts";

/** Decoders of every filter libhdf5 itself has, and of h5py's LZF. To add one: `[...defaultFilters, mine]`. */
export const defaultFilters: readonly Decoder[] = [
  deflateDecoder,
  shuffleDecoder,
  fletcher32Decoder,
  szipDecoder,
  nbitDecoder,
  scaleOffsetDecoder,
  lzfDecoder,
];
