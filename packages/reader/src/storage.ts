import { type ChunkLocation, readChunkIndex } from "@h5/btree";
import type { Datatype } from "@h5/datatypes";
import { applyDecoders, missingFilter, missingFilterError, type PipelineFilter } from "@h5/filters";
import {
  type ChunkedLayout,
  checkLimit,
  type ExternalFiles,
  InvalidFieldError,
  type Layout,
  layoutFlag,
  UnexpectedEofError,
} from "@h5/framing";
import { type ChunkBox, type Dataspace, elementCount, fillChunk } from "@h5/selection";
import { externalData } from "./external-raw.ts";
import { type DataSources, type FetchOptions, fetchPieces, type Piece } from "./fetch.ts";
import type { Part } from "./part.ts";
import type { Selector } from "./selector.ts";
import { runPlan, type Session, type SignalOptions } from "./session.ts";
import { SpareBuffers } from "./spare-buffers.ts";
import type { SettledMapping } from "./virtual-mapping.ts";

/** The layouts that hold elements themselves. */
export type StoredLayout = Exclude<Layout, { readonly class: "virtual" }>;

/** How a dataset's elements are stored. */
export interface Storage<L extends Layout = Layout> {
  /** Of the dataset's object header. */
  readonly address: number;
  readonly dataspace: Dataspace;
  readonly layout: L;
  readonly filters: readonly PipelineFilter[];
  readonly datatype: Datatype;
  readonly elementSize: number;
  /** Stored bytes of the fill value; `undefined` for zeros. */
  readonly fill: Uint8Array | undefined;
  /** The files that hold the raw data, where it lies outside. */
  readonly external: ExternalFiles | undefined;
  /** What a virtual dataset is made of. */
  readonly mappings: readonly SettledMapping[];
}

export interface Progress {
  /** Bytes of the result in place, and of the whole result; stored elements at their stored size. */
  readonly loaded: number;
  readonly total: number;
}

export interface ReadOptions extends FetchOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of {@link readStoredElements}. */
export interface StoredReadOptions extends ReadOptions {
  /** The target holds anything, where otherwise it is new memory, all zero. */
  readonly usedTarget?: boolean | undefined;
  /** Tells the chunks of a box, if they are known already. */
  readonly located?: ((box: ChunkBox) => readonly ChunkLocation[]) | undefined;
}

/** Reads the selected elements of a dataset that is not virtual, packed as stored, into `target`. */
export async function readStoredElements(
  session: Session,
  storage: Storage<StoredLayout>,
  selector: Selector,
  target: Uint8Array,
  options: StoredReadOptions,
): Promise<void> {
  const { layout, external } = storage;
  const landing = landingOf(storage, target, options);
  switch (layout.class) {
    case "chunked":
      return await readChunks(session, storage, layout, selector, landing, options);
    case "compact":
      return copyCompact(storage, layout.data, selector, landing);
    case "contiguous": {
      if (external !== undefined) {
        const data = await externalData(session, external, options);
        return await fetchContiguous({ metadata: data, data }, selector, 0, landing, options);
      }
      if (layout.address === undefined) return landing.fill(selector.count);
      return await fetchContiguous(session, selector, layout.address, landing, options);
    }
  }
}

function fetchContiguous(
  sources: DataSources,
  selector: Selector,
  address: number,
  landing: Landing,
  options: ReadOptions,
): Promise<void> {
  return fetchPieces(sources, contiguousPieces(selector, address, landing), "contiguous data", options);
}

function copyCompact(storage: Storage, data: Uint8Array, selector: Selector, landing: Landing): void {
  const { elementSize, dataspace } = storage;
  const needed = elementCount(dataspace.shape) * elementSize;
  if (data.length < needed) throw new UnexpectedEofError("compact data", undefined, needed, data.length);
  for (const { offset, part } of selector.contiguousParts(elementSize)) {
    landing.copy(part, data.subarray(offset * elementSize));
  }
}

function* contiguousPieces(selector: Selector, address: number, landing: Landing): Generator<Piece> {
  const { elementSize } = landing;
  for (const { offset, part } of selector.contiguousParts(elementSize)) {
    yield* rawPieces(part, address + offset * elementSize, landing);
  }
}

/** The result being filled: what each piece of storage is handed to. */
interface Landing {
  readonly elementSize: number;
  copy(part: Part, source: Uint8Array): void;
  /** Gives `count` elements of the result that are not stored their fill value; to come before any `copy`. */
  fill(count: number): void;
  /** Where the bytes of a part go if they go as they are. */
  direct(part: Part): Piece["direct"];
}

function landingOf({ elementSize, fill }: Storage, target: Uint8Array, options: StoredReadOptions): Landing {
  let loaded = 0;
  const done = (count: number): void => {
    loaded += count * elementSize;
    // What is still in flight at an abort lands in a result that nobody gets.
    if (options.signal?.aborted !== true) options.onProgress?.({ loaded, total: target.length });
  };
  return {
    elementSize,
    copy(part, source) {
      part.copy(source, target, elementSize);
      done(part.count);
    },
    fill(count) {
      if (count === 0) return;
      // Filling all of the result costs less than finding the holes between the stored parts.
      const length = target.length / elementSize;
      if (fill !== undefined) fillChunk({ length, sourceOffset: 0, targetOffset: 0, axes: [] }, fill, target);
      else if (options.usedTarget) target.fill(0);
      done(count);
    },
    direct({ runAt, count }) {
      if (runAt === undefined) return undefined;
      const own = target.subarray(runAt * elementSize, (runAt + count) * elementSize);
      return { target: own, placed: () => done(count) };
    },
  };
}

