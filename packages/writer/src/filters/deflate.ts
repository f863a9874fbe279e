import { deflateEncoder } from "@h5/filters/deflate";
import { type ChunkFilter, refuse } from "./chunk-filter.ts";

/**
 * The deflate filter (gzip in h5py's words), optional, as `H5Pset_deflate` has it.
 *
 * @param level 0, not compressed at all, to 9, the smallest
 * @throws InvalidArgumentError for another level
 */
export function deflate(level: number = 6): ChunkFilter {
  if (!Number.isInteger(level) || level < 0 || level > 9) {
    refuse("deflate", `expected a level from 0 to 9, got ${level}`);
  }
  return { encoder: deflateEncoder, optional: true, params: () => [level] };
}
