import { InvalidArgumentError } from "@h5/framing";
import { type Dataspace, elementCount } from "@h5/selection";
import { BlockStore } from "../data/block-store.ts";
import type { BlockStream } from "../data/block-stream.ts";
import { planPipeline } from "../filters/pipeline.ts";
import type { ExternalSlot } from "../model/external.ts";
import type { FileModel } from "../model/file.ts";
import { type DatasetModel, fillBytes, type StorageModel, type WholeStorage } from "../model/objects.ts";
import { checkText } from "../model/path.ts";
import { shown } from "../values/shown.ts";
import { guessChunkShape } from "./chunk-shape.ts";
import { type EncodedData, encodeBlock } from "./elements.ts";
import { checkChoice, checkEarliest, checkNumbers, largestMessage } from "./option-checks.ts";
import type { DatasetOptions } from "./options.ts";
import { isStream, type StreamedData } from "./streamed-data.ts";

/** What the layout message has before compact elements. */
const COMPACT_HEAD = 4;
/** The stored size of a chunk has 32 bits in layouts up to version 4. */
const MOST_CHUNK = 4294967295;

/** What is known of a dataset before its storage. */
type Described = Pick<DatasetModel, "datatype" | "space" | "fill">;

type Data = StreamedData | EncodedData | undefined;

/**
 * How elements are stored, by what the options ask for.
 *
 * @throws InvalidArgumentError for options that ask for different layouts
 */
export function layoutOf(
  options: DatasetOptions,
  { shape, maxShape }: Dataspace,
): Exclude<StorageModel["class"], "virtual"> {
  const { chunks, filters = [], unfilteredEdges, layout, external } = options;
  if (layout !== undefined) checkChoice("layout", layout, ["compact", "contiguous", "chunked"]);
  if (!Array.isArray(filters)) throw new InvalidArgumentError(`filters ${shown(filters)}, expected a list`);
  const needs = [
    chunks === undefined ? undefined : "chunks",
    filters.length > 0 ? "filters" : undefined,
    unfilteredEdges ? "unfilteredEdges" : undefined,
    external === undefined && maxShape.some((size, d) => size !== shape[d]) ? "a maxShape above the shape" : undefined,
  ].filter((need) => need !== undefined);
  const chosen = external === undefined ? layout : "external";
  if (needs.length > 0 && chosen !== undefined && chosen !== "chunked") {
    const need = `need${needs.length > 1 ? "" : "s"} the chunked layout`;
    throw new InvalidArgumentError(`${needs.join(" and ")} ${need}, not ${chosen}`);
  }
  if (external !== undefined && layout !== undefined && layout !== "contiguous") {
    throw new InvalidArgumentError(`external data is contiguous, not ${layout}`);
  }
  return chosen ?? (needs.length > 0 ? "chunked" : "contiguous");
}

/**
 * Where a dataset's elements go.
 *
 * @throws InvalidArgumentError for what the layout cannot hold
 */
export function storageOf(
  model: FileModel,
  dataset: Described,
  layout: ReturnType<typeof layoutOf>,
  data: Data,
  options: DatasetOptions,
): StorageModel {
  switch (layout) {
    case "chunked":
      return chunkedStorage(model, dataset, data, options);
    case "external":
      return externalStorage(dataset, data, options);
    case "compact":
      checkCompact(model, dataset, data);
      return { class: layout, data: dataOf(model, dataset, data) };
    case "contiguous":
      return { class: layout, data: dataOf(model, dataset, data) };
  }
}

function checkCompact(model: FileModel, { datatype, space }: Described, data: Data): void {
  const size = elementCount(space.shape) * datatype.size;
  const most = largestMessage(model) - COMPACT_HEAD;
  if (size > most) throw new InvalidArgumentError(`compact storage holds at most ${most} bytes, got ${size}`);
  if (isStream(data)) throw new InvalidArgumentError("compact elements are needed at once, not in blocks");
}

