import { type ByteRange, inFlight, readRange, readRangeInto, UnexpectedEofError } from "@h5/framing";
import type { Session, SignalOptions } from "./session.ts";
import { GAP_BYTES, WINDOW_BYTES } from "./windows.ts";

/** Requests in flight at once, and chunks of one request's answer that are being decoded at once. */
const FLIGHT = 8;
const DECODING = 4;

/** Where stored data comes from: `metadata` for what is small enough to be worth caching, `data` for the rest. */
export type DataSources = Pick<Session, "metadata" | "data">;

/** A stretch of stored data and what becomes of it. */
export interface Piece extends ByteRange {
  /** Takes the stored bytes, all of them; they are not kept. */
  land(bytes: Uint8Array): void | Promise<void>;
  /** Where the bytes go, when they go as they are: a source may then read straight into it, in place of `land`. */
  readonly direct?: { readonly target: Uint8Array; placed(): void } | undefined;
}

/** Options of {@link fetchPieces}. */
export interface FetchOptions extends SignalOptions {
  /** Has one stored chunk, or stretch of other storage, in memory at a time, where by default several are fetched together. */
  readonly oneByOne?: boolean | undefined;
}

/** The bytes `[start, start + length)` of bulk data, in a buffer of their own. */
export async function fetchBytes(
  sources: DataSources,
  start: number,
  length: number,
  structure: string,
  options: SignalOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readRange(sources.data, { start, end: start + length }, options);
  if (bytes.length < length) throw new UnexpectedEofError(structure, start, length, bytes.length);
  return new Uint8Array(bytes);
}

/**
 * Fetches pieces in the order given, neighbours in one request, with bounded flight. Pieces are taken lazily. The first
 * failure ends it, and rejects once nothing is in flight any more.
 */
export async function fetchPieces(
  sources: DataSources,
  pieces: Iterable<Piece>,
  structure: string,
  options: FetchOptions,
): Promise<void> {
  const flight = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  try {
    for (const group of groupNeighbours(pieces, options)) {
      options.signal?.throwIfAborted();
      if (failure !== undefined) break;
      const landing = startGroup(sources, group, structure, options);
      if (landing === undefined) continue;
      const watched: Promise<void> = landing
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => flight.delete(watched));
      flight.add(watched);
      if (flight.size >= (options.oneByOne ? 1 : FLIGHT)) await Promise.race(flight);
    }
  } finally {
    await Promise.all(flight);
  }
  if (failure !== undefined) throw failure.error;
}

/** A promise only where there is something to wait for: bytes in memory land at once. */
function startGroup(
  sources: DataSources,
  group: readonly Piece[],
  structure: string,
  options: SignalOptions,
): Promise<void> | undefined {
  const end = endOf(group);
  const bytes = sources.metadata.peek?.(group[0]!.start, end);
  return bytes === undefined ? fetchGroup(sources, group, end, structure, options) : landGroup(group, bytes, structure);
}

function endOf(group: readonly Piece[]): number {
  return group.reduce((last, piece) => Math.max(last, piece.end), 0);
}

/** Runs of pieces that one request brings. */
function* groupNeighbours(pieces: Iterable<Piece>, { oneByOne }: FetchOptions): Generator<readonly Piece[]> {
  let group: Piece[] = [];
  let end = 0;
  for (const piece of pieces) {
    const start = group[0]?.start ?? 0;
    const near = piece.start >= start && piece.start - end <= GAP_BYTES && piece.end - start <= WINDOW_BYTES;
    if (group.length > 0 && (oneByOne || !near)) {
      yield group;
      group = [];
      end = 0;
    }
    group.push(piece);
    end = Math.max(end, piece.end);
  }
  if (group.length > 0) yield group;
}

async function fetchGroup(
  sources: DataSources,
  group: readonly Piece[],
  end: number,
  structure: string,
  options: SignalOptions,
): Promise<void> {
  const first = group[0]!;
  if (group.length === 1 && first.direct !== undefined && sources.data.readInto !== undefined) {
    const { target, placed } = first.direct;
    const got = await readRangeInto(sources.data, first.start, target, options);
    if (got < target.length) throw new UnexpectedEofError(structure, first.start, target.length, got);
    placed();
    return;
  }
  // What is smaller than a cache block brings its neighbourhood with it.
  const source = end - first.start < GAP_BYTES ? sources.metadata : sources.data;
  await landGroup(group, await readRange(source, { start: first.start, end }, options), structure);
}

/** Hands each piece its bytes; a promise only where a piece's landing is one. */
function landGroup(group: readonly Piece[], bytes: Uint8Array, structure: string): Promise<void> | undefined {
  const origin = group[0]!.start;
  const land = (piece: Piece): void | Promise<void> => {
    const own = bytes.subarray(piece.start - origin, piece.end - origin);
    if (own.length === piece.end - piece.start) return piece.land(own);
    throw new UnexpectedEofError(structure, piece.start, piece.end - piece.start, own.length);
  };
  for (const [i, piece] of group.entries()) {
    const landing = land(piece);
    // A group may be thousands of small chunks: what decodes in the background does so a few at a time.
    if (landing !== undefined) {
      const others = inFlight(group.slice(i + 1), DECODING, async (other) => await land(other));
      return Promise.all([landing, others]).then(() => undefined);
    }
  }
  return undefined;
}
