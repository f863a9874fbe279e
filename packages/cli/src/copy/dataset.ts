import { hasAddresses } from "@h5/datatypes";
import { isH5Error, layoutFlag } from "@h5/framing";
import type { Dataset } from "@h5/reader";
import { externalSlots, fillOf, getStored, getStoredFill } from "@h5/reader/stored";
import { elementCount } from "@h5/selection";
import {
  type ChunkFilter,
  type DatasetBuilder,
  type DatasetOptions,
  type FileBuilder,
  guessChunkShape,
  storedElements,
  virtualDataset,
} from "@h5/writer";
import { type CopiedBlock, chunkBlocks, type ElementReading, rawBlocks, rowBlocks } from "./elements.ts";
import { adaptedFilter, sameFilter } from "./filters.ts";
import type { CopyOptions, CopyReport } from "./options.ts";

/** Datasets without chunks are left as they are where they have fewer bytes: filters would gain nothing. */
const WORTH_FILTERING = 1024;
/** Elements that lead to others and have fewer bytes are read at once, so that they share a heap in the file. */
const SMALL = 4096;

/** What a dataset is copied with, beside its elements. */
export interface DatasetCopy {
  readonly target: FileBuilder;
  readonly path: string;
  /** Type, comment and order of attributes. */
  readonly common: Pick<DatasetOptions, "dtype" | "comment" | "trackOrder">;
  readonly options: CopyOptions;
  readonly report: CopyReport;
  readonly reading: ElementReading;
}

/** Adds a copy of a dataset; its elements are read when the file is written. Gives the bytes of elements to come. */
export async function copyDataset(dataset: Dataset, copy: DatasetCopy): Promise<DatasetBuilder> {
  const { target, path, common } = copy;
  const { layout, spaceClass, shape } = dataset;
  if (layout.class === "virtual") return await copyVirtual(dataset, copy);
  const options = { ...common, ...(await fillOptions(dataset, copy)) };
  if (spaceClass === "null") {
    return target.dataset(path, null, { ...options, layout: layout.class });
  }
  const external = await externalSlots(dataset);
  if (external.length > 0) {
    const slots = external.map(({ name, offset, size }) => ({ file: name, offset, size }));
    return target.dataset(path, undefined, { ...options, shape, maxShape: dataset.maxShape, external: slots });
  }
  const repacked = await copyRepacked(dataset, copy, options);
  if (repacked !== undefined) return repacked;
  if (layout.class === "chunked") return await copyChunked(dataset, copy, options, ownChunks(dataset));
  const data = await wholeData(dataset, copy);
  return target.dataset(path, data, { ...options, shape, layout: layout.class });
}

/** The elements of a dataset without chunks; undefined where nothing was ever written. */
async function wholeData(dataset: Dataset, { reading }: DatasetCopy): Promise<unknown> {
  const { layout, datatype } = dataset;
  const bytes = elementCount(dataset.shape) * datatype.size;
  if (layout.class === "contiguous" && (layout.address === undefined || bytes === 0)) return undefined;
  const atOnce = layout.class === "compact" || (hasAddresses(datatype) && bytes <= SMALL);
  if (!atOnce) return rowBlocks(dataset, reading);
  const values = await getStored(dataset);
  reading.done(values.bytes.length);
  return storedElements(values, reading.pathOf);
}

/** Chunks of a copy: how they are stored, and where they come from. */
interface ChunkPlan {
  readonly chunkShape: readonly number[];
  readonly filters: readonly ChunkFilter[];
  readonly unfilteredEdges: boolean;
  readonly blocks: (dataset: Dataset, reading: ElementReading) => AsyncIterable<CopiedBlock>;
}

/** Chunks as the dataset has them: copied as they are stored, unless there are addresses in them. */
function ownChunks(dataset: Dataset): ChunkPlan {
  const { filters, datatype } = dataset;
  const layout = dataset.layout as Dataset["layout"] & { readonly class: "chunked" };
  const { chunkShape, flags = 0 } = layout;
  return {
    chunkShape,
    filters: filters.map(sameFilter),
    unfilteredEdges: filters.length > 0 && (flags & layoutFlag.unfilteredEdges) !== 0,
    blocks: hasAddresses(datatype) ? (one, reading) => chunkBlocks(one, chunkShape, reading) : rawBlocks,
  };
}

