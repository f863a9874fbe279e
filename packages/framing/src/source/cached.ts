import { joinWork, type SharedWork, shareWork } from "../abort.ts";
import { asBytes, type ByteSource, type SliceOptions } from "../byte-source.ts";
import { InvalidArgumentError } from "../errors.ts";
import { LruMap } from "../lru-map.ts";

/** Options of {@link cachedSource}. */
export interface CachedSourceOptions {
  /** Bytes of a block, the unit of fetching and keeping; default 64 KiB. */
  readonly blockSize?: number | undefined;
  /** Bytes of blocks kept at most; default 32 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * A source that keeps the blocks it has read, the least recently used dropped first. A resident block is never fetched
 * again, a block in flight is shared by all who want it (an abort ends only the wait of who aborts), and adjacent missing
 * blocks of one slice are one request. Requests that follow each other through the source bring more and more ahead, up to
 * 16 blocks. Failures are not kept. A slice of more than `maxBytes` goes straight to `source`, and so does one of more than
 * 4 MiB where `source` has a `readInto`, and `readInto` where not all of its bytes are at hand: all leave the cache as it is.
 */
export function cachedSource(source: ByteSource, options: CachedSourceOptions = {}): ByteSource {
  const { blockSize = 65536, maxBytes = 33554432 } = options;
  if (!(Number.isSafeInteger(blockSize) && blockSize > 0)) {
    throw new InvalidArgumentError(`expected blockSize to be a positive integer, got ${blockSize}`);
  }
  if (!(maxBytes >= 0)) throw new InvalidArgumentError(`expected maxBytes to be at least 0, got ${maxBytes}`);
  const cached = new CachedSource(source, blockSize, maxBytes);
  return source.readInto ? Object.assign(cached, { readInto: readIntoBehind(source, cached) }) : cached;
}

function readIntoBehind(source: ByteSource, cached: CachedSource): NonNullable<ByteSource["readInto"]> {
  return async (start, target, options) => {
    const bytes = cached.peek(start, start + target.length);
    if (bytes === undefined) return source.readInto!(start, target, options);
    target.set(bytes);
    return bytes.length;
  };
}

/** Bytes of one slice that are kept at most where the source is near, which is one that reads into given memory. */
const NEAR_BYTES = 4194304;
/** Blocks that are read ahead at most, and the part of the cache that they may take. */
const MOST_AHEAD = 16;
const AHEAD_PART = 0.25;
/** Places from which a source may be read through at the same time. */
const ROWS = 8;

/** Bytes from block `first` on, whole and cut into blocks; a short or missing block is the end of the source. */
type Blocks = { readonly first: number; readonly bytes: Uint8Array; readonly blocks: readonly Uint8Array[] };

class CachedSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #blockSize: number;
  /** Bytes of a slice that are kept at most: more of them it takes longer to cut into blocks than to read from near again. */
  readonly #most: number;
  readonly #resident: LruMap<number, Uint8Array>;
  readonly #flights: Map<number, SharedWork<Blocks>>;
  /** There are no bytes from here on. */
  #seenEnd: number;
  /** By the block after a fetch: how many before that each began where another had ended. Of the latest rows alone. */
  readonly #rows: Map<number, number>;

  constructor(source: ByteSource, blockSize: number, maxBytes: number) {
    this.#source = source;
    this.#blockSize = blockSize;
    this.#most = source.readInto === undefined ? maxBytes : Math.min(NEAR_BYTES, maxBytes);
    this.#resident = new LruMap(maxBytes);
    this.#flights = new Map();
    this.#seenEnd = Number.POSITIVE_INFINITY;
    this.#rows = new Map();
  }

  get byteLength(): number | undefined {
    return this.#source.byteLength;
  }

  get #end(): number {
    return Math.min(this.#seenEnd, this.#source.byteLength ?? Number.POSITIVE_INFINITY);
  }

  peek(start: number, end: number): Uint8Array | undefined {
    const known = this.#source.peek?.(start, end);
    if (known) return known;
    const [first, last] = this.#span(start, end);
    const base = first * this.#blockSize;
    // Most of what is asked for lies in one block.
    if (last === first + 1) return this.#resident.get(first)?.subarray(start - base, end - base);
    const parts: Uint8Array[] = [];
    for (let block = first; block < last; block++) {
      const bytes = this.#resident.get(block);
      if (bytes === undefined) return undefined;
      parts.push(bytes);
    }
    return this.#join(parts, first, start, end);
  }

