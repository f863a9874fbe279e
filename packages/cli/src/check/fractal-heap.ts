import { hugeDirectRecords, hugeIndirectRecords } from "@h5/btree";
import { applyDecodersSync, decodeFilterPipeline } from "@h5/filters";
import type { Plan } from "@h5/framing";
import {
  decodeFractalHeapHeader,
  type FractalHeap,
  type FractalHeapHeader,
  heapOffsetWidth,
  sizeOfFractalHeapHeader,
} from "@h5/heap";
import { type Check, fault, guard, read, warn } from "./check.ts";
import { checkBlocks } from "./fractal-blocks.ts";
import { checkHeapFreeSpace } from "./free-space.ts";
import type { CheckedHeap } from "./heap-objects.ts";
import { checkV2Tree } from "./v2-tree.ts";

const HEADER = "fractal heap header";
const HUGE = "fractal heap huge object";

/** Checks a fractal heap: header, blocks, huge objects and free space. Its objects are looked at with their ids. */
export function* checkFractalHeap(check: Check, address: number, path: string): Plan<CheckedHeap | undefined> {
  const header = yield* guard(check, path, readHeader(check, address, path));
  if (header === undefined) return undefined;
  const heap: FractalHeap = { context: check, address, header, unfilter: unfilterOf(check) };
  const blocks = yield* checkBlocks(check, heap, path);
  const allocated = blocks?.reduce((sum, { size }) => sum + size, 0);
  const { allocatedSize } = header.statistics;
  if (allocated !== undefined && allocated !== allocatedSize) {
    const message = `expected ${allocatedSize} bytes of blocks, got ${allocated}`;
    warn(check, { structure: HEADER, address, path, message });
  }
  yield* checkHugeObjects(check, heap, path);
  const { freeSpaceAddress } = header;
  const free =
    freeSpaceAddress === undefined
      ? undefined
      : yield* checkHeapFreeSpace(check, freeSpaceAddress, heapOffsetWidth(header), path);
  return { heap, path, blocks, free };
}

function* readHeader(check: Check, address: number, path: string): Plan<FractalHeapHeader | undefined> {
  const least = sizeOfFractalHeapHeader({ filter: undefined }, check);
  if (check.space.has(HEADER, address)) return undefined;
  // A filter pipeline may make it longer.
  const header = decodeFractalHeapHeader(yield* read(check, HEADER, address, 4096, least), check, address);
  check.space.claim(HEADER, address, sizeOfFractalHeapHeader(header, check), path);
  return header;
}

function unfilterOf(check: Check): NonNullable<FractalHeap["unfilter"]> {
  return (bytes, filterMask, { pipeline, expectedBytes }) =>
    applyDecodersSync(bytes, decodeFilterPipeline(pipeline).filters, filterMask, check.filters, {
      expectedBytes,
      maxBytes: check.limits.metadataBytes,
    });
}

function* checkHugeObjects(check: Check, { address, header }: FractalHeap, path: string): Plan<void> {
  const { hugeTreeAddress, filter, statistics, idLength } = header;
  if (hugeTreeAddress === undefined) {
    if (statistics.hugeObjects > 0) {
      const message = `${statistics.hugeObjects} huge objects, but no tree`;
      fault(check, { structure: HEADER, address, path, message });
    }
    return;
  }
  const room = check.offsetSize + check.lengthSize + (filter === undefined ? 0 : 4 + check.lengthSize);
  const records =
    idLength - 1 >= room
      ? yield* checkV2Tree(check, hugeTreeAddress, hugeDirectRecords(filter !== undefined, check), path)
      : yield* checkV2Tree(check, hugeTreeAddress, hugeIndirectRecords(filter !== undefined, check), path);
  for (const record of records) check.space.claim(HUGE, record.address, record.length, path);
  if (records.length !== statistics.hugeObjects) {
    const message = `expected ${statistics.hugeObjects} huge objects, got ${records.length}`;
    warn(check, { structure: HEADER, address, path, message });
  }
}
