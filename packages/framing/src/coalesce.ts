import type { ByteRange } from "./byte-source.ts";

/** Merged ranges, to be asked for at once. */
export interface Extent extends ByteRange {
  /** Which of the ranges lie in it, as indexes into the list given to {@link coalesce}. */
  readonly members: readonly number[];
}

/** Options of {@link coalesce}. */
export interface CoalesceOptions {
  /** Ranges at most so many bytes apart are merged; default 64 KiB, the block of `cachedSource`. */
  readonly gap?: number | undefined;
  /** Ranges are not joined to more than so many bytes, unless they overlap; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Extents wanted at most of one batch; the gap is widened to get there, up to {@link WIDEST} times. */
const FEW = 32;
const WIDEST = 8;

/**
 * Merges near and overlapping ranges into extents, in address order. The gap is never below a cache block, so that two
 * extents do not share one, and widens when it would leave more than about 32 extents: many small holes cost less than
 * as many requests, but holes of over 8 gaps are never read.
 */
export function coalesce(ranges: readonly ByteRange[], options: CoalesceOptions = {}): Extent[] {
  const { gap = 65536, maxBytes = 16777216 } = options;
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a]!.start - ranges[b]!.start);
  const widest = widenedGap(ranges, order, gap);
  const extents: { start: number; end: number; members: number[] }[] = [];
  for (const index of order) {
    const { start, end } = ranges[index]!;
    const last = extents.at(-1);
    if (last && (start < last.end || (start - last.end <= widest && end - last.start <= maxBytes))) {
      last.end = Math.max(last.end, end);
      last.members.push(index);
    } else {
      extents.push({ start, end, members: [index] });
    }
  }
  return extents;
}

/** The smallest gap that leaves few extents, between `gap` and 8 times that. */
function widenedGap(ranges: readonly ByteRange[], order: readonly number[], gap: number): number {
  if (order.length <= FEW) return gap;
  const holes: number[] = [];
  let end = ranges[order[0]!]!.end;
  for (const index of order) {
    holes.push(ranges[index]!.start - end);
    end = Math.max(end, ranges[index]!.end);
  }
  const few = holes.sort((a, b) => b - a)[FEW - 1]!;
  return Math.min(Math.max(few, gap), gap * WIDEST);
}

/**
 * Each range's bytes as views of the extents' answers, in the order of `ranges`. What an answer lacks at the end of the
 * source, the ranges there lack too.
 */
export function sliceBack(
  ranges: readonly ByteRange[],
  extents: readonly Extent[],
  answers: readonly Uint8Array[],
): Uint8Array[] {
  const bytes: Uint8Array[] = [];
  for (const [i, extent] of extents.entries()) {
    for (const index of extent.members) {
      const { start, end } = ranges[index]!;
      bytes[index] = answers[i]!.subarray(start - extent.start, end - extent.start);
    }
  }
  return bytes;
}
