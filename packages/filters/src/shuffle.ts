import { InvalidArgumentError, InvalidFieldError } from "@h5/framing";
import { type DecodeOptions, filterPlace, outputOf, type SyncDecoder, type SyncEncoder } from "./filter.ts";
import { transposed } from "./transpose.ts";

/**
 * Undoes the shuffle filter, id 2: byte planes back to elements. The one parameter is the element size; bytes past the
 * last whole element stay where they are. H5Zshuffle.c.
 *
 * @throws InvalidFieldError where there is not one parameter above 0
 */
export const shuffleDecoder: SyncDecoder = {
  id: 2,
  name: "shuffle",
  decode: unshuffle,
  decodeSync: unshuffle,
  encodedBytes: (bytes) => bytes,
};

/**
 * The shuffle filter, id 2: byte `i` of every element, for each `i` in turn. H5Zshuffle.c.
 *
 * @throws InvalidArgumentError where there is not one parameter above 0
 */
export const shuffleEncoder: SyncEncoder = { id: 2, name: "shuffle", encode: shuffle };

function unshuffle(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  const size = elementSize(params, (message) => {
    throw new InvalidFieldError(message, filterPlace("shuffle", options));
  });
  const count = Math.floor(bytes.length / size);
  if (size === 1 || count < 2) return bytes;
  return transposed(bytes, size, count, outputOf(bytes.length, options));
}

function shuffle(bytes: Uint8Array, params: readonly number[]): Uint8Array {
  const size = elementSize(params, (message) => {
    throw new InvalidArgumentError(message, { structure: "shuffle filter" });
  });
  const count = Math.floor(bytes.length / size);
  if (size === 1 || count < 2) return bytes;
  return transposed(bytes, count, size, new Uint8Array(bytes.length));
}

function elementSize(params: readonly number[], fail: (message: string) => never): number {
  const [size = 0] = params;
  if (params.length === 1 && size > 0) return size;
  return fail(`expected one parameter, the element size, got [${params}]`);
}
