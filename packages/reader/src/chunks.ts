import type { ChunkLocation } from "@h5/btree";
import type { DtypeName } from "@h5/datatypes";
import { checkLimit, InvalidArgumentError } from "@h5/framing";
import type { ChunkBox, Slice } from "@h5/selection";
import { fetchPieces } from "./fetch.ts";
import type { NdArray } from "./nd-array.ts";
import type { Session, SignalOptions } from "./session.ts";
import { WINDOW_BYTES } from "./windows.ts";

/** A part of a dataset, and where it is. */
export interface Tile<D extends DtypeName> extends NdArray<D> {
  /** What `get` takes to read the same elements. */
  readonly selection: readonly Slice[];
}

/** Where a chunk is stored. */
export interface ChunkInfo {
  /** In units of chunks. */
  readonly coordinate: readonly number[];
  /** Of the chunk's first element. */
  readonly offset: readonly number[];
  /** Bytes from the superblock on. */
  readonly address: number;
  /** Stored bytes. */
  readonly size: number;
  /** Bit `i` set: filter `i` of the pipeline was left out. */
  readonly filterMask: number;
}

/** A chunk as stored. */
export interface RawChunk extends ChunkInfo {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Locations in row-major order. */
export function chunkInfoOf(locations: readonly ChunkLocation[], chunkShape: readonly number[]): ChunkInfo[] {
  const infos = locations.map(({ coordinate, address, size, filterMask }) => ({
    coordinate,
    offset: coordinate.map((at, axis) => at * chunkShape[axis]!),
    address,
    size,
    filterMask,
  }));
  return infos.sort((a, b) => compareCoordinates(a.coordinate, b.coordinate));
}

function compareCoordinates(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((at, i) => at !== b[i]);
  return axis < 0 ? 0 : a[axis]! - b[axis]!;
}

/** The cells of a grid that an array reaches into, row-major. */
export function* gridCoordinates(shape: readonly number[], cell: readonly number[]): Generator<readonly number[]> {
  const counts = shape.map((length, axis) => Math.ceil(length / cell[axis]!));
  if (counts.includes(0)) return;
  const coordinate = counts.map(() => 0);
  for (;;) {
    yield [...coordinate];
    let axis = counts.length - 1;
    while (axis >= 0 && coordinate[axis] === counts[axis]! - 1) coordinate[axis--] = 0;
    if (axis < 0) return;
    coordinate[axis]!++;
  }
}

/** The box that holds one chunk; throws for a coordinate outside the dataset. */
export function boxAround(
  coordinate: readonly number[],
  shape: readonly number[],
  chunkShape: readonly number[] | undefined,
): ChunkBox {
  const inside =
    chunkShape !== undefined &&
    coordinate.length === shape.length &&
    coordinate.every((at, axis) => Number.isSafeInteger(at) && at >= 0 && at * chunkShape[axis]! < shape[axis]!);
  if (!inside) throw new InvalidArgumentError(`no chunk [${coordinate.join(", ")}] in this dataset`);
  return { start: [...coordinate], end: coordinate.map((at) => at + 1) };
}

/** Chunks as they are stored, in address order, fetched about a window's worth at a time. */
export async function* rawChunksOf(
  session: Session,
  infos: readonly ChunkInfo[],
  options: SignalOptions,
): AsyncGenerator<RawChunk> {
  for (const batch of batchesOf(infos)) {
    const chunks: RawChunk[] = [];
    const pieces = batch.map((info, i) => {
      const { address, size } = info;
      checkLimit(session.limits, "chunkBytes", size, { structure: "chunk", address });
      const land = (bytes: Uint8Array): void => {
        chunks[i] = { ...info, bytes: new Uint8Array(bytes) };
      };
      return { start: address, end: address + size, land };
    });
    await fetchPieces(session, pieces, "chunk", options);
    yield* chunks;
  }
}

function* batchesOf(infos: readonly ChunkInfo[]): Generator<readonly ChunkInfo[]> {
  let batch: ChunkInfo[] = [];
  let bytes = 0;
  for (const info of infos.slice().sort((a, b) => a.address - b.address)) {
    batch.push(info);
    bytes += info.size;
    if (bytes < WINDOW_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
