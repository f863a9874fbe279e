import type { ChunkLocation } from "@h5/btree";
import { type Datatype, type DtypeName, scalarOf, type Values } from "@h5/datatypes";
import { checkLimit, InvalidArgumentError, InvalidFieldError, isH5Error } from "@h5/framing";
import {
  type ChunkBox,
  checkExtent,
  decodeSelection,
  elementCount,
  resolveSelection,
  type Selection,
} from "@h5/selection";
import { locateChunks } from "./chunk-read.ts";
import { boxAround, type ChunkInfo, chunkInfoOf, type RawChunk, type Tile } from "./chunks.ts";
import type { GetOptions, TileOptions } from "./dataset.ts";
import { fetchBytes } from "./fetch.ts";
import { withFields } from "./fields.ts";
import { receiverOf } from "./into.ts";
import { arrayOf, type NdArray } from "./nd-array.ts";
import type { ReadSelection } from "./read-types.ts";
import { axisSelector, type Selector, selectionSelector, tileOf } from "./selector.ts";
import { loaded, type Session, type SignalOptions } from "./session.ts";
import { allocate, readStoredElements, type Storage, type StoredLayout, type StoredReadOptions } from "./storage.ts";
import { readAhead, tilesAhead, tilesOf } from "./tiles.ts";
import { materialize, type StoredElements } from "./values.ts";
import { viewOf } from "./view.ts";

export { storageOf } from "./dataset-storage.ts";

/**
 * The selection of a region reference to a dataset of `shape`.
 *
 * @throws InvalidFieldError where it does not fit
 */
export function decodeRegion(stored: Uint8Array, shape: readonly number[]): Selection {
  const { selection } = decodeSelection(stored);
  try {
    checkExtent(selection, shape);
    return selection;
  } catch (cause) {
    // The file made it, not the caller.
    if (!isH5Error(cause, "INVALID_ARGUMENT")) throw cause;
    throw new InvalidFieldError(cause.message, { structure: "region reference", cause });
  }
}

/** What `get` of a dataset gives: an array, or one element on its own. */
export async function readSelected(
  session: Session,
  storage: Storage,
  selection: ReadSelection,
  options: GetOptions & StoredReadOptions,
): Promise<unknown> {
  const datatype = withFields(storage.datatype, options.fields);
  const selector = selectorOf(session, storage, selection);
  const single = isOneElement(selection);
  const { into } = options;
  const int64 = options.int64 ?? session.int64;
  if (options.copy === false && !single && into === undefined) {
    const view = viewOf(session, storage, selector, int64);
    if (view !== undefined) return arrayOf(view, selector.shape, datatype);
  }
  const receiver = single || into === undefined ? undefined : receiverOf(into, datatype, selector.count, int64);
  const elements = await readElements(session, storage, selector, options, receiver?.memory);
  const [values] = await materialize(session, [{ ...elements, datatype }], options);
  if (single) return oneElement(datatype, values!);
  const array = arrayOf(values!, selector.shape, datatype);
  receiver?.take(array.data);
  return into === undefined ? array : { ...array, data: into };
}

/** What is selected of a dataset, as it is stored. */
export function readStored(
  session: Session,
  storage: Storage,
  selection: ReadSelection,
  options: StoredReadOptions,
): Promise<StoredElements> {
  return readElements(session, storage, selectorOf(session, storage, selection), options);
}

/** The stored elements, in `memory` if there is any. */
async function readElements(
  session: Session,
  storage: Storage,
  selector: Selector,
  options: StoredReadOptions,
  memory?: Uint8Array,
): Promise<StoredElements> {
  const { datatype, elementSize, layout } = storage;
  const { count } = selector;
  const bytes = memory ?? allocate(session, storage, count * elementSize);
  const elements = { datatype, bytes, count, owned: true };
  if (bytes.length === 0) return elements;
  const reading = { ...options, usedTarget: memory !== undefined, lent: memory !== undefined };
  if (layout.class === "virtual") {
    const { readVirtualElements } = await loaded(() => import("./virtual-read.ts"), options);
    return { ...elements, relocated: await readVirtualElements(session, storage, selector, bytes, reading) };
  }
  await readStoredElements(session, storage as Storage<StoredLayout>, selector, bytes, reading);
  return elements;
}

