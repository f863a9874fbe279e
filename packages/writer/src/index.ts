export { guessChunkShape } from "./builder/chunk-shape.ts";
export type { DatasetBuilder } from "./builder/dataset-builder.ts";
export { attachScale, labelDimension, makeScale } from "./builder/dimension-scales.ts";
export type { ElementChoice } from "./builder/element-choice.ts";
export { createFile, type FileBuilder } from "./builder/file-builder.ts";
export type { GroupBuilder } from "./builder/group-builder.ts";
export type { NamedDatatypeBuilder } from "./builder/named-datatype.ts";
export type { ObjectBuilder } from "./builder/object-builder.ts";
export type {
  AttributeOptions,
  Attributes,
  CreateOptions,
  DatasetOptions,
  ObjectOptions,
  SharedMessageOptions,
  VirtualDatasetOptions,
} from "./builder/options.ts";
export { objectReference, type PathReference, regionReference } from "./builder/references.ts";
export { type StoredElements, storedElements } from "./builder/stored-elements.ts";
export { virtualDataset } from "./builder/virtual-dataset.ts";
export type { VirtualSource } from "./builder/virtual-source.ts";
export type { ChunkOfBytes, ChunkOfValues, DataBlock } from "./data/block-stream.ts";
export { bitshuffle } from "./filters/bitshuffle.ts";
export { blosc } from "./filters/blosc.ts";
export type { ChunkFilter, FilteredDataset } from "./filters/chunk-filter.ts";
export { deflate } from "./filters/deflate.ts";
export { fletcher32 } from "./filters/fletcher32.ts";
export { lz4 } from "./filters/lz4.ts";
export { lzf } from "./filters/lzf.ts";
export { nbit } from "./filters/nbit.ts";
export { type ScaleOffsetOptions, scaleOffset } from "./filters/scale-offset.ts";
export { shuffle } from "./filters/shuffle.ts";
export { type SzipOptions, szip } from "./filters/szip.ts";
export type { ExternalSlot } from "./model/external.ts";
export type { SharedKind } from "./model/sharing.ts";
export type { ByteSink, SinkOptions } from "./sink/byte-sink.ts";
export { type MemorySink, memorySink } from "./sink/memory-sink.ts";
export { streamSink, type WritableStreamLike } from "./sink/stream-sink.ts";
export { type WritableFileLike, writableFileSink } from "./sink/writable-file-sink.ts";
export type { DtypeFields, DtypeOption, DtypeText } from "./values/dtype.ts";
export type { WriteOptions, WriteProgress } from "./write/sink-output.ts";