async function copyChunked(
  dataset: Dataset,
  { target, path, reading }: DatasetCopy,
  options: DatasetOptions,
  { chunkShape, filters, unfilteredEdges, blocks }: ChunkPlan,
): Promise<DatasetBuilder> {
  const { shape, maxShape } = dataset;
  const isEmpty = dataset.layout.class === "chunked" && (await dataset.chunkInfo()).length === 0;
  const data = isEmpty ? undefined : blocks(dataset, reading);
  const chunked = { layout: "chunked", chunks: chunkShape, filters, unfilteredEdges } as const;
  return target.dataset(path, data, { ...options, ...chunked, shape, maxShape });
}

/**
 * Adds the dataset with the chunks and filters that were asked for; undefined where none were that can be had, with a
 * warning where the dataset cannot have the filters.
 */
async function copyRepacked(
  dataset: Dataset,
  copy: DatasetCopy,
  options: DatasetOptions,
): Promise<DatasetBuilder | undefined> {
  const plan = repackedChunks(dataset, copy.options);
  if (plan === undefined) return undefined;
  try {
    return await copyChunked(dataset, copy, options, plan);
  } catch (error) {
    if (!isH5Error(error, "INVALID_ARGUMENT")) throw error;
    copy.report.warn?.(copy.path, `stored as it was: ${error.message}`);
    return undefined;
  }
}

/** The chunks that were asked for, where the dataset can have them and has others. */
function repackedChunks(dataset: Dataset, { chunks, filters }: CopyOptions): ChunkPlan | undefined {
  const { shape, maxShape, layout, datatype, chunkShape: own } = dataset;
  const isChunked = layout.class === "chunked";
  const isLarge = elementCount(shape) * datatype.size >= WORTH_FILTERING;
  if (shape.length === 0 || !(isChunked || (layout.class === "contiguous" && isLarge))) return undefined;
  const wanted = chunks?.length === shape.length ? chunks.map((size, d) => Math.min(size, maxShape[d]!)) : own;
  const same = own !== undefined && wanted?.join() === own.join();
  if (filters === undefined ? wanted === undefined || same : !isChunked && filters.length === 0) return undefined;
  const chunkShape = wanted ?? guessChunkShape(shape, maxShape, datatype.size);
  return {
    chunkShape,
    filters: filters ?? dataset.filters.map(adaptedFilter),
    unfilteredEdges: false,
    blocks: (one, reading) => chunkBlocks(one, chunkShape, reading),
  };
}

async function fillOptions(dataset: Dataset, { reading }: DatasetCopy): Promise<DatasetOptions> {
  const { layout } = dataset;
  const fill = fillOf(dataset);
  if (fill === undefined) return {};
  const stored = await getStoredFill(dataset);
  const value = stored === undefined ? undefined : storedElements(stored, reading.pathOf);
  return {
    fillValue: fill.defined ? value : null,
    // A value that does not exist cannot be written.
    fillTime: !fill.defined && fill.writeTime === "allocation" ? "ifset" : fill.writeTime,
    // Compact elements are in the header and always there.
    allocationTime: layout.class === "compact" ? undefined : fill.allocationTime,
  };
}

async function copyVirtual(dataset: Dataset, copy: DatasetCopy): Promise<DatasetBuilder> {
  const { target, path, common } = copy;
  const sources = dataset.virtualMappings!.map(({ file, dataset: name, source, virtual }) => {
    return { file, dataset: name, source, target: virtual };
  });
  const { fillValue } = await fillOptions(dataset, copy);
  const dtype = common.dtype ?? dataset.datatype;
  const { shape, maxShape } = dataset.storedDataspace;
  return virtualDataset(target, path, sources, { ...common, dtype, shape, maxShape, fillValue });
}
