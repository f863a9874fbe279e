import type { FileContext, Plan } from "@h5/framing";
import { type ChunkBox, compareCoordinates, firstInBox, inBox } from "./chunk-location.ts";
import { type ChunkRecord, chunkRecords } from "./v2-records.ts";
import { readV2Records } from "./v2-walk.ts";

/**
 * The chunk records in `box`, in row-major order; only nodes that can hold some of them are read.
 *
 * @param sizeWidth - bytes of the stored size; 0 for unfiltered chunks
 */
export function readV2Chunks(
  context: FileContext,
  address: number,
  box: ChunkBox,
  sizeWidth: number,
): Plan<ChunkRecord[]> {
  return readV2Records(context, address, chunkRecords(box.start.length, sizeWidth, context), {
    keep: ({ scaled }) => inBox(scaled, box),
    between(left, right) {
      const first = left === undefined ? box.start : firstInBox(behind(left.scaled), box);
      return first !== undefined && (right === undefined || compareCoordinates(first, right.scaled) < 0);
    },
  });
}

/** The position right behind another in row-major order, as if the rows had no end. */
function behind(scaled: readonly number[]): number[] {
  return scaled.map((at, d) => (d === scaled.length - 1 ? at + 1 : at));
}