  slice(start: number, end: number, options: SliceOptions = {}): ReturnType<ByteSource["slice"]> {
    const known = this.peek(start, end);
    if (known) return known;
    const [first, last] = this.#span(start, end);
    if ((last - first) * this.#blockSize > this.#most) return this.#source.slice(start, end, options);
    return this.#collect(first, last, start, end, options);
  }

  /** The blocks `[first, last)` that hold the bytes of a range, none past the end of the source. */
  #span(start: number, end: number): [first: number, last: number] {
    const stop = Math.min(end, this.#end);
    if (start >= stop) return [0, 0];
    return [Math.floor(start / this.#blockSize), Math.ceil(stop / this.#blockSize)];
  }

  async #collect(
    first: number,
    last: number,
    start: number,
    end: number,
    { signal }: SliceOptions,
  ): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const parts: Uint8Array[] = [];
    const flights = new Set<SharedWork<Blocks>>();
    for (let block = first; block < last; block++) {
      const resident = this.#resident.get(block);
      parts.push(resident ?? new Uint8Array(0));
      if (resident === undefined) flights.add(this.#flight(block, last));
    }
    const landed = await joinWork([...flights], signal);
    const [only] = landed;
    // All of one answer: joined from its blocks it would be copied once more.
    if (only?.first === first && only.blocks.length >= last - first) {
      return only.bytes.subarray(start - first * this.#blockSize, end - first * this.#blockSize);
    }
    for (const { first: from, blocks } of landed) {
      const begin = Math.max(first, from);
      const stop = Math.min(last, from + blocks.length);
      for (let block = begin; block < stop; block++) parts[block - first] = blocks[block - from]!;
    }
    return this.#join(parts, first, start, end);
  }

  /** The fetch under way for `block`, or a new one for it and the missing blocks that follow, up to `last`. */
  #flight(block: number, last: number): SharedWork<Blocks> {
    const open = this.#open(block);
    if (open) return open;
    const inRow = this.#rows.get(block) ?? 0;
    const most = last + this.#ahead(inRow);
    let stop = block + 1;
    while (stop < most && stop * this.#blockSize < this.#end && !this.#resident.has(stop) && !this.#open(stop)) stop++;
    this.#noteRow(block, stop, inRow + 1);
    const flight = shareWork((signal) => this.#fetch(block, stop, signal));
    for (let i = block; i < stop; i++) this.#flights.set(i, flight);
    const land = (): void => {
      for (let i = block; i < stop; i++) if (this.#flights.get(i) === flight) this.#flights.delete(i);
    };
    flight.result.then(land, land);
    return flight;
  }

  /** Blocks to bring beyond those wanted; none before a third fetch in a row shows where things are going. */
  #ahead(inRow: number): number {
    if (inRow < 2) return 0;
    const room = Math.floor((this.#resident.bound * AHEAD_PART) / this.#blockSize);
    return Math.min(2 ** (inRow - 1), MOST_AHEAD, room);
  }

  #noteRow(block: number, next: number, inRow: number): void {
    this.#rows.delete(block);
    this.#rows.set(next, inRow);
    if (this.#rows.size > ROWS) this.#rows.delete(this.#rows.keys().next().value!);
  }

  #open(block: number): SharedWork<Blocks> | undefined {
    const flight = this.#flights.get(block);
    return flight?.abandoned ? undefined : flight;
  }

  async #fetch(first: number, stop: number, signal: AbortSignal): Promise<Blocks> {
    const size = this.#blockSize;
    const start = first * size;
    const end = Math.min(stop * size, this.#end, Number.MAX_SAFE_INTEGER);
    const bytes = asBytes(await this.#source.slice(start, end, { signal })).subarray(0, end - start);
    if (bytes.length < end - start) this.#seenEnd = Math.min(this.#seenEnd, start + bytes.length);
    const blocks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      // Copied, or one block kept would keep the whole answer, if that is more than the block.
      const block = bytes.buffer.byteLength > size ? bytes.slice(at, at + size) : bytes;
      this.#resident.set(first + blocks.length, block, block.length);
      blocks.push(block);
    }
    return { first, bytes, blocks };
  }

  /** The bytes `[start, end)` of consecutive blocks, the first of them numbered `first`. */
  #join(parts: readonly Uint8Array[], first: number, start: number, end: number): Uint8Array {
    const size = this.#blockSize;
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (const [i, part] of parts.entries()) {
      const base = (first + i) * size;
      const piece = part.subarray(Math.max(0, start - base), Math.max(0, end - base));
      pieces.push(piece);
      length += piece.length;
      if (part.length < size) break;
    }
    if (pieces.length === 1) return pieces[0]!;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}
