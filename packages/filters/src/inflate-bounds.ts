import { InvalidFieldError, LimitExceededError } from "@h5/framing";
import { type DecodeOptions, filterPlace } from "./filter.ts";

/** What the two inflaters share, so that they give the same outcomes. */

/** No deflate stream expands further than this (zlib's technical notes: 1032 to 1). */
const MAX_EXPANSION = 1032;

/**
 * Bytes of output to allocate first: one more than expected, so that an output of the expected size never looks as if
 * it had been cut off, but no more than the input could give and no more than tells that the limit is passed.
 */
export function firstOutput(inputBytes: number, { expectedBytes, maxBytes }: DecodeOptions): number {
  return Math.min((expectedBytes ?? 4 * inputBytes) + 1, MAX_EXPANSION * inputBytes + 64, maxBytes + 1);
}

export function corruptStream(reason: string, options: DecodeOptions): InvalidFieldError {
  return new InvalidFieldError(`bad zlib stream: ${reason}`, filterPlace("deflate", options));
}

export function truncatedStream(options: DecodeOptions): InvalidFieldError {
  return corruptStream("it goes on past the end of the chunk", options);
}

export function oversizedStream(options: DecodeOptions): LimitExceededError {
  const { maxBytes } = options;
  return new LimitExceededError("chunkBytes", maxBytes, `more than ${maxBytes}`, filterPlace("deflate", options));
}
