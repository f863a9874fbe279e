import { type ByteRange, PartSignals, readRange, readRangeInto, UnexpectedEofError } from "@h5/framing";
import { Flight } from "./flight.ts";
import type { Session, SignalOptions } from "./session.ts";
import { SpareBuffers } from "./spare-buffers.ts";
import { GAP_BYTES, WINDOW_BYTES } from "./windows.ts";

/** Requests in flight at once, and the bytes of their answers that are in memory. */
const FETCHES = 8;
const FETCH_BYTES = 16777216;
/** Chunks that are being decoded at once, and their bytes once decoded. */
const DECODES = 8;
const DECODE_BYTES = 16777216;
/** What one read brings of a source that reads into given memory: such a one is near, and has small buffers used again. */
const NEAR_WINDOW_BYTES = 262144;
/** What is kept of the buffers when they have been used. */
const SPARE_BYTES = 4194304;

/** Those of the last read, of whatever file: windows of a dataset are read one after the other, and files opened again. */
let spare: SpareBuffers | undefined;

/** Where stored data comes from: `metadata` for what is small enough to be worth caching, `data` for the rest. */
export interface DataSources extends Pick<Session, "metadata" | "data">, Partial<Pick<Session, "cache">> {}

/** A stretch of stored data and what becomes of it. */
export interface Piece extends ByteRange {
  /** Takes the stored bytes, all of them; they are not kept, since their memory is used again. */
  land(bytes: Uint8Array): void | Promise<void>;
  /** Bytes that landing takes in memory. */
  readonly landingBytes?: number | undefined;
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
  checkEnd(start, start + length, structure);
  const bytes = await readRange(sources.data, { start, end: start + length }, options);
  if (bytes.length < length) throw new UnexpectedEofError(structure, start, length, bytes.length);
  return new Uint8Array(bytes);
}

/** No file goes beyond 2^53-1, and no source takes a range that does. */
function checkEnd(start: number, end: number, structure: string): void {
  if (!Number.isSafeInteger(end)) throw new UnexpectedEofError(structure, start, end - start, 0);
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
  await new PieceFetch(sources, structure, options).run(pieces);
}

/** One call of {@link fetchPieces}. Its promises never reject: a failure is noted, and told in the end. */
class PieceFetch {
  readonly #sources: DataSources;
  readonly #structure: string;
  readonly #options: FetchOptions;
  readonly #fetching: Flight;
  readonly #decoding: Flight = new Flight(DECODES, DECODE_BYTES);
  readonly #buffers: SpareBuffers;
  readonly #parts: PartSignals = new PartSignals();
  #failure: { readonly error: unknown } | undefined;

  constructor(sources: DataSources, structure: string, options: FetchOptions) {
    this.#sources = sources;
    this.#structure = structure;
    this.#options = options;
    if (sources.cache === false) this.#buffers = new SpareBuffers(SPARE_BYTES);
    else this.#buffers = spare ??= new SpareBuffers(SPARE_BYTES);
    this.#fetching = new Flight(options.oneByOne ? 1 : FETCHES, FETCH_BYTES);
  }

