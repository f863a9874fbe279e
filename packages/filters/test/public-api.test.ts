import { describe, expect, it } from "vitest";

describe("the public API", () => {
  it("is this", async () => {
    expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
      "applyDecoders",
      "applyDecodersSync",
      "applyEncoders",
      "decodeFilterPipeline",
      "defaultFilters",
      "encodeFilterPipeline",
      "filterName",
      "missingFilter",
      "missingFilterError",
      "sizeOfFilterPipeline",
    ]);
  });

  it("has a subpath for each filter", async () => {
    const names = await Promise.all([
      import("@h5/filters/deflate"),
      import("@h5/filters/inflate"),
      import("@h5/filters/shuffle"),
      import("@h5/filters/fletcher32"),
      import("@h5/filters/szip"),
      import("@h5/filters/szip-encode"),
      import("@h5/filters/nbit"),
      import("@h5/filters/scale-offset"),
      import("@h5/filters/scale-offset-encode"),
      import("@h5/filters/lzf"),
      import("@h5/filters/lz4"),
      import("@h5/filters/bitshuffle"),
      import("@h5/filters/blosc"),
      import("@h5/filters/zstd"),
      import("@h5/filters/blosc2"),
      import("@h5/filters/bzip2"),
      import("@h5/filters/zfp"),
      import("@h5/filters/community"),
    ]);
    expect(names.flatMap((module) => Object.keys(module)).sort()).toEqual([
      "bitshuffleDecoder",
      "bitshuffleEncoder",
      "blosc2Decoder",
      "bloscDecoder",
      "bloscEncoder",
      "bzip2Decoder",
      "communityFilters",
      "deflateDecoder",
      "deflateEncoder",
      "fletcher32",
      "fletcher32Decoder",
      "fletcher32Encoder",
      "lz4Decoder",
      "lz4Encoder",
      "lzfDecoder",
      "lzfEncoder",
      "nbitDecoder",
      "nbitEncoder",
      "scaleOffsetDecoder",
      "scaleOffsetEncoder",
      "shuffleDecoder",
      "shuffleEncoder",
      "szipDecoder",
      "szipEncoder",
      "zfpDecoder",
      "zstdDecoder",
    ]);
  });
});
