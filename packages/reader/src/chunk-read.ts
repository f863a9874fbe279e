import { type ChunkLocation, readChunkIndex } from "@h5/btree";
import { applyDecoders, applyDecodersSync, missingFilter, missingFilterError, type PipelineOptions } from "@h5/filters";
import { abortable, type ChunkedLayout, checkLimit, InvalidFieldError, layoutFlag } from "@h5/framing";
import { type ChunkBox, elementCount } from "@h5/selection";
import { ChunkCache, type Tell } from "./chunk-cache.ts";
import { fetchPieces, type Piece } from "./fetch.ts";
import { type Landing, rawPieces } from "./landing.ts";
import type { Part } from "./part.ts";
import type { Selector } from "./selector.ts";
import { runPlan, type Session, type SignalOptions } from "./session.ts";
import { SpareBuffers } from "./spare-buffers.ts";
import type { Storage, StoredReadOptions } from "./storage.ts";

/** Decoded chunks kept by default. */
const CACHE_BYTES = 16777216;
/** A chunk alone of at most so many bytes is decoded at once. */
const AT_ONCE_BYTES = 1048576;

/** A stored chunk that holds some of what is wanted. */
interface WantedChunk {
  readonly location: ChunkLocation;
  readonly part: Part;
  /** Whether the stored bytes are the elements as they are. */
  readonly raw: boolean;
  /** Whether it has to be decoded for a part of its elements. */
  readonly cut: boolean;
}

/** One read of a chunked dataset. */
interface ChunkRead {
  readonly session: Session;
  readonly storage: Storage;
  readonly landing: Landing;
  readonly options: StoredReadOptions;
  readonly chunkBytes: number;
  /** Where chunks are kept of which only a part is wanted, if they are. */
  readonly cache: ChunkCache | undefined;
}

/** Reads the selected elements of a chunked dataset. */
export async function readChunks(
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
  const chunkBytes = chunkBytesOf(layout);
  const cache = cacheFor(session, wanted.filter(({ cut }) => cut).length * chunkBytes);
  await fetchChunks({ session, storage, landing, options, chunkBytes, cache }, wanted);
}

/** The cache, where it has room for all that a read would put in it: a read of more would find nothing of it again. */
function cacheFor({ cache, files }: Session, bytes: number): ChunkCache | undefined {
  if (bytes === 0 || cache === false) return undefined;
  files.chunks ??= new ChunkCache(cache?.chunkBytes ?? CACHE_BYTES);
  return bytes <= files.chunks.maxBytes ? files.chunks : undefined;
}

async function fetchChunks(read: ChunkRead, wanted: readonly WantedChunk[]): Promise<void> {
  const { session, landing, options } = read;
  const shared: SharedChunks = { decoding: new Set(), coming: [] };
  try {
    await fetchPieces(session, chunkPieces(read, wanted, shared), "chunk", options);
  } finally {
    for (const tell of shared.decoding) tell();
  }
  const failed: WantedChunk[] = [];
  for (const { chunk, bytes } of shared.coming) {
    const found = await abortable(bytes, options.signal);
    if (found === undefined) failed.push(chunk);
    else landing.copy(chunk.part, found);
  }
  if (failed.length > 0) await fetchChunks(read, failed);
}

/** What reads at the same time have to do with each other. */
interface SharedChunks {
  /** Of those that this one decodes. */
  readonly decoding: Set<Tell>;
  /** Those that others decode. */
  readonly coming: { readonly chunk: WantedChunk; readonly bytes: Promise<Uint8Array | undefined> }[];
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
  const whole = elementCount(layout.chunkShape);
  const wanted: WantedChunk[] = [];
  for (const location of locations) {
    const part = partAt(location.coordinate);
    if (part === undefined) continue;
    const raw = isRaw(storage, layout, location);
    if (raw) checkRawSize(layout, location);
    else checkFilters(session, storage, location);
    const cut = !raw && part.count < whole && part.count < elementsIn(storage, layout, location);
    wanted.push({ location, part, raw, cut });
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

/** Elements of a chunk that are inside the dataset. */
function elementsIn({ dataspace }: Storage, { chunkShape }: ChunkedLayout, { coordinate }: ChunkLocation): number {
  return elementCount(
    chunkShape.map((length, axis) => Math.min(length, dataspace.shape[axis]! - coordinate[axis]! * length)),
  );
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

function* chunkPieces(read: ChunkRead, wanted: readonly WantedChunk[], shared: SharedChunks): Generator<Piece> {
  const { session, storage, landing, chunkBytes } = read;
  const buffers = new SpareBuffers();
  const decode = decoderOf(read, wanted);
  const dataset = JSON.stringify([session.name, storage.address]);
  for (const chunk of wanted) {
    const { location, part, raw, cut } = chunk;
    const { address, size, filterMask } = location;
    if (raw) {
      yield* rawPieces(part, address, landing);
      continue;
    }
    checkLimit(session.limits, "chunkBytes", size, { structure: "chunk", address });
    const cache = cut ? read.cache : undefined;
    const key = cache === undefined ? "" : `${dataset} ${address} ${size} ${filterMask}`;
    const known = cache?.get(key);
    if (known instanceof Uint8Array) landing.copy(part, known);
    else if (known !== undefined) shared.coming.push({ chunk, bytes: known });
    else {
      const tell = cache?.expect(key);
      if (tell !== undefined) shared.decoding.add(tell);
      yield {
        start: address,
        end: address + size,
        landingBytes: chunkBytes,
        land: (bytes) => land(chunk, bytes, tell),
      };
    }
  }

  function land({ location, part }: WantedChunk, bytes: Uint8Array, tell?: Tell) {
    // A chunk that is one stretch of the result is decoded there, one to be kept in memory of its own, others on their way.
    const place = tell === undefined ? landing.direct(part) : undefined;
    const own = tell && new Uint8Array(chunkBytes);
    const taken: Uint8Array<ArrayBuffer>[] = [];
    const spare = (length: number): Uint8Array<ArrayBuffer> => {
      const buffer = buffers.take(length);
      taken.push(buffer);
      return buffer;
    };
    const into = own ?? (place?.target.length === chunkBytes ? place.target : spare(chunkBytes));
    const finish = (whole: Uint8Array): void => {
      if (whole === place?.target) place.placed();
      else landing.copy(part, whole);
      for (const buffer of taken) buffers.give(buffer);
      if (own === undefined) return;
      if (whole !== own) own.set(whole);
      shared.decoding.delete(tell!);
      tell!(own);
    };
    const decoded = decode(bytes, location, { into, spare });
    if (!(decoded instanceof Uint8Array)) return decoded.then(finish);
    finish(decoded);
    return undefined;
  }
}

/** Undoes the filters of chunks: at once where that is one of a size that is hardly worth another thread. */
function decoderOf({ session, storage, chunkBytes }: ChunkRead, wanted: readonly WantedChunk[]) {
  const { filters, limits } = session;
  const atOnce =
    chunkBytes <= AT_ONCE_BYTES &&
    wanted.filter(({ raw }) => !raw).length === 1 &&
    filters.every(({ decodeSync }) => decodeSync !== undefined);
  const apply = atOnce ? applyDecodersSync : applyDecoders;
  return (bytes: Uint8Array, { address, filterMask }: ChunkLocation, memory: Pick<PipelineOptions, "into" | "spare">) =>
    apply(bytes, storage.filters, filterMask, filters, {
      expectedBytes: chunkBytes,
      maxBytes: limits.chunkBytes,
      maxExcess: limits.chunkExcess,
      address,
      ...memory,
    });
}
