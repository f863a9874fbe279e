import { InvalidFieldError } from "@h5/framing";
import { type DecodeOptions, filterPlace } from "./filter.ts";

/** Bytes from which on a call costs less than moving them. */
const LONG = 32;

/**
 * Repeats in `output` at `to` the `length` bytes that begin `distance` bytes before it, which may be bytes that this
 * writes itself. The caller has checked that all of them are within `output`.
 */
export function copyBack(output: Uint8Array, to: number, distance: number, length: number): void {
  if (length > LONG && distance === 1) output.fill(output[to - 1]!, to, to + length);
  else if (length > LONG && distance >= length) output.copyWithin(to, to - distance, to - distance + length);
  else for (let i = to; i < to + length; i++) output[i] = output[i - distance]!;
}

/** The error for a stream that `name` cannot be undone from. */
export function corrupt(name: string, reason: string, options: DecodeOptions): InvalidFieldError {
  return new InvalidFieldError(`bad ${name} stream: ${reason}`, filterPlace(name, options));
}
