import { type ByteSource, blobSource, bytesSource, cachedSource, httpSource, InvalidArgumentError } from "@h5/framing";

/** What `open` takes: bytes, a Blob or File, a URL, or any byte source. A string is a URL. */
export type Input = Uint8Array | ArrayBufferLike | Blob | URL | string | ByteSource;

/** What an open file keeps; `false` for nothing. */
export type CacheOptions =
  | {
      /** Size of the metadata cache's blocks; default 64 KiB. */
      readonly blockSize?: number | undefined;
      /** Bytes of them at most; default 32 MiB. */
      readonly maxBytes?: number | undefined;
      /** Bytes of decoded chunks of which a read wanted a part, for the next that does; default 16 MiB. */
      readonly chunkBytes?: number | undefined;
    }
  | false;

/** The byte source of an input. */
export function sourceOf(input: Input): ByteSource {
  if (typeof input === "string") return httpSource(input);
  if (input instanceof Uint8Array) return bytesSource(input);
  if (typeof input !== "object" || input === null) {
    throw new InvalidArgumentError(`expected bytes, a Blob, a URL or a byte source, got ${typeof input}`);
  }
  // By shape, not by class: these may come from another realm (an iframe, a worker, a test environment).
  if ("slice" in input && "arrayBuffer" in input) return blobSource(input);
  if ("href" in input) return httpSource(input.href);
  if (input instanceof ArrayBuffer || Object.prototype.toString.call(input).endsWith("ArrayBuffer]")) {
    return bytesSource(input as ArrayBufferLike);
  }
  return input as ByteSource;
}

/** The source through which metadata is read: cached, unless its bytes are at hand anyway (a `peek` alone does not say so). */
export function metadataSource(source: ByteSource, cache: CacheOptions = {}): ByteSource {
  return cache === false || source.peek?.(0, 1) !== undefined ? source : cachedSource(source, cache);
}
