import { defaultFilters } from "@h5/filters";
import { type OpenOptions as CoreOptions, open as openCore } from "./core.ts";
import type { H5File } from "./file.ts";
import type { Input } from "./input.ts";

/** Options of {@link open}: those of `@h5/reader/core`, with the built-in decoders as the default of `filters`. */
export type OpenOptions = Partial<CoreOptions>;

/** `open` of `@h5/reader/core` with the built-in filters, those of libhdf5 itself and LZF. */
export function open(input: Input, options: OpenOptions = {}): Promise<H5File> {
  return openCore(input, { ...options, filters: options.filters ?? defaultFilters });
}

export { Attribute, type AttributeSurvey, Attributes } from "./attributes.ts";
export type { Child, Visited } from "./children.ts";
export type { ChunkInfo, RawChunk, Tile } from "./chunks.ts";
export { Dataset, type GetOptions, type TileOptions } from "./dataset.ts";
export { type Dimension, type DimensionScale, dimensionScales } from "./dimension-scales.ts";
export type { ExternalFile, ExternalRequest, ExternalSources } from "./external.ts";
export { H5File, type Place, type Region } from "./file.ts";
export { Group, type H5Object } from "./group.ts";
export { type CacheOptions, type Input, sourceOf } from "./input.ts";
export type { Link, LinkStorage } from "./links.ts";
export { NamedDatatype } from "./named-datatype.ts";
export type { NdArray } from "./nd-array.ts";
export type { GetResult, ReadSelection } from "./read-types.ts";
export type { SignalOptions, VirtualView } from "./session.ts";
export type { Progress, ReadOptions } from "./storage.ts";
export type { ValueOptions } from "./values.ts";
