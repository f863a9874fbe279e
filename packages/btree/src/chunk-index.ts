import { type ChunkedLayout, checkLimit, type FileContext, InvalidFieldError, type Plan } from "@h5/framing";
import type { SlotElement } from "./array-block.ts";
import { type ElementForm, elementForm } from "./chunk-element.ts";
import {
  type ChunkBox,
  type ChunkLocation,
  clampBox,
  compareCoordinates,
  gridOf,
  inBox,
  isEmptyBox,
} from "./chunk-location.ts";
import { type ChunkSlots, coordinateOf, fromFront, numberSlots, slotsBetween, toFront } from "./chunk-slots.ts";
import { readExtensibleArray } from "./extensible-array-walk.ts";
import { readFixedArray } from "./fixed-array.ts";
import { readV1Chunks } from "./v1-chunks.ts";
import { readV2Chunks } from "./v2-chunks.ts";

const STRUCTURE = "chunk index";

/** What must be known of a dataset to read its chunk index. */
export interface ChunkedDataset {
  readonly layout: ChunkedLayout;
  readonly shape: readonly number[];
  /** Maximum shape, `Infinity` where unlimited; the shape itself where the dataspace has none. */
  readonly maxShape: readonly number[];
  /** Whether the dataset has a filter pipeline. */
  readonly filtered: boolean;
}

/** A dataset's index and what was made of the request. */
interface Request {
  readonly context: FileContext;
  readonly dataset: ChunkedDataset;
  /** Address of the index. */
  readonly address: number;
  readonly box: ChunkBox;
  /** Bytes of a chunk before the filters. */
  readonly chunkBytes: number;
  readonly form: ElementForm;
}

/**
 * Where the chunks of a dataset lie: the allocated ones inside its shape and `box` (in chunks; default all), in
 * row-major order. A dataset without an index yet has none. Only the nodes, blocks and pages that can hold a chunk of
 * the box are read.
 *
 * @throws InvalidFieldError, UnexpectedEofError, UnsupportedFeatureError, LimitExceededError (`treeDepth`, `nodes`,
 *   `metadataBytes`)
 */
export function* readChunkIndex(context: FileContext, dataset: ChunkedDataset, box?: ChunkBox): Plan<ChunkLocation[]> {
  const { layout, shape, maxShape, filtered } = dataset;
  const { index, chunkShape, elementSize } = layout;
  if (shape.length !== chunkShape.length || maxShape.length !== chunkShape.length) {
    throw new InvalidFieldError(`chunks of ${chunkShape.length} dimensions in a dataspace of ${shape.length}`, {
      structure: STRUCTURE,
    });
  }
  const wanted = clampBox(box, gridOf(shape, chunkShape));
  if (index.address === undefined || isEmptyBox(wanted)) return [];
  const chunkBytes = chunkShape.reduce((product, extent) => product * extent, elementSize);
  const form = elementForm(filtered, chunkBytes, layout.version, context);
  return yield* readIndex({ context, dataset, address: index.address, box: wanted, chunkBytes, form });
}

function* readIndex(request: Request): Plan<ChunkLocation[]> {
  const { context, address, box, chunkBytes, form } = request;
  const { layout, filtered } = request.dataset;
  const { index, chunkShape, elementSize } = layout;
  switch (index.kind) {
    case "btree1":
      return yield* readV1Chunks(context, { address, chunkShape, elementSize, chunkBytes, filtered }, box);
    case "single": {
      const coordinate = chunkShape.map(() => 0);
      const grid = gridOf(request.dataset.shape, chunkShape);
      if (grid.some((count) => count > 1)) {
        throw new InvalidFieldError(`a grid of [${grid}] chunks, expected one`, { structure: STRUCTURE, address });
      }
      const chunk = { coordinate, address, size: index.size ?? chunkBytes, filterMask: index.filterMask ?? 0 };
      return inBox(coordinate, box) ? [chunk] : [];
    }
    case "implicit":
      return implicitChunks(request);
    case "farray":
      return yield* readFixedArrayChunks(request);
    case "earray":
      return yield* readExtensibleArrayChunks(request);
    case "btree2": {
      const records = yield* readV2Chunks(context, address, box, form.sizeWidth);
      return records.map((record) => locate(request, record.scaled, record.address, record));
    }
  }
}