/** Pieces of unfiltered storage that begins at `address`. */
function* rawPieces(whole: Part, address: number, landing: Landing): Generator<Piece> {
  for (const { start, end, part } of whole.windows(landing.elementSize)) {
    yield {
      start: address + start,
      end: address + end,
      direct: landing.direct(part),
      land: (bytes) => landing.copy(part, bytes),
    };
  }
}

/** A stored chunk that holds some of what is wanted. */
interface WantedChunk {
  readonly location: ChunkLocation;
  readonly part: Part;
  /** Whether the stored bytes are the elements as they are. */
  readonly raw: boolean;
}

async function readChunks(
  session: Session,
  storage: Storage,
  layout: ChunkedLayout,
  selector: Selector,
  landing: Landing,
  options: StoredReadOptions,
): Promise<void> {
  const wanted = await wantedChunks(session, storage, layout, selector, options);
  const stored = wanted.reduce((sum, { part }) => sum + part.count, 0);
  landing.fill(selector.count - stored);
  await fetchPieces(session, chunkPieces(session, storage, layout, wanted, landing), "chunk", options);
}

/** The stored chunks that hold some of the selection, in address order; none of their bytes is read. */
async function wantedChunks(
  session: Session,
  storage: Storage,
  layout: ChunkedLayout,
  selector: Selector,
  options: StoredReadOptions,
): Promise<WantedChunk[]> {
  const box = selector.chunkBox(layout.chunkShape);
  const locations = options.located?.(box) ?? (await locateChunks(session, storage, layout, box, options));
  const partAt = selector.chunkParts(layout.chunkShape);
  const wanted: WantedChunk[] = [];
  for (const location of locations) {
    const part = partAt(location.coordinate);
    if (part === undefined) continue;
    const raw = isRaw(storage, layout, location);
    if (raw) checkRawSize(layout, location);
    else checkFilters(session, storage, location);
    wanted.push({ location, part, raw });
  }
  return wanted.sort((a, b) => a.location.address - b.location.address);
}

/** Where the chunks of a box are stored; chunks never written are left out. */
export async function locateChunks(
  session: Session,
  storage: Storage,
  layout: ChunkedLayout,
  box: ChunkBox | undefined,
  options: SignalOptions,
): Promise<ChunkLocation[]> {
  const { shape, maxShape } = storage.dataspace;
  checkLimit(session.limits, "chunkBytes", chunkBytesOf(layout), { structure: "chunk" });
  const dataset = { layout, shape, maxShape, filtered: storage.filters.length > 0 };
  return runPlan(session, readChunkIndex(session, dataset, box), options);
}

function chunkBytesOf({ chunkShape, elementSize }: ChunkedLayout): number {
  return elementCount(chunkShape) * elementSize;
}

function isRaw(storage: Storage, layout: ChunkedLayout, { coordinate, filterMask }: ChunkLocation): boolean {
  const { filters, dataspace } = storage;
  if (filters.every((_, i) => ((filterMask >>> i) & 1) === 1)) return true;
  if (((layout.flags ?? 0) & layoutFlag.unfilteredEdges) === 0) return false;
  return coordinate.some((chunk, i) => (chunk + 1) * layout.chunkShape[i]! > dataspace.shape[i]!);
}

function checkRawSize(layout: ChunkedLayout, { address, size }: ChunkLocation): void {
  const needed = chunkBytesOf(layout);
  if (size >= needed) return;
  throw new InvalidFieldError(`expected ${needed} bytes of unfiltered data, got ${size}`, {
    structure: "chunk",
    address,
  });
}

/** Tells a missing decoder before anything of the chunk is fetched. */
function checkFilters(session: Session, { filters }: Storage, { filterMask, address }: ChunkLocation): void {
  const missing = missingFilter(filters, filterMask, session.filters);
  if (missing !== undefined) throw missingFilterError(missing, address);
}

function* chunkPieces(
  session: Session,
  storage: Storage,
  layout: ChunkedLayout,
  wanted: readonly WantedChunk[],
  landing: Landing,
): Generator<Piece> {
  const chunkBytes = chunkBytesOf(layout);
  const decoding = { expectedBytes: chunkBytes, maxBytes: session.limits.chunkBytes };
  const buffers = new SpareBuffers();
  for (const { location, part, raw } of wanted) {
    const { address, size, filterMask } = location;
    if (raw) {
      yield* rawPieces(part, address, landing);
      continue;
    }
    checkLimit(session.limits, "chunkBytes", size, { structure: "chunk", address });
    yield {
      start: address,
      end: address + size,
      landingBytes: chunkBytes,
      land(bytes) {
        // A chunk that is one stretch of the result is decoded there, others on their way.
        const place = landing.direct(part);
        const spare = place?.target.length === chunkBytes ? undefined : buffers.take(chunkBytes);
        const into = spare ?? place!.target;
        const decoded = applyDecoders(bytes, storage.filters, filterMask, session.filters, {
          ...decoding,
          address,
          into,
        });
        const finish = (whole: Uint8Array): void => {
          if (whole === place?.target) place.placed();
          else landing.copy(part, whole);
          if (spare !== undefined) buffers.give(spare);
        };
        if (!(decoded instanceof Uint8Array)) return decoded.then(finish);
        finish(decoded);
        return undefined;
      },
    };
  }
}
