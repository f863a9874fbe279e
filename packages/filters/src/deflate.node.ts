import { deflate as deflateInThread, deflateSync } from "node:zlib";
import { deflateLevel } from "./deflate-level.ts";
import type { Encoder } from "./filter.ts";
import { plainBytes, THREAD_BYTES } from "./node-zlib.ts";

/**
 * The deflate filter, id 1, with `node:zlib`: small chunks at once, large ones in the thread pool, several at a time.
 * The same chunk gives the same bytes each time on one version of Node, but not those of another or of the encoder other
 * platforms get, since the zlib built in differs.
 *
 * @throws InvalidArgumentError for parameters other than one level, 0 to 9
 */
export const deflateEncoder: Encoder = {
  id: 1,
  name: "deflate",
  encode(bytes, params) {
    const level = deflateLevel(params);
    if (bytes.length < THREAD_BYTES) return plainBytes(deflateSync(bytes, { level }));
    return new Promise((resolve, reject) => {
      deflateInThread(bytes, { level }, (error, output) => {
        if (error) reject(error);
        else resolve(plainBytes(output));
      });
    });
  },
};
