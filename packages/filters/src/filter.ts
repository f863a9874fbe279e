import { type ErrorPlace, LimitExceededError } from "@h5/framing";

/** What a decoder is told besides the bytes and the parameters of its pipeline entry. */
export interface DecodeOptions {
  /**
   * Bytes the output should have, where the filters before this one in the pipeline let it be known. A hint for the
   * first allocation; the pipeline checks the final size itself.
   */
  readonly expectedBytes?: number | undefined;
  /** Bytes the output may have at most (`limits.chunkBytes`). A decoder never allocates more for it. */
  readonly maxBytes: number;
  /** File address of the stored chunk, for error messages. */
  readonly address?: number | undefined;
  /**
   * Memory the output may be put in where it has exactly this length, in place of memory of its own. It is no part of
   * the input, and what it holds may be overwritten even if the decoder then fails.
   */
  readonly into?: Uint8Array | undefined;
  /**
   * Gives memory of so many bytes, where `into` does not do, that may be used until the whole pipeline is undone. What
   * it holds is of no meaning.
   */
  readonly spare?: ((bytes: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/**
 * Undoes one filter. Input is only read; the output may be a view of it. Several chunks are under way at once: what a
 * decoder gives must not be memory that it puts another chunk in, as a view of what WebAssembly works in would be.
 *
 * Whatever else than an `H5Error` a decoder throws reaches the reader's user as an `InvalidFieldError` with that as its
 * `cause`.
 */
export interface Decoder {
  /** Filter identification value (spec IV.A.2.l). */
  readonly id: number;
  /** Short name for messages. */
  readonly name: string;
  /** Stored bytes to the bytes before this filter; at once, or as a promise where that takes a library or a thread. */
  decode(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array | Promise<Uint8Array>;
  /** The same at once. Without it the filter serves chunks but not heap blocks, which are decoded while walking. */
  decodeSync?(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array;
  /** Size of the encoded form of `bytes` bytes, for a filter where it does not depend on their values. */
  encodedBytes?(bytes: number, params: readonly number[]): number;
}

/** A decoder that is never asynchronous. */
export interface SyncDecoder extends Decoder {
  decode(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array;
  decodeSync(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array;
}

/** Applies one filter. Input is only read; the output may be a view of it. */
export interface Encoder {
  /** Filter identification value (spec IV.A.2.l). */
  readonly id: number;
  /** Short name for messages, and the name written where the pipeline message has one. */
  readonly name: string;
  /** The encoded bytes, or `undefined` where the filter gains nothing: an optional filter is then masked out. */
  encode(bytes: Uint8Array, params: readonly number[]): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** An encoder that is never asynchronous. */
export interface SyncEncoder extends Encoder {
  encode(bytes: Uint8Array, params: readonly number[]): Uint8Array | undefined;
}

/** The place a decoder's errors name. */
export function filterPlace(name: string, options: DecodeOptions): ErrorPlace {
  return { structure: `${name} filter`, address: options.address };
}

/**
 * Throws `LimitExceededError` where an output of `bytes` bytes is above `options.maxBytes`: to be called before
 * allocating what parameters or a stored length claim.
 */
export function checkOutputSize(name: string, bytes: number, options: DecodeOptions): void {
  if (bytes > options.maxBytes) {
    throw new LimitExceededError("chunkBytes", options.maxBytes, bytes, filterPlace(name, options));
  }
}

/**
 * Memory for an output of `bytes` bytes that begins at a multiple of `unit`: `options.into` where it fits, else spare or
 * new memory. What it holds is of no meaning.
 */
export function outputOf(bytes: number, options: DecodeOptions, unit: number = 1): Uint8Array {
  const { into } = options;
  return into?.length === bytes && into.byteOffset % unit === 0 ? into : memoryOf(bytes, options);
}

/** Spare memory of `bytes` bytes, or new. What it holds is of no meaning. */
export function memoryOf(bytes: number, { spare }: DecodeOptions): Uint8Array<ArrayBuffer> {
  return spare?.(bytes) ?? new Uint8Array(bytes);
}

/**
 * What was put out so far with room for `needed` bytes and more, where the size of the whole is not known beforehand.
 *
 * @throws LimitExceededError where that is above `options.maxBytes`
 */
export function grownOutput(
  name: string,
  output: Uint8Array,
  needed: number,
  options: DecodeOptions,
): Uint8Array<ArrayBuffer> {
  const { maxBytes } = options;
  if (needed > maxBytes) {
    throw new LimitExceededError("chunkBytes", maxBytes, `more than ${maxBytes}`, filterPlace(name, options));
  }
  const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * output.length)));
  larger.set(output);
  return larger;
}
