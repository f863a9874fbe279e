import type { ChunkLocation } from "@h5/btree";
import { type ChunkBox, elementCount, type Slice, slice } from "@h5/selection";
import { gridCoordinates } from "./chunks.ts";
import type { SignalOptions } from "./session.ts";

/** The bytes that tiles read ahead of the one that is asked for, or the chunks they come from, may have. */
const AHEAD_BYTES = 16777216;
/** Chunks looked up in an index at once: some indexes are decoded whole each time. */
const LOOKED_UP = 1024;

/** The chunks that tiles may need, found when the first of these tiles is read. */
export type Located = () => Promise<(box: ChunkBox) => readonly ChunkLocation[]>;

/** A tile to be read. */
export interface TileToRead {
  readonly selection: readonly Slice[];
  /** Undefined where there are no chunks. */
  readonly located: Located | undefined;
}

/** The tiles of a grid, row-major, neighbours looked up together. `locate` finds the stored chunks of a box. */
export function* tilesOf(
  shape: readonly number[],
  grid: readonly number[],
  chunkShape: readonly number[] | undefined,
  locate: (box: ChunkBox) => Promise<readonly ChunkLocation[]>,
): Generator<TileToRead> {
  const perTile = grid.map((length, axis) => Math.ceil(length / (chunkShape?.[axis] ?? 1)));
  const most = Math.max(1, Math.floor(LOOKED_UP / elementCount(perTile)));
  let batch: (readonly Slice[])[] = [];
  const release = (): TileToRead[] => {
    const located = chunkShape && locatedTogether(batch, chunkShape, locate);
    return batch.map((selection) => ({ selection, located }));
  };
  for (const coordinate of gridCoordinates(shape, grid)) {
    batch.push(coordinate.map((at, i) => slice(at * grid[i]!, Math.min((at + 1) * grid[i]!, shape[i]!))));
    if (batch.length < most) continue;
    yield* release();
    batch = [];
  }
  yield* release();
}

function locatedTogether(
  tiles: readonly (readonly Slice[])[],
  chunkShape: readonly number[],
  locate: (box: ChunkBox) => Promise<readonly ChunkLocation[]>,
): Located {
  const least = (axis: number): number => tiles.reduce((min, tile) => Math.min(min, tile[axis]!.start!), Infinity);
  const most = (axis: number): number => tiles.reduce((max, tile) => Math.max(max, tile[axis]!.stop!), 0);
  const box = {
    start: chunkShape.map((length, axis) => Math.floor(least(axis) / length)),
    end: chunkShape.map((length, axis) => Math.ceil(most(axis) / length)),
  };
  let found: Promise<readonly ChunkLocation[]> | undefined;
  return async () => {
    found ??= locate(box);
    const locations = await found;
    return ({ start, end }) =>
      locations.filter(({ coordinate }) => coordinate.every((at, axis) => at >= start[axis]! && at < end[axis]!));
  };
}

/** How many of `wanted` tiles to read ahead, where reading one takes memory for so many bytes and again for its chunks. */
export function tilesAhead(wanted: number, tileBytes: number, chunkBytes: number): number {
  return Math.min(wanted, Math.floor(AHEAD_BYTES / Math.max(1, tileBytes, chunkBytes)));
}

/**
 * What `read` gives for each item, in order, with `ahead` reads under way before their turn. Ends, whichever way, when
 * none is under way any more.
 */
export async function* readAhead<T, R>(
  items: Iterable<T>,
  ahead: number,
  { signal }: SignalOptions,
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  try {
    for (const item of items) {
      signal?.throwIfAborted();
      const reading = read(item);
      // A failure is told when its turn comes, which never does where the reader gives up before.
      reading.catch(() => {});
      begun.push(reading);
      if (begun.length > ahead) yield await begun.shift()!;
    }
    while (begun.length > 0) yield await begun.shift()!;
  } finally {
    await Promise.allSettled(begun);
  }
}
