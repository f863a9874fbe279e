import { kMaxLength } from "node:buffer";
import { inflate as inflateInThread, inflateSync, type ZlibOptions } from "node:zlib";
import type { DecodeOptions, Decoder } from "./filter.ts";
import { corruptStream, firstOutput, oversizedStream, truncatedStream } from "./inflate-bounds.ts";
import { plainBytes, THREAD_BYTES } from "./node-zlib.ts";

/** Output of so many bytes is worth a thread, however well it was compressed. */
const THREAD_OUTPUT_BYTES = 65536;

/** Room past the expected end, without which the inflater would take its last bytes slowly and ask for more room. */
const SLACK_BYTES = 64;

/** Output is taken in pieces of at most this size, since zlib counts a piece in 32 bits. */
const MAX_PIECE_BYTES = 1073741824;

/**
 * Undoes the deflate filter, id 1, with `node:zlib`: small chunks at once, large ones in the thread pool, several at a
 * time. Results and errors are those of the decoder other platforms get.
 *
 * @throws InvalidFieldError for a corrupt or truncated stream; LimitExceededError once more than `maxBytes` come out
 */
export const deflateDecoder: Decoder = { id: 1, name: "deflate", decode, decodeSync };

function decode(
  bytes: Uint8Array,
  params: readonly number[],
  options: DecodeOptions,
): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  const { expectedBytes = 0 } = options;
  if (bytes.length < THREAD_BYTES && expectedBytes < THREAD_OUTPUT_BYTES) return decodeSync(bytes, params, options);
  return new Promise((resolve, reject) => {
    inflateInThread(bytes, zlibOptions(bytes, options), (error, output) => {
      if (error) reject(ownError(error, options));
      else resolve(plainBytes(output));
    });
  });
}

function decodeSync(bytes: Uint8Array, _params: readonly number[], options: DecodeOptions): Uint8Array<ArrayBuffer> {
  try {
    return plainBytes(inflateSync(bytes, zlibOptions(bytes, options)));
  } catch (error) {
    throw ownError(error as Error, options);
  }
}

function zlibOptions(bytes: Uint8Array, options: DecodeOptions): ZlibOptions {
  return {
    chunkSize: Math.min(firstOutput(bytes.length, options) + SLACK_BYTES, MAX_PIECE_BYTES),
    maxOutputLength: Math.max(1, Math.min(options.maxBytes, kMaxLength)),
  };
}

function ownError(error: Error & { code?: string }, options: DecodeOptions): Error {
  if (error.code === "ERR_BUFFER_TOO_LARGE") return oversizedStream(options);
  if (error.code === "Z_BUF_ERROR") return truncatedStream(options);
  if (error.code === "Z_NEED_DICT") return corruptStream("it needs a dictionary", options);
  return corruptStream(error.message, options);
}