/** One chunk, its stored size checked. */
function locate(
  { dataset: { filtered }, chunkBytes, address: index }: Request,
  coordinate: readonly number[],
  address: number,
  stored: { readonly size?: number | undefined; readonly filterMask?: number | undefined },
): ChunkLocation {
  if (!filtered) return { coordinate, address, size: chunkBytes, filterMask: 0 };
  const { size = 0, filterMask = 0 } = stored;
  if (size > 0) return { coordinate, address, size, filterMask };
  throw new InvalidFieldError(`chunk [${coordinate}] of 0 stored bytes`, { structure: STRUCTURE, address: index });
}

/** Chunks one behind the other, all of them allocated (H5Dnone.c). */
function implicitChunks(request: Request): ChunkLocation[] {
  const { context, dataset, address, box, chunkBytes } = request;
  const place = { structure: STRUCTURE, address };
  if (dataset.filtered) throw new InvalidFieldError("filtered chunks in an implicit index", place);
  const count = box.start.reduce((product, first, d) => product * (box.end[d]! - first), 1);
  checkLimit(context.limits, "nodes", count, place);
  const slots = numberSlots(gridOf(dataset.maxShape, dataset.layout.chunkShape), box);
  const chunks: ChunkLocation[] = [];
  for (const slot of slotsBetween(slots, 0, Infinity)) {
    chunks.push(locate(request, coordinateOf(slots, slot), address + slot * chunkBytes, {}));
  }
  return chunks;
}

function* readFixedArrayChunks(request: Request): Plan<ChunkLocation[]> {
  const { context, dataset, address, box, form } = request;
  const grid = gridOf(dataset.maxShape, dataset.layout.chunkShape);
  const slots = numberSlots(grid, box);
  const total = grid.reduce((product, count) => product * count, 1);
  const elements = yield* readFixedArray(context, { address, form, slots }, total);
  return chunksOf(request, elements, slots, (coordinate) => coordinate);
}

/** An extensible array numbers the chunks as if the unlimited dimension were the first (H5Dearray.c). */
function* readExtensibleArrayChunks(request: Request): Plan<ChunkLocation[]> {
  const { context, dataset, address, box, form } = request;
  const { maxShape, layout } = dataset;
  const unlimited = unlimitedDimension(maxShape, context.lengthSize, address);
  const turned = { start: toFront(box.start, unlimited), end: toFront(box.end, unlimited) };
  const slots = numberSlots(toFront(gridOf(maxShape, layout.chunkShape), unlimited), turned);
  const elements = yield* readExtensibleArray(context, { address, form, slots });
  const chunks = chunksOf(request, elements, slots, (coordinate) => fromFront(coordinate, unlimited));
  return chunks.sort((a, b) => compareCoordinates(a.coordinate, b.coordinate));
}

/**
 * The unlimited dimension, which only the maximum shape tells. Where lengths are narrow, it reads back as the largest of
 * them (H5Osdspace.c stores all ones, and decodes them as a number); libhdf5 refuses such a dataset.
 */
function unlimitedDimension(maxShape: readonly number[], lengthSize: number, address: number): number {
  const found = maxShape.indexOf(Infinity);
  const unlimited = found < 0 && lengthSize < 8 ? maxShape.indexOf(256 ** lengthSize - 1) : found;
  if (unlimited >= 0) return unlimited;
  throw new InvalidFieldError("an extensible array, but no unlimited dimension", { structure: STRUCTURE, address });
}

function chunksOf(
  request: Request,
  elements: readonly SlotElement[],
  slots: ChunkSlots,
  toCoordinate: (turned: number[]) => number[],
): ChunkLocation[] {
  const chunks: ChunkLocation[] = [];
  for (const { slot, element } of elements) {
    if (element.address === undefined) continue;
    chunks.push(locate(request, toCoordinate(coordinateOf(slots, slot)), element.address, element));
  }
  return chunks;
}
