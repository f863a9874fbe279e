import { deflateLevel } from "./deflate-level.ts";
import type { Encoder } from "./filter.ts";

/**
 * The deflate filter, id 1: a zlib stream (RFC 1950), byte for byte what libhdf5 writes with zlib 1.2 and 1.3. The one
 * parameter is the level, 0 to 9. Apart from its decoder, so that a reader never carries the compressor; and the compressor
 * is loaded with the first chunk, so that a page need not wait for it before. H5Zdeflate.c.
 *
 * On Node, Deno and Bun the package gives an encoder over `node:zlib` instead. Its streams inflate to the same, but are
 * those of the zlib that is built in there, which may not be the same bytes.
 *
 * @throws InvalidArgumentError for another level
 */
export const deflateEncoder: Encoder = {
  id: 1,
  name: "deflate",
  encode(bytes, params) {
    const level = deflateLevel(params);
    return import("./pako-deflate.ts").then(({ deflate }) => deflate(bytes, { level, legacyHash: true }));
  },
};
