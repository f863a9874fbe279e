import { type ChunkElement, type ChunkLocation, chunkKeys, chunkRecords, elementForm, readChunkIndex } from "@h5/btree";
import type { ChunkedLayout, Plan } from "@h5/framing";
import { type Dataspace, elementCount } from "@h5/selection";
import type { ArrayPlace } from "./array-pages.ts";
import { type Check, fault, guard } from "./check.ts";
import { checkExtensibleArray } from "./extensible-array.ts";
import { checkFixedArray } from "./fixed-array.ts";
import { checkV1Tree } from "./v1-tree.ts";
import { checkV2Tree } from "./v2-tree.ts";

const CHUNK = "chunk";

/** A chunked dataset to be checked. */
export interface ChunkedStorage {
  readonly layout: ChunkedLayout;
  readonly dataspace: Dataspace;
  readonly filtered: boolean;
  readonly path: string;
}

/** Checks a chunk index and what it says of the chunks, and gives those whose place could be found. */
export function* checkChunks(check: Check, storage: ChunkedStorage): Plan<ChunkLocation[]> {
  const { layout, path } = storage;
  const { address } = layout.index;
  if (address === undefined) return [];
  const chunks = (yield* guard(check, path, chunksOf(check, storage, address))) ?? [];
  checkCoverage(check, storage, chunks);
  for (const { address: at, size } of chunks) check.space.claim(CHUNK, at, size, path);
  return chunks;
}

function chunkBytesOf({ chunkShape, elementSize }: ChunkedLayout): number {
  return elementCount(chunkShape) * elementSize;
}

function* chunksOf(check: Check, storage: ChunkedStorage, address: number): Plan<ChunkLocation[]> {
  const { layout, dataspace, filtered, path } = storage;
  const { chunkShape, elementSize } = layout;
  const chunkBytes = chunkBytesOf(layout);
  const form = elementForm(filtered, chunkBytes, layout.version, check);
  const place: ArrayPlace = { address, form, path };
  switch (layout.index.kind) {
    case "btree1": {
      const tree = { codec: chunkKeys(chunkShape, elementSize), capacity: 2 * check.k.chunkInternalK, path };
      return (yield* checkV1Tree(check, address, tree)).map(({ left: { scaled, size, filterMask }, child }) => {
        return { coordinate: scaled.slice(0, chunkShape.length), address: child, size, filterMask };
      });
    }
    case "btree2": {
      const records = yield* checkV2Tree(check, address, chunkRecords(chunkShape.length, form.sizeWidth, check), path);
      return records.map(({ scaled, address: at, size = chunkBytes, filterMask = 0 }) => {
        return { coordinate: scaled, address: at, size, filterMask };
      });
    }
    case "farray": {
      const grid = dataspace.maxShape.map((extent, d) => Math.ceil(extent / chunkShape[d]!));
      return yield* located(check, storage, yield* checkFixedArray(check, place, elementCount(grid)));
    }
    case "earray":
      return yield* located(check, storage, yield* checkExtensibleArray(check, place));
    default:
      return yield* readChunkIndex(check, { layout, filtered, ...dataspace });
  }
}

/** The chunks of an array's elements; without their coordinates where the array cannot be read as a whole. */
function* located(check: Check, storage: ChunkedStorage, elements: readonly ChunkElement[]): Plan<ChunkLocation[]> {
  const { layout, dataspace, filtered, path } = storage;
  const found = yield* guard(check, path, readChunkIndex(check, { layout, filtered, ...dataspace }));
  const allocated = elements.filter((element) => element.address !== undefined);
  if (found !== undefined && found.length < allocated.length) {
    const message = `${allocated.length - found.length} chunks outside the extent [${dataspace.shape}]`;
    fault(check, { structure: "chunk index", address: layout.index.address, path, message });
  }
  if (found !== undefined && found.length >= allocated.length) return found;
  const size = chunkBytesOf(layout);
  return allocated.map((element) => ({
    coordinate: [],
    address: element.address!,
    size: element.size ?? size,
    filterMask: element.filterMask ?? 0,
  }));
}

/** Whether chunks are inside the extent, and of the size they must have, each once. */
function checkCoverage(
  check: Check,
  { layout, dataspace, filtered, path }: ChunkedStorage,
  chunks: readonly ChunkLocation[],
): void {
  const chunkBytes = chunkBytesOf(layout);
  const grid = dataspace.shape.map((extent, d) => Math.ceil(extent / layout.chunkShape[d]!));
  const seen = new Set<string>();
  for (const { coordinate, address, size } of chunks) {
    const place = { structure: CHUNK, address, path };
    const name = `[${coordinate}]`;
    if (filtered ? size === 0 : size !== chunkBytes) {
      const expected = filtered ? "at least 1" : chunkBytes;
      fault(check, { ...place, message: `chunk ${name}: expected a size of ${expected}, got ${size}` });
    }
    if (coordinate.length === 0) continue;
    if (coordinate.some((at, d) => at >= grid[d]!)) {
      fault(check, { ...place, message: `chunk ${name} is outside the extent [${dataspace.shape}]` });
    }
    if (seen.has(name)) fault(check, { ...place, message: `a second chunk ${name}` });
    seen.add(name);
  }
}