function dataOf(
  model: FileModel,
  { datatype, space }: Described,
  data: Data,
): Exclude<WholeStorage["data"], BlockStore> {
  if (isStream(data)) {
    return {
      kind: "stream",
      blocks: data,
      grows: space.maxShape[0] === Infinity,
      isCut: false,
      encode: (values, heaps) => encodeBlock(model, values, datatype, heaps),
    };
  }
  return data === undefined || data.elements.length === 0 ? undefined : model.small.kept(data.elements);
}

/**
 * A store of what {@link storageOf} took as it was, so that more can be added.
 *
 * @param unit - see {@link BlockStore}
 */
export function storeOf(
  { datatype, space, fill }: Described,
  data: WholeStorage["data"],
  unit: readonly number[] = space.shape,
): BlockStore | BlockStream {
  if (data !== undefined && !(data instanceof Uint8Array)) return data;
  const store = new BlockStore(datatype.size, fill.value, unit);
  if (data !== undefined) store.add({ start: space.shape.map(() => 0), shape: space.shape, bytes: data }, space.shape);
  return store;
}

function chunkedStorage(model: FileModel, dataset: Described, data: Data, options: DatasetOptions): StorageModel {
  const { filters = [], unfilteredEdges = false } = options;
  const { datatype, space } = dataset;
  if (space.class !== "simple") throw new InvalidArgumentError(`chunks of a ${space.class} dataset, which has no axes`);
  checkEarliest(model, unfilteredEdges && "unfilteredEdges");
  const chunkShape = chunkShapeOf(dataset, options);
  planPipeline(filters, { datatype, chunkShape, fill: fillBytes(dataset) });
  return {
    class: "chunked",
    chunkShape,
    filters: [...filters],
    unfilteredEdges,
    data: storeOf(dataset, dataOf(model, dataset, data), chunkShape),
  };
}

function chunkShapeOf({ datatype, space }: Described, { chunks = true }: DatasetOptions): number[] {
  const { shape, maxShape } = space;
  if (chunks === true) return guessChunkShape(shape, maxShape, datatype.size);
  checkNumbers("chunks", chunks, { least: 1 });
  const fits = chunks.length === shape.length && chunks.every((size, d) => shape[d] === 0 || size <= maxShape[d]!);
  if (!fits) {
    const spaces = `shape ${shown(shape)} with maxShape ${shown(maxShape)}`;
    throw new InvalidArgumentError(`chunks ${shown(chunks)} do not suit ${spaces}`);
  }
  const bytes = elementCount(chunks) * datatype.size;
  if (bytes > MOST_CHUNK)
    throw new InvalidArgumentError(`chunks of ${bytes} bytes, at most ${MOST_CHUNK} can be stored`);
  return [...chunks];
}

function externalStorage({ datatype, space }: Described, data: Data, { external = [] }: DatasetOptions): StorageModel {
  if (data !== undefined)
    throw new InvalidArgumentError("external data is the caller's to write: give shape and dtype, no data");
  if (!Array.isArray(external))
    throw new InvalidArgumentError(`external ${shown(external)}, expected a list of pieces`);
  external.forEach((slot, i) => {
    checkSlot(slot, i === external.length - 1);
  });
  const size = elementCount(space.shape) * datatype.size;
  const room = external.reduce((sum, slot) => sum + (slot.size ?? Infinity), 0);
  if (room < size) throw new InvalidArgumentError(`external pieces of ${room} bytes for ${size} bytes of elements`);
  return { class: "external", slots: external.map(({ file, offset, size }) => ({ file, offset, size })) };
}

function checkSlot({ file, offset, size }: ExternalSlot, isLast: boolean): void {
  checkText(file, "file name");
  if (file === "") throw new InvalidArgumentError("an external piece without the name of its file");
  if (size === undefined && !isLast)
    throw new InvalidArgumentError(`only the last external piece may go on to its end`);
  if (size === 0) throw new InvalidArgumentError(`an external piece of ${file} without bytes`);
  checkNumbers("external piece", size === undefined ? [offset] : [offset, size]);
}
