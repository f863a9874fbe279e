import {
  Z_BUF_ERROR,
  Z_NEED_DICT,
  Z_OK,
  Z_STREAM_END,
  Z_SYNC_FLUSH,
  ZStream,
  zlibInflate,
  zlibInflateInit,
} from "pako";
import { type DecodeOptions, type Decoder, memoryOf } from "./filter.ts";
import { corruptStream, firstOutput, oversizedStream, truncatedStream } from "./inflate-bounds.ts";

/**
 * Undoes the deflate filter, id 1: a zlib stream (RFC 1950), its checksum verified. Bytes after the end of the stream
 * are ignored, as libhdf5 ignores them. H5Zdeflate.c.
 *
 * On Node, Deno and Bun the package gives a decoder over `node:zlib` instead, with the same results and errors.
 *
 * @throws InvalidFieldError for a corrupt or truncated stream; LimitExceededError once more than `maxBytes` come out
 */
export const deflateDecoder: Decoder = { id: 1, name: "deflate", decode: inflate, decodeSync: inflate };

// The stream interface rather than pako's `inflate`: it fills one buffer of the expected size, and stops when told.
function inflate(bytes: Uint8Array, _params: readonly number[], options: DecodeOptions): Uint8Array {
  const stream = new ZStream();
  zlibInflateInit(stream);
  stream.input = bytes;
  stream.avail_in = bytes.length;
  stream.output = memoryOf(firstOutput(bytes.length, options), options);
  for (;;) {
    stream.avail_out = stream.output.length - stream.next_out;
    const status = zlibInflate(stream, Z_SYNC_FLUSH);
    if (stream.next_out > options.maxBytes) throw oversizedStream(options);
    if (status === Z_STREAM_END) return stream.output.subarray(0, stream.next_out);
    if (status === Z_NEED_DICT) throw corruptStream("it needs a dictionary", options);
    if (status !== Z_OK && status !== Z_BUF_ERROR) throw corruptStream(stream.msg, options);
    if (stream.avail_out > 0) throw truncatedStream(options);
    stream.output = grown(stream.output, options.maxBytes);
  }
}

function grown(output: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(2 * output.length, maxBytes + 1));
  larger.set(output);
  return larger;
}