function selectorOf(session: Session, { dataspace }: Storage, selection: ReadSelection): Selector {
  const { class: space, shape } = dataspace;
  if (space === "null") return axisSelector(resolveSelection(null, [0]), [0]);
  return selection !== null && "type" in selection
    ? selectionSelector(selection, shape, session)
    : axisSelector(resolveSelection(selection, shape), shape);
}

/** Whether a selection consists of integers alone, and so drops every dimension. */
function isOneElement(selection: ReadSelection): boolean {
  return selection !== null && !("type" in selection) && selection.every((member) => typeof member === "number");
}

/** One element on its own; that of an array datatype is all its values, flat. */
function oneElement(datatype: Datatype, values: Values): unknown {
  return datatype.class === "array" ? values : scalarOf(datatype, values, 0);
}

/** The value of elements never written. */
export async function readFillValue(session: Session, storage: Storage, options: SignalOptions): Promise<unknown> {
  const { datatype, fill } = storage;
  const elements = { datatype, bytes: fill ?? allocate(session, storage, datatype.size), count: 1 };
  const [values] = await materialize(session, [elements], options);
  return oneElement(datatype, values!);
}

/** All of a dataset in tiles, row-major. */
export async function* readTiles(
  session: Session,
  storage: Storage,
  options: TileOptions,
): AsyncGenerator<Tile<DtypeName>> {
  const { dataspace, elementSize } = storage;
  const { shape } = dataspace;
  if (dataspace.class === "null") return;
  const chunkShape = chunkShapeOf(storage);
  const grid = options.tileShape ?? chunkShape ?? tileOf(shape, elementSize);
  checkTileShape(grid, shape.length);
  const chunkBytes = elementCount(chunkShape ?? [0]) * elementSize;
  const ahead = tilesAhead(options.ahead ?? 0, elementCount(grid) * elementSize, chunkBytes);
  const tiles = tilesOf(shape, grid, chunkShape, (box) => locate(session, storage, box, options));
  yield* readAhead(tiles, ahead, options, async ({ selection, located }) => {
    const known = { ...options, oneByOne: true, located: await located?.() };
    return { selection, ...((await readSelected(session, storage, selection, known)) as NdArray<DtypeName>) };
  });
}

function checkTileShape(tileShape: readonly number[], rank: number): void {
  if (tileShape.length === rank && tileShape.every((length) => Number.isSafeInteger(length) && length > 0)) return;
  throw new InvalidArgumentError(`expected a tile shape of ${rank} positive members, got [${tileShape.join(", ")}]`);
}

function chunkShapeOf({ layout }: Storage): readonly number[] | undefined {
  return layout.class === "chunked" ? layout.chunkShape : undefined;
}

async function locate(
  session: Session,
  storage: Storage,
  box: ChunkBox | undefined,
  options: SignalOptions,
): Promise<ChunkLocation[]> {
  const { layout } = storage;
  return layout.class === "chunked" ? await locateChunks(session, storage, layout, box, options) : [];
}

/** Where the chunks of a box are stored, or all; none for other layouts. */
export async function locateStored(
  session: Session,
  storage: Storage,
  box: ChunkBox | undefined,
  options: SignalOptions,
): Promise<ChunkInfo[]> {
  return chunkInfoOf(await locate(session, storage, box, options), chunkShapeOf(storage) ?? []);
}

/** The stored bytes of the chunk at a coordinate, `undefined` where it was never written. */
export async function readRawChunk(
  session: Session,
  storage: Storage,
  coordinate: readonly number[],
  options: SignalOptions,
): Promise<RawChunk | undefined> {
  const box = boxAround(coordinate, storage.dataspace.shape, chunkShapeOf(storage));
  const [info] = await locateStored(session, storage, box, options);
  if (info === undefined) return undefined;
  checkLimit(session.limits, "chunkBytes", info.size, { structure: "chunk", address: info.address });
  return { ...info, bytes: await fetchBytes(session, info.address, info.size, "chunk", options) };
}
