import {
  InvalidArgumentError,
  InvalidFieldError,
  isH5Error,
  LimitExceededError,
  MissingFilterError,
  UnsupportedFeatureError,
} from "@h5/framing";
import { type DecodeOptions, type Decoder, type Encoder, filterPlace } from "./filter.ts";
import { filterName } from "./filter-name.ts";
import type { PipelineFilter } from "./pipeline-message.ts";

/** Options of {@link applyDecoders}. */
export interface PipelineOptions {
  /** Bytes of the chunk before any filter: chunk elements times element size, or the heap block's size. */
  readonly expectedBytes: number;
  /** Bytes any stage may give at most (`limits.chunkBytes`). */
  readonly maxBytes: number;
  /** Bytes any stage may give beyond `expectedBytes` (`limits.chunkExcess`); as many as `maxBytes` allows by default. */
  readonly maxExcess?: number | undefined;
  /** File address of the stored chunk, for error messages. */
  readonly address?: number | undefined;
  /**
   * Memory of `expectedBytes` bytes that the result may be put in, which saves what decodes many chunks new memory for
   * each. It is there only if the answer is this very memory; it may have been overwritten if not.
   */
  readonly into?: Uint8Array | undefined;
  /**
   * Gives memory of so many bytes for what filters hand on, or else the result, in place of new memory for each chunk: to
   * be left alone until the result has been used. It begins at a multiple of 8.
   */
  readonly spare?: ((bytes: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/** Bit `position` of a chunk's filter mask: the filter was left out of this chunk (H5Z.c). */
function isMasked(filterMask: number, position: number): boolean {
  return ((filterMask >>> position) & 1) === 1;
}

/**
 * The first filter, in pipeline order, that a chunk with this mask went through and `decoders` has nothing for;
 * `undefined` where the chunk can be decoded. To be asked before a chunk's bytes are fetched.
 */
export function missingFilter(
  filters: readonly PipelineFilter[],
  filterMask: number,
  decoders: readonly Decoder[],
): PipelineFilter | undefined {
  return filters.find(({ id }, i) => !isMasked(filterMask, i) && !decoders.some((decoder) => decoder.id === id));
}

/** The error for a filter without a decoder, with the name the file or the registry gives it. */
export function missingFilterError(filter: PipelineFilter, address?: number): MissingFilterError {
  const name = filterName(filter.id) ?? filter.name ?? "";
  return new MissingFilterError(filter.id, name, { structure: "filter pipeline", address });
}

interface Stage {
  readonly decoder: Decoder;
  readonly params: readonly number[];
  readonly options: DecodeOptions;
  /** The error for more than `options.maxBytes`. */
  tooMuch(): LimitExceededError;
}

/** What is to be undone, last filter first. */
function stagesOf(
  filters: readonly PipelineFilter[],
  filterMask: number,
  decoders: readonly Decoder[],
  options: PipelineOptions,
): Stage[] {
  const { expectedBytes, address, into, spare } = options;
  const stages: Stage[] = [];
  const maxBytes = Math.min(options.maxBytes, expectedBytes + (options.maxExcess ?? options.maxBytes));
  let size: number | undefined = expectedBytes;
  for (const [i, filter] of filters.entries()) {
    if (isMasked(filterMask, i)) continue;
    const decoder = decoders.find(({ id }) => id === filter.id);
    if (decoder === undefined) throw missingFilterError(filter, address);
    const { params } = filter;
    // The first filter's decoder gives the result, and is the last to work.
    const last = stages.length === 0 ? into : undefined;
    const tooMuch = (): LimitExceededError => excess(decoder, maxBytes, options);
    const own = { expectedBytes: size, maxBytes, address, into: last, spare };
    stages.unshift({ decoder, params, options: own, tooMuch });
    size = size === undefined ? undefined : decoder.encodedBytes?.(size, params);
  }
  return stages;
}

/** The error for a filter that gives more than `allowed` bytes, by the limit that makes it so few. */
function excess(
  { name }: Decoder,
  allowed: number,
  { maxBytes, maxExcess, expectedBytes, address }: PipelineOptions,
): LimitExceededError {
  const place = filterPlace(name, { maxBytes, address });
  if (allowed === maxBytes) return new LimitExceededError("chunkBytes", maxBytes, `more than ${maxBytes}`, place);
  const got = `more than ${allowed} bytes for the ${expectedBytes} of the chunk`;
  return new LimitExceededError("chunkExcess", maxExcess!, got, place);
}

/**
 * Undoes a pipeline on one stored chunk: from the last filter to the first, leaving out filter `i` where bit `i` of the
 * chunk's mask is set (H5Z.c, `H5Z_pipeline`). Gives exactly `expectedBytes` bytes, perhaps as a view of `bytes`. Where
 * the filters give more, the first `expectedBytes` are taken, as libhdf5 does. The answer is a promise only where a
 * decoder's is.
 *
 * @throws MissingFilterError where a needed decoder is not among `decoders`; InvalidFieldError for data a filter cannot
 * undo, for fewer bytes than expected, and around whatever a decoder throws of its own; LimitExceededError where a
 * stage gives more than `maxBytes`, or than `maxExcess` beyond what is expected
 */
export function applyDecoders(
  bytes: Uint8Array,
  filters: readonly PipelineFilter[],
  filterMask: number,
  decoders: readonly Decoder[],
  options: PipelineOptions,
): Uint8Array | Promise<Uint8Array> {
  const stages = stagesOf(filters, filterMask, decoders, options);
  const from = (input: Uint8Array, next: number): Uint8Array | Promise<Uint8Array> => {
    const stage = stages[next];
    if (stage === undefined) return checkResult(input, options);
    const output = guarded(stage, () => stage.decoder.decode(input, stage.params, stage.options));
    if (!isPromise(output)) return from(checkStage(stage, output), next + 1);
    return output.then(
      (decoded) => from(checkStage(stage, decoded), next + 1),
      (error: unknown) => Promise.reject(ownError(stage, error)),
    );
  };
  return from(bytes, 0);
}

/**
 * {@link applyDecoders} at once, as heap blocks need it.
 *
 * @throws UnsupportedFeatureError where a needed decoder has no `decodeSync`, and what {@link applyDecoders} throws
 */
export function applyDecodersSync(
  bytes: Uint8Array,
  filters: readonly PipelineFilter[],
  filterMask: number,
  decoders: readonly Decoder[],
  options: PipelineOptions,
): Uint8Array {
  let output = bytes;
  for (const stage of stagesOf(filters, filterMask, decoders, options)) {
    const { decoder, params } = stage;
    if (decoder.decodeSync === undefined) {
      throw new UnsupportedFeatureError(
        `the ${decoder.name} decoder is asynchronous only, heap blocks and other metadata need decodeSync`,
        { structure: "filter pipeline", address: options.address },
      );
    }
    const input = output;
    output = checkStage(
      stage,
      guarded(stage, () => decoder.decodeSync!(input, params, stage.options)),
    );
  }
  return checkResult(output, options);
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === "function";
}

function guarded<T>(stage: Stage, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw ownError(stage, error);
  }
}

/** A decoder's exception as ours: libraries throw what they like, and a user should see which filter failed where. */
function ownError({ decoder, options, tooMuch }: Stage, cause: unknown): Error {
  if (isH5Error(cause, "LIMIT_EXCEEDED")) return tooMuch();
  if (isH5Error(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const place = { structure: "filter pipeline", address: options.address, cause };
  return new InvalidFieldError(`the ${decoder.name} filter cannot be undone: ${reason}`, place);
}

function checkStage({ decoder, options, tooMuch }: Stage, output: Uint8Array): Uint8Array {
  if (!(output instanceof Uint8Array)) {
    throw new InvalidArgumentError(`the ${decoder.name} decoder gave no Uint8Array`, { structure: "filter pipeline" });
  }
  if (output.length > options.maxBytes) throw tooMuch();
  return output;
}

function checkResult(output: Uint8Array, { expectedBytes, address }: PipelineOptions): Uint8Array {
  if (output.length < expectedBytes) {
    const place = { structure: "filter pipeline", address };
    throw new InvalidFieldError(`expected ${expectedBytes} bytes once decoded, got ${output.length}`, place);
  }
  return output.length === expectedBytes ? output : output.subarray(0, expectedBytes);
}

/** A chunk as it is to be stored. */
export interface EncodedChunk {
  readonly bytes: Uint8Array;
  /** Bit `i` is set where filter `i` was left out. */
  readonly filterMask: number;
}

/**
 * Applies a pipeline to one chunk, first filter to last. An optional filter that gains nothing is left out and its bit
 * set in the mask. The answer is a promise only where an encoder's is.
 *
 * @param skip - filters to be left out in any case, bit i for filter i
 * @throws InvalidArgumentError where an encoder is not among `encoders`, or a mandatory filter cannot encode the chunk
 */
export function applyEncoders(
  bytes: Uint8Array,
  filters: readonly PipelineFilter[],
  encoders: readonly Encoder[],
  skip: number = 0,
): EncodedChunk | Promise<EncodedChunk> {
  const from = (chunk: EncodedChunk, i: number): EncodedChunk | Promise<EncodedChunk> => {
    const filter = filters[i];
    if (filter === undefined) return chunk;
    if (isMasked(skip, i)) return from(masked(chunk, i), i + 1);
    const encoder = encoders.find(({ id }) => id === filter.id);
    if (encoder === undefined) {
      const name = filterName(filter.id) ?? filter.name ?? "unnamed";
      throw new InvalidArgumentError(`no encoder for filter ${filter.id} (${name}); pass one in filters`);
    }
    const output = encoder.encode(chunk.bytes, filter.params);
    const next = (encoded: Uint8Array | undefined) => from(encodedChunk(chunk, encoded, filter, i), i + 1);
    return isPromise(output) ? output.then(next) : next(output);
  };
  return from({ bytes, filterMask: 0 }, 0);
}

function encodedChunk(
  chunk: EncodedChunk,
  encoded: Uint8Array | undefined,
  filter: PipelineFilter,
  position: number,
): EncodedChunk {
  if (encoded !== undefined) return { bytes: encoded, filterMask: chunk.filterMask };
  if (!filter.optional) {
    throw new InvalidArgumentError(`filter ${filter.id} cannot encode this chunk and is not optional`);
  }
  return masked(chunk, position);
}

/** The chunk with filter `position` left out. */
function masked({ bytes, filterMask }: EncodedChunk, position: number): EncodedChunk {
  return { bytes, filterMask: (filterMask | (1 << position)) >>> 0 };
}
