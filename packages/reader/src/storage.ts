import type { ChunkLocation } from "@h5/btree";
import type { Datatype } from "@h5/datatypes";
import type { PipelineFilter } from "@h5/filters";
import { checkLimit, type ExternalFiles, type Layout, UnexpectedEofError, UnsupportedFeatureError } from "@h5/framing";
import { type ChunkBox, type Dataspace, elementCount } from "@h5/selection";
import { readChunks } from "./chunk-read.ts";
import { externalData } from "./external-raw.ts";
import { type DataSources, type FetchOptions, fetchPieces, type Piece } from "./fetch.ts";
import { type Landing, landingOf, rawPieces } from "./landing.ts";
import type { Selector } from "./selector.ts";
import type { Session } from "./session.ts";
import type { SettledMapping } from "./virtual-mapping.ts";
import { GAP_BYTES } from "./windows.ts";

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

/** How far a read has come. */
export interface Progress {
  /** Bytes of the result in place, and of the whole result; stored elements at their stored size. */
  readonly loaded: number;
  readonly total: number;
}

/** Options of reading elements. */
export interface ReadOptions extends FetchOptions {
  /** Told of each piece that has come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of {@link readStoredElements}. */
export interface StoredReadOptions extends ReadOptions {
  /** The target holds anything, where otherwise it is new memory, all zero. */
  readonly usedTarget?: boolean | undefined;
  /** The target is the caller's, who may use it for something else once the read has ended, however it ends. */
  readonly lent?: boolean | undefined;
  /** Tells the chunks of a box, if they are known already. */
  readonly located?: ((box: ChunkBox) => readonly ChunkLocation[]) | undefined;
}

/**
 * Memory for elements of a dataset.
 *
 * @throws LimitExceededError (`readBytes`), UnsupportedFeatureError where there is no array so large
 */
export function allocate({ limits }: Session, { address }: Storage, length: number): Uint8Array<ArrayBuffer> {
  const place = { structure: "dataset", address };
  checkLimit(limits, "readBytes", length, place);
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new UnsupportedFeatureError(`${length} bytes in one array, which is not to be had here: read parts`, {
      ...place,
      cause,
    });
  }
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
      if (isWhole(selector, storage) && copyAtHand(session, layout.address, target, landing, options)) return;
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

function isWhole({ axes }: Selector, { dataspace }: Storage): boolean {
  return axes?.every(({ step, count }, axis) => step === 1 && count === dataspace.shape[axis]) === true;
}

/** Copies all of a small dataset, if its bytes are at hand: what fetches others takes longer than that. */
function copyAtHand(
  { metadata }: DataSources,
  address: number,
  target: Uint8Array,
  landing: Landing,
  { signal }: ReadOptions,
): boolean {
  if (target.length > GAP_BYTES) return false;
  const bytes = metadata.peek?.(address, address + target.length);
  if (bytes?.length !== target.length) return false;
  signal?.throwIfAborted();
  target.set(bytes);
  landing.direct({ runAt: 0, count: target.length / landing.elementSize })?.placed();
  return true;
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
