import { UnsupportedFeatureError } from "@h5/framing";
import { deflateDecoder } from "#inflate";
import { decodeBloscLz } from "./blosclz.ts";
import { type DecodeOptions, filterPlace } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { decodeLz4Block } from "./lz4-block.ts";
import { decodeSnappy } from "./snappy.ts";
import { loadZstd } from "./zstd-frame.ts";

/** Decodes a stream into the whole of `output`. */
export type Undo = (stored: Uint8Array, output: Uint8Array, options: DecodeOptions) => void;

/**
 * What undoes the streams of a codec, by its number in the flags of a frame or chunk (blosc.h); a promise where it is
 * loaded first.
 *
 * @throws UnsupportedFeatureError for a codec without a decoder
 */
export function undoOf(codec: number, options: DecodeOptions): Undo | Promise<Undo> {
  if (codec === 0) return decodeBloscLz;
  if (codec === 1) return decodeLz4Block;
  if (codec === 2) return decodeSnappy;
  if (codec === 3) {
    return (stored, output) => {
      const limits = { expectedBytes: output.length, maxBytes: output.length, address: options.address };
      fill(output, deflateDecoder.decodeSync!(stored, [], limits), options);
    };
  }
  if (codec === 4) {
    return loadZstd(options).then((zstd) => (stored, part) => fill(part, zstd(stored, options), options));
  }
  throw new UnsupportedFeatureError(`Blosc with codec ${codec}`, filterPlace("blosc", options));
}

function fill(output: Uint8Array, decoded: Uint8Array, options: DecodeOptions): void {
  if (decoded.length !== output.length) {
    throw corrupt("blosc", `expected ${output.length} bytes of a stream, got ${decoded.length}`, options);
  }
  output.set(decoded);
}
