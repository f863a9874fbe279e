import { type ChunkIndex, type FileSpace, InvalidArgumentError } from "@h5/framing";
import type { SlotElement } from "./array-block.ts";
import { type ElementForm, elementForm } from "./chunk-element.ts";
import { type ChunkBox, type ChunkLocation, compareCoordinates, gridOf, inBox } from "./chunk-location.ts";
import { numberSlots, slotOf, toFront } from "./chunk-slots.ts";
import { buildExtensibleArray, extensibleArrayDefaults } from "./extensible-array-build.ts";
import { buildFixedArray } from "./fixed-array-build.ts";
import { buildChunkTreeV1 } from "./v1-chunks-build.ts";
import { buildV2Tree } from "./v2-build.ts";
import { chunkRecords } from "./v2-records.ts";

const STRUCTURE = "chunk index";
/** The parameters libhdf5 gives every fixed array and version 2 B-tree of chunks (H5Dpkg.h). */
const fixedArrayDefaults = { pageBits: 10 };
const treeDefaults = { nodeSize: 2048, splitPercent: 100, mergePercent: 40 };

/** What decides the kind of a dataset's index. */
export interface ChunkIndexChoice {
  readonly shape: readonly number[];
  /** Maximum shape, `Infinity` where unlimited. */
  readonly maxShape: readonly number[];
  readonly chunkShape: readonly number[];
  /** Whether the dataset has a filter pipeline. */
  readonly filtered: boolean;
  /** Whether all chunks are allocated when the dataset is created. */
  readonly earlyAllocation: boolean;
}

/** The kind of index libhdf5 gives a dataset with a layout message of version 4 or 5 (H5D__layout_set_latest_indexing). */
export function chooseChunkIndex(choice: ChunkIndexChoice): ChunkIndex["kind"] {
  const { shape, maxShape, chunkShape, filtered, earlyAllocation } = choice;
  const unlimited = countUnlimited(maxShape);
  if (unlimited > 0) return unlimited === 1 ? "earray" : "btree2";
  if (shape.every((extent, d) => extent === maxShape[d] && extent === chunkShape[d])) return "single";
  return earlyAllocation && !filtered ? "implicit" : "farray";
}

function countUnlimited(maxShape: readonly number[]): number {
  return maxShape.filter((extent) => extent === Infinity).length;
}

/** What must be known of a dataset to write its chunk index. */
export interface IndexedDataset {
  readonly shape: readonly number[];
  /** Maximum shape, `Infinity` where unlimited. */
  readonly maxShape: readonly number[];
  /** Elements of a chunk in each dimension. */
  readonly chunkShape: readonly number[];
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Whether the dataset has a filter pipeline. */
  readonly filtered: boolean;
  /** Version of the layout message: 3 for kind "btree1", 4 or 5 for all others. */
  readonly layoutVersion: 3 | 4 | 5;
}

/** A dataset and its chunks, checked. */
interface Build {
  readonly space: FileSpace;
  readonly dataset: IndexedDataset;
  /** In row-major order. */
  readonly chunks: readonly ChunkLocation[];
  /** All chunks of the shape. */
  readonly box: ChunkBox;
  readonly chunkBytes: number;
  readonly form: ElementForm;
}

/**
 * Writes the index of a dataset's chunks, of any kind, and gives what the layout message says of it. Without chunks
 * there is no index: its address is undefined, as libhdf5 leaves it until the first chunk is written.
 *
 * @param chunks - in any order. Of an implicit index, all chunks of the shape, each where its number over the maximum
 *   shape puts it, with room for those not in the shape
 * @throws InvalidArgumentError for a chunk outside the shape, given twice, of a wrong size, or one that the kind of
 *   index cannot hold
 */
export function buildChunkIndex(
  space: FileSpace,
  kind: ChunkIndex["kind"],
  dataset: IndexedDataset,
  chunks: readonly ChunkLocation[],
): ChunkIndex {
  const { shape, chunkShape, elementSize, filtered, layoutVersion } = dataset;
  const chunkBytes = chunkShape.reduce((product, extent) => product * extent, elementSize);
  const build = {
    space,
    dataset,
    chunks: inOrder(chunks),
    box: { start: shape.map(() => 0), end: gridOf(shape, chunkShape) },
    chunkBytes,
    form: elementForm(filtered, chunkBytes, layoutVersion, space),
  };
  checkChunks(build);
  return buildKind(kind, build);
}

/** The chunks in row-major order: those given where they are, since very many would take long to sort and be many bytes. */
function inOrder(chunks: readonly ChunkLocation[]): readonly ChunkLocation[] {
  let before: readonly number[] | undefined;
  const ascends = chunks.every(({ coordinate }) => {
    const follows = before === undefined || compareCoordinates(before, coordinate) <= 0;
    before = coordinate;
    return follows;
  });
  return ascends ? chunks : [...chunks].sort((a, b) => compareCoordinates(a.coordinate, b.coordinate));
}

