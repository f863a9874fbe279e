import { InvalidArgumentError } from "@h5/framing";
import { deflate } from "pako";
import type { SyncEncoder } from "./filter.ts";

/**
 * The deflate filter, id 1: a zlib stream (RFC 1950), byte for byte what libhdf5 writes with zlib 1.2 and 1.3. The one
 * parameter is the level, 0 to 9. Apart from its decoder, so that a reader never carries the compressor. H5Zdeflate.c.
 *
 * @throws InvalidArgumentError for another level
 */
export const deflateEncoder: SyncEncoder = {
  id: 1,
  name: "deflate",
  encode(bytes, params) {
    const [level] = params;
    if (params.length !== 1 || !Number.isInteger(level) || level! > 9 || level! < 0) {
      throw new InvalidArgumentError(`deflate: expected one parameter, the level 0 to 9, got [${params}]`);
    }
    return deflate(bytes, { level: level!, legacyHash: true });
  },
};
