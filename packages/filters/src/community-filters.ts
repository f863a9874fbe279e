import type { Decoder } from "./filter.ts";

/**
 * Decoders of filters registered with The HDF Group that libhdf5 has as plugins: bzip2, Blosc (1 and 2), LZ4, bitshuffle, ZFP and
 * Zstandard.
 * Each is loaded with the first chunk that needs it. To have them besides libhdf5's own:
 * `[...defaultFilters, ...communityFilters]`.
 */
export const communityFilters: readonly Decoder[] = [
  {
    id: 307,
    name: "bzip2",
    decode: async (...chunk) => (await import("./bzip2.ts")).bzip2Decoder.decode(...chunk),
  },
  {
    id: 32001,
    name: "blosc",
    decode: async (...chunk) => (await import("./blosc.ts")).bloscDecoder.decode(...chunk),
  },
  {
    id: 32004,
    name: "lz4",
    decode: async (...chunk) => (await import("./lz4.ts")).lz4Decoder.decode(...chunk),
  },
  {
    id: 32008,
    name: "bitshuffle",
    decode: async (...chunk) => (await import("./bitshuffle.ts")).bitshuffleDecoder.decode(...chunk),
  },
  {
    id: 32013,
    name: "zfp",
    decode: async (...chunk) => (await import("./zfp.ts")).zfpDecoder.decode(...chunk),
  },
  {
    id: 32015,
    name: "zstd",
    decode: async (...chunk) => (await import("./zstd.ts")).zstdDecoder.decode(...chunk),
  },
  {
    id: 32026,
    name: "blosc2",
    decode: async (...chunk) => (await import("./blosc2.ts")).blosc2Decoder.decode(...chunk),
  },
];
