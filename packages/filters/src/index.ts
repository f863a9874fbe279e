/** HDF5 filters: what chunks and heap blocks go through between memory and file. */
export { defaultFilters } from "./default-filters.ts";
export type { DecodeOptions, Decoder, Encoder, SyncDecoder, SyncEncoder } from "./filter.ts";
export { filterName } from "./filter-name.ts";
export {
  applyDecoders,
  applyDecodersSync,
  applyEncoders,
  type EncodedChunk,
  missingFilter,
  missingFilterError,
  type PipelineOptions,
} from "./pipeline.ts";
export {
  decodeFilterPipeline,
  encodeFilterPipeline,
  type FilterPipeline,
  type PipelineFilter,
  sizeOfFilterPipeline,
} from "./pipeline-message.ts";