  async run(pieces: Iterable<Piece>): Promise<void> {
    const flight = new Set<Promise<void>>();
    const windowBytes = this.#sources.data.readInto === undefined ? WINDOW_BYTES : NEAR_WINDOW_BYTES;
    const { signal } = this.#options;
    const stop = (): void => this.#parts.abort(signal!.reason);
    signal?.addEventListener("abort", stop);
    try {
      for (const group of groupNeighbours(pieces, this.#options.oneByOne ? 0 : windowBytes)) {
        const bytes = endOf(group) - group[0]!.start;
        while (!this.#fetching.hasRoom(bytes)) await this.#fetching.left();
        if (!this.#goesOn()) break;
        const landing = this.#start(group);
        if (landing === undefined) continue;
        this.#fetching.enter(bytes);
        const watched: Promise<void> = landing.then(() => {
          flight.delete(watched);
          this.#fetching.leave(bytes);
        });
        flight.add(watched);
      }
    } finally {
      await Promise.all(flight);
      signal?.removeEventListener("abort", stop);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Whether there is any use in going on. */
  #goesOn(): boolean {
    const { signal } = this.#options;
    if (signal?.aborted) this.#failure ??= { error: signal.reason };
    return this.#failure === undefined;
  }

  /** A promise only where there is something to wait for: bytes in memory land at once. */
  #start(group: readonly Piece[]): Promise<void> | undefined {
    const end = endOf(group);
    checkEnd(group[0]!.start, end, this.#structure);
    const bytes = this.#sources.metadata.peek?.(group[0]!.start, end);
    if (bytes !== undefined) return this.#land(group, bytes, 0);
    if (this.#options.signal === undefined) return this.#fetch(group, end, {});
    return this.#parts.run((signal) => this.#fetch(group, end, { signal }));
  }

  async #fetch(group: readonly Piece[], end: number, options: SignalOptions): Promise<void> {
    const first = group[0]!;
    const { data, metadata } = this.#sources;
    const { start } = first;
    const bytes = end - start;
    try {
      if (group.length === 1 && first.direct !== undefined && data.readInto !== undefined) {
        const { target, placed } = first.direct;
        const got = await readRangeInto(data, start, target, options);
        if (got < target.length) throw new UnexpectedEofError(this.#structure, start, target.length, got);
        placed();
      } else if (bytes < GAP_BYTES || data.readInto === undefined) {
        // What is smaller than a cache block brings its neighbourhood with it.
        const source = bytes < GAP_BYTES ? metadata : data;
        await this.#land(group, await readRange(source, { start, end }, options), 0);
      } else {
        const buffer = this.#buffers.take(bytes);
        const got = await readRangeInto(data, start, buffer, options);
        await this.#land(group, buffer.subarray(0, got), 0);
        this.#buffers.give(buffer);
      }
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** Hands each piece from `next` on its bytes; a promise only where a piece's landing is one, or has to wait. */
  #land(group: readonly Piece[], bytes: Uint8Array, next: number): Promise<void> | undefined {
    const landings: Promise<void>[] = [];
    for (let i = next; i < group.length && this.#goesOn(); i++) {
      const piece = group[i]!;
      if (!this.#decoding.hasRoom(piece.landingBytes ?? 0)) {
        landings.push(this.#decoding.left().then(() => this.#land(group, bytes, i)));
        break;
      }
      const landing = this.#landOne(piece, bytes, group[0]!.start);
      if (landing !== undefined) landings.push(landing);
    }
    return landings.length === 0 ? undefined : Promise.all(landings).then(() => undefined);
  }

  #landOne(piece: Piece, bytes: Uint8Array, origin: number): Promise<void> | undefined {
    const { start, end, landingBytes = 0 } = piece;
    const own = bytes.subarray(start - origin, end - origin);
    const failed = (error: unknown): void => {
      this.#failure ??= { error };
    };
    try {
      if (own.length < end - start) throw new UnexpectedEofError(this.#structure, start, end - start, own.length);
      const landing = piece.land(own);
      if (landing === undefined) return undefined;
      this.#decoding.enter(landingBytes);
      return landing.catch(failed).then(() => this.#decoding.leave(landingBytes));
    } catch (error) {
      failed(error);
      return undefined;
    }
  }
}

function endOf(group: readonly Piece[]): number {
  return group.reduce((last, piece) => Math.max(last, piece.end), 0);
}

/** Runs of pieces that one request of at most `windowBytes` brings; a larger piece comes alone. */
function* groupNeighbours(pieces: Iterable<Piece>, windowBytes: number): Generator<readonly Piece[]> {
  let group: Piece[] = [];
  let end = 0;
  for (const piece of pieces) {
    const start = group[0]?.start ?? 0;
    const near = piece.start >= start && piece.start - end <= GAP_BYTES && piece.end - start <= windowBytes;
    if (group.length > 0 && !near) {
      yield group;
      group = [];
      end = 0;
    }
    group.push(piece);
    end = Math.max(end, piece.end);
  }
  if (group.length > 0) yield group;
}
