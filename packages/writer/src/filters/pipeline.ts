import type { Encoder, PipelineFilter } from "@h5/filters";
import { InvalidArgumentError } from "@h5/framing";
import { shown } from "../values/shown.ts";
import { type ChunkFilter, type FilteredDataset, refuse } from "./chunk-filter.ts";

/** Filters one pipeline may have: a chunk's filter mask has a bit for each (`H5Z_MAX_NFILTERS` in H5Zpublic.h). */
const MAX_FILTERS = 32;
const FLETCHER32 = 3;
const NBIT = 5;
const SCALE_OFFSET = 6;

/** What a dataset's filters come to: the entries of its pipeline message, and what `applyEncoders` takes with them. */
export interface PlannedPipeline {
  readonly filters: readonly PipelineFilter[];
  readonly encoders: readonly Encoder[];
}

/**
 * Checks that filters, in the order in which chunks go through them, serve a dataset, and asks each for its client data.
 *
 * @throws InvalidArgumentError, with the reason, where libhdf5 would not create such a dataset, or would lose data of it
 */
export function planPipeline(filters: readonly ChunkFilter[], dataset: FilteredDataset): PlannedPipeline {
  if (filters.length > MAX_FILTERS) {
    throw new InvalidArgumentError(`expected at most ${MAX_FILTERS} filters, got ${filters.length}`);
  }
  const other = filters.find((filter) => filter?.encoder?.id === undefined);
  if (other !== undefined)
    throw new InvalidArgumentError(`expected a filter as deflate() gives one, got ${shown(other)}`);
  for (const [position, filter] of filters.entries()) {
    if (!filter.verbatim) checkPlace(filter, position, filters, dataset);
  }
  return {
    filters: filters.map(({ encoder: { id, name }, optional, ...filter }) => ({
      id,
      name,
      flags: optional ? 1 : 0,
      optional,
      params: filter.params(dataset),
    })),
    encoders: filters.map(({ encoder }) => encoder),
  };
}

function checkPlace(
  { encoder: { id, name }, optional }: ChunkFilter,
  position: number,
  filters: readonly ChunkFilter[],
  { datatype }: FilteredDataset,
): void {
  const packsNumbers = id === NBIT || id === SCALE_OFFSET;
  if (packsNumbers && position > 0) {
    refuse(name, `it must be the first filter, since it packs the numbers themselves, got it at ${position + 1}`);
  }
  if (id === SCALE_OFFSET && datatype.class === "float" && filters.some(({ encoder }) => encoder.id === FLETCHER32)) {
    refuse(name, "rounded floats do not go with fletcher32, whose checksum would not be that of the data");
  }
  if (!optional && datatype.class === "vlen") {
    refuse(name, "variable-length data take optional filters only, since libhdf5 leaves all others out of them");
  }
}
