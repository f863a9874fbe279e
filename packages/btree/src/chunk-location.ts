/** Where one allocated chunk lies in the file. */
export interface ChunkLocation {
  /** Position in the grid of chunks, in chunks (the element offset divided by the chunk shape). */
  readonly coordinate: readonly number[];
  readonly address: number;
  /** Stored bytes: after the filters, where there are any. */
  readonly size: number;
  /** Bit i set: the pipeline's filter i was left out for this chunk. */
  readonly filterMask: number;
}

/** A box in the grid of chunks; `end` is exclusive. */
export interface ChunkBox {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** Chunks along each dimension of `shape`. */
export function gridOf(shape: readonly number[], chunkShape: readonly number[]): number[] {
  return shape.map((extent, d) => Math.ceil(extent / chunkShape[d]!));
}

/** The part of `box` (default: everything) inside the grid. */
export function clampBox(box: ChunkBox | undefined, grid: readonly number[]): ChunkBox {
  return {
    start: grid.map((_, d) => Math.max(0, box?.start[d] ?? 0)),
    end: grid.map((count, d) => Math.min(count, box?.end[d] ?? count)),
  };
}

/** Whether a box holds no chunk. */
export function isEmptyBox({ start, end }: ChunkBox): boolean {
  return start.some((first, d) => first >= end[d]!);
}

/** Whether the chunk at `coordinate` is in the box. */
export function inBox(coordinate: readonly number[], { start, end }: ChunkBox): boolean {
  return start.every((first, d) => coordinate[d]! >= first && coordinate[d]! < end[d]!);
}

/** Row-major order of coordinates of one rank. */
export function compareCoordinates(a: readonly number[], b: readonly number[]): number {
  for (let d = 0; d < a.length; d++) if (a[d] !== b[d]) return a[d]! - b[d]!;
  return 0;
}

/**
 * The first chunk of the box, in row-major order, that is not before `coordinate`; `undefined` where all are. What
 * tells whether a range of keys of a tree can hold anything of the box.
 */
export function firstInBox(coordinate: readonly number[], { start, end }: ChunkBox): number[] | undefined {
  const rank = start.length;
  const first = coordinate.slice(0, rank);
  for (let d = 0; d < rank; d++) {
    if (first[d]! < start[d]!) return [...first.slice(0, d), ...start.slice(d)];
    if (first[d]! >= end[d]!) return carry(first, d - 1, start, end);
  }
  return first;
}

/** Adds one at dimension `d`, or further to the front where that leaves the box, and begins anew behind it. */
function carry(
  coordinate: readonly number[],
  d: number,
  start: readonly number[],
  end: readonly number[],
): number[] | undefined {
  for (let at = d; at >= 0; at--) {
    const next = coordinate[at]! + 1;
    if (next < end[at]!) return [...coordinate.slice(0, at), next, ...start.slice(at + 1)];
  }
  return undefined;
}