function checkChunks({ dataset, chunks, box, chunkBytes }: Build): void {
  let before: readonly number[] | undefined;
  for (const { coordinate, size, filterMask } of chunks) {
    const isPosition = coordinate.length === box.end.length && coordinate.every(Number.isInteger);
    if (!isPosition || !inBox(coordinate, box)) {
      fail(`chunk [${coordinate}] in a grid of [${box.end}] chunks`);
    }
    if (before !== undefined && compareCoordinates(before, coordinate) === 0) fail(`chunk [${coordinate}] twice`);
    before = coordinate;
    if (dataset.filtered ? size > 0 : size === chunkBytes && filterMask === 0) continue;
    const expected = dataset.filtered ? "at least 1 byte" : `${chunkBytes} bytes and no mask`;
    fail(`chunk [${coordinate}]: expected ${expected}, got ${size} bytes and filter mask ${filterMask}`);
  }
}

function fail(message: string): never {
  throw new InvalidArgumentError(message, { structure: STRUCTURE });
}

/** Writes what the kind of index takes; without chunks, nothing. */
function buildKind(kind: ChunkIndex["kind"], build: Build): ChunkIndex {
  const { space, dataset, chunks, form } = build;
  const from = (address: () => number): number | undefined => (chunks.length === 0 ? undefined : address());
  switch (kind) {
    case "btree1":
      return { kind, address: from(() => buildChunkTreeV1(space, dataset, chunks)) };
    case "single":
      return buildSingle(build);
    case "implicit":
      return { kind, address: from(() => checkImplicit(build)) };
    case "farray":
      return { kind, ...fixedArrayDefaults, address: from(() => buildBounded(build)) };
    case "earray":
      return { kind, ...extensibleArrayDefaults, address: from(() => buildExtensible(build)) };
    case "btree2": {
      const codec = chunkRecords(dataset.shape.length, form.sizeWidth, space);
      const records = chunks.map(({ address, size, filterMask, coordinate: scaled }) => {
        return { address, size, filterMask, scaled };
      });
      return { kind, ...treeDefaults, address: from(() => buildV2Tree(space, codec, records, treeDefaults)) };
    }
  }
}

/** The layout message itself says where a single chunk is, and of a filtered one the rest. */
function buildSingle({ dataset: { filtered }, chunks: [chunk], box }: Build): ChunkIndex {
  if (box.end.some((count) => count > 1)) fail(`a single chunk in a grid of [${box.end}] chunks`);
  const stored = { size: chunk?.size ?? 0, filterMask: chunk?.filterMask ?? 0 };
  return { kind: "single", address: chunk?.address, ...(filtered && stored) };
}

/** The address of the first chunk, which is all an implicit index is, where each chunk lies as its slot has it. */
function checkImplicit({ dataset, chunks, box, chunkBytes }: Build): number {
  if (dataset.filtered) fail("filtered chunks in an implicit index");
  checkUnlimited(dataset, 0);
  const slots = numberSlots(gridOf(dataset.maxShape, dataset.chunkShape), box);
  const count = box.end.reduce((product, extent) => product * extent, 1);
  if (chunks.length !== count) fail(`${chunks.length} chunks in an implicit index of ${count}`);
  const start = chunks[0]!.address;
  for (const { coordinate, address } of chunks) {
    const expected = start + slotOf(slots, coordinate) * chunkBytes;
    if (address !== expected) fail(`chunk [${coordinate}] of an implicit index at ${address}, expected ${expected}`);
  }
  return start;
}

function checkUnlimited({ maxShape }: IndexedDataset, expected: number): void {
  const unlimited = countUnlimited(maxShape);
  if (unlimited !== expected) fail(`${unlimited} unlimited dimensions, expected ${expected}`);
}

function buildBounded({ space, dataset, chunks, box, form }: Build): number {
  checkUnlimited(dataset, 0);
  const grid = gridOf(dataset.maxShape, dataset.chunkShape);
  const slots = numberSlots(grid, box);
  const elements = chunks.map((element) => ({ slot: slotOf(slots, element.coordinate), element }));
  const count = grid.reduce((product, extent) => product * extent, 1);
  return buildFixedArray(space, { form, count, ...fixedArrayDefaults }, elements);
}

/** An extensible array numbers the chunks as if the unlimited dimension were the first (H5Dearray.c). */
function buildExtensible({ space, dataset, chunks, box, form }: Build): number {
  checkUnlimited(dataset, 1);
  const unlimited = dataset.maxShape.indexOf(Infinity);
  const turned = { start: box.start, end: toFront(box.end, unlimited) };
  const slots = numberSlots(toFront(gridOf(dataset.maxShape, dataset.chunkShape), unlimited), turned);
  const elements: SlotElement[] = chunks.map((element) => {
    return { slot: slotOf(slots, toFront(element.coordinate, unlimited)), element };
  });
  return buildExtensibleArray(
    space,
    { form },
    elements.sort((a, b) => a.slot - b.slot),
  );
}
