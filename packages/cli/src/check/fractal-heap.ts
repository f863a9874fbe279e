import { hugeDirectRecords, hugeIndirectRecords } from "@h5/btree";
import { applyDecodersSync, decodeFilterPipeline } from "@h5/filters";
import { attempt, type Plan } from "@h5/framing";
import {
  blockOffset,
  decodeFractalDirectBlock,
  decodeFractalHeapHeader,
  decodeFractalHeapId,
  decodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalHeap,
  type FractalHeapHeader,
  type FractalHeapId,
  indirectRows,
  rowBlockSize,
  sizeOfDirectPrefix,
  sizeOfFractalHeapHeader,
  sizeOfFractalIndirectBlock,
  visitFractalHeapObjects,
} from "@h5/heap";
import { type Check, fault, guard, guardNow, read, warn } from "./check.ts";
import { checkFreeSpace } from "./free-space.ts";
import { checkV2Tree } from "./v2-tree.ts";

const HEADER = "fractal heap header";
const DIRECT = "fractal heap direct block";
const INDIRECT = "fractal heap indirect block";
const HUGE = "fractal heap huge object";

/** A heap whose blocks have been checked. */
export interface CheckedHeap {
  readonly heap: FractalHeap;
  readonly path: string;
  /** Bytes of its direct blocks, and those of them that are prefixes; `undefined` where some could not be read. */
  readonly space: { readonly allocated: number; readonly prefixes: number } | undefined;
}

/** What is found of the blocks below one. */
interface BlockSpace {
  allocated: number;
  prefixes: number;
  whole: boolean;
}

/** Checks a fractal heap: header, blocks, huge objects and free space. Its objects are looked at with their ids. */
export function* checkFractalHeap(check: Check, address: number, path: string): Plan<CheckedHeap | undefined> {
  const header = yield* guard(check, path, readHeader(check, address, path));
  if (header === undefined) return undefined;
  const heap: FractalHeap = { context: check, address, header, unfilter: unfilterOf(check) };
  const space: BlockSpace = { allocated: 0, prefixes: 0, whole: true };
  yield* checkRoot(check, heap, path, space);
  if (space.whole && space.allocated !== header.statistics.allocatedSize) {
    const message = `expected ${header.statistics.allocatedSize} bytes of blocks, got ${space.allocated}`;
    warn(check, { structure: HEADER, address, path, message });
  }
  yield* checkHugeObjects(check, heap, path);
  if (header.freeSpaceAddress !== undefined) yield* checkFreeSpace(check, header.freeSpaceAddress, path);
  return { heap, path, space: space.whole ? space : undefined };
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

function* checkRoot(check: Check, heap: FractalHeap, path: string, space: BlockSpace): Plan<void> {
  const { rootAddress, rootRows, table, filter } = heap.header;
  if (rootAddress === undefined) return;
  if (rootRows > 0)
    return yield* checkIndirect(check, heap, { address: rootAddress, rows: rootRows, offset: 0 }, path, space);
  const entry = { address: rootAddress, size: filter?.rootSize, filterMask: filter?.rootFilterMask };
  yield* checkDirect(check, heap, { entry, size: table.startBlockSize, offset: 0 }, path, space);
}

interface IndirectPlace {
  readonly address: number;
  readonly rows: number;
  readonly offset: number;
}

function* checkIndirect(
  check: Check,
  heap: FractalHeap,
  place: IndirectPlace,
  path: string,
  space: BlockSpace,
): Plan<void> {
  const { table } = heap.header;
  const entries = yield* guard(check, path, readIndirect(check, heap, place, path));
  if (entries === undefined) space.whole = false;
  for (const [i, entry] of (entries ?? []).entries()) {
    if (entry.address === undefined) continue;
    const row = Math.floor(i / table.width);
    const offset = place.offset + blockOffset(table, row, i % table.width);
    if (row < table.directRows) {
      yield* checkDirect(check, heap, { entry, size: rowBlockSize(table, row), offset }, path, space);
    } else {
      const below = { address: entry.address, rows: indirectRows(table, row), offset };
      yield* checkIndirect(check, heap, below, path, space);
    }
  }
}

function* readIndirect(
  check: Check,
  heap: FractalHeap,
  { address, rows, offset }: IndirectPlace,
  path: string,
): Plan<readonly FractalBlockEntry[] | undefined> {
  const size = sizeOfFractalIndirectBlock(heap, rows, check);
  if (!check.space.claim(INDIRECT, address, size, path)) return undefined;
  const bytes = yield* read(check, INDIRECT, address, size);
  return decodeFractalIndirectBlock(bytes, heap, rows, offset, check, address).entries;
}

interface DirectPlace {
  readonly entry: FractalBlockEntry;
  /** Bytes before the filters. */
  readonly size: number;
  readonly offset: number;
}

function* checkDirect(
  check: Check,
  heap: FractalHeap,
  place: DirectPlace,
  path: string,
  space: BlockSpace,
): Plan<void> {
  const good = yield* guard(check, path, readDirect(check, heap, place, path));
  if (good !== true) space.whole = false;
  space.allocated += place.size;
  space.prefixes += sizeOfDirectPrefix(heap, check);
}

function* readDirect(
  check: Check,
  heap: FractalHeap,
  { entry, size, offset }: DirectPlace,
  path: string,
): Plan<boolean> {
  const address = entry.address!;
  const stored = entry.size ?? size;
  if (!check.space.claim(DIRECT, address, stored, path)) return false;
  const bytes = yield* read(check, DIRECT, address, stored);
  const pipeline = heap.header.filter?.pipeline;
  const plain =
    pipeline === undefined ? bytes : heap.unfilter!(bytes, entry.filterMask ?? 0, { pipeline, expectedBytes: size });
  decodeFractalDirectBlock(plain, heap, offset, check, address);
  return true;
}

function* checkHugeObjects(check: Check, { address, header }: FractalHeap, path: string): Plan<void> {
  const { hugeTreeAddress, filter, statistics, idLength } = header;
  if (hugeTreeAddress === undefined) {
    if (statistics.hugeObjects > 0) {
      fault(check, {
        structure: HEADER,
        address,
        path,
        message: `${statistics.hugeObjects} huge objects, but no tree`,
      });
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

/**
 * Calls `visit` with each object whose id could be followed. Where one leads astray, the others are followed all the
 * same.
 */
export function* visitObjects(
  check: Check,
  { heap, path, space }: CheckedHeap,
  ids: readonly Uint8Array[],
  visit: (object: Uint8Array, slot: number) => void,
): Plan<void> {
  const decoded = ids.map((id) => guardNow(check, path, () => decodeFractalHeapId(id, heap.header, check)));
  const good = decoded.flatMap((id, slot) => (id === undefined ? [] : [{ id, slot }]));
  const objects = new Map<number, Uint8Array>();
  yield* readObjects(check, heap, path, good, objects);
  for (const [slot, object] of objects) visit(object, slot);
  if (good.length === ids.length)
    checkCounts(
      check,
      heap,
      path,
      space,
      good.map(({ id }) => id),
    );
}

/** An id, and its place among those asked for. */
interface Wanted {
  readonly id: FractalHeapId;
  readonly slot: number;
}

/** Puts objects by their slot into `objects`; what leads astray is found by halves. */
function* readObjects(
  check: Check,
  heap: FractalHeap,
  path: string,
  wanted: readonly Wanted[],
  objects: Map<number, Uint8Array>,
): Plan<void> {
  const ids = wanted.map(({ id }) => id);
  const plan = visitFractalHeapObjects(heap, ids, (object, i) => void objects.set(wanted[i]!.slot, object));
  if (wanted.length < 2) return yield* guard(check, path, plan);
  const { error } = yield* attempt(plan);
  if (error === undefined) return;
  const half = Math.floor(wanted.length / 2);
  yield* readObjects(check, heap, path, wanted.slice(0, half), objects);
  yield* readObjects(check, heap, path, wanted.slice(half), objects);
}

/** What the header counts, against the ids of all objects. */
function checkCounts(
  check: Check,
  { address, header }: FractalHeap,
  path: string,
  space: CheckedHeap["space"],
  ids: readonly FractalHeapId[],
): void {
  const place = { structure: HEADER, address, path };
  const managed = ids.filter((id) => id.kind === "managed").sort((a, b) => a.offset - b.offset);
  const tiny = ids.filter((id) => id.kind === "tiny").length;
  const { managedObjects, tinyObjects } = header.statistics;
  if (managed.length !== managedObjects || tiny !== tinyObjects) {
    const got = `${managed.length} and ${tiny}`;
    warn(check, {
      ...place,
      message: `expected ${managedObjects} managed and ${tinyObjects} tiny objects, got ${got}`,
    });
  }
  const overlap = managed.findIndex((id, i) => i > 0 && managed[i - 1]!.offset + managed[i - 1]!.length > id.offset);
  if (overlap > 0) {
    const [a, b] = [managed[overlap - 1]!.offset, managed[overlap]!.offset];
    fault(check, { ...place, structure: "fractal heap", message: `the objects at ${a} and ${b} of the heap overlap` });
  }
  const used = managed.reduce((sum, { length }) => sum + length, 0);
  // The header counts what blocks yet to be made will have, too; a root that is a direct block has no such.
  const free = space === undefined ? 0 : space.allocated - space.prefixes - used;
  if (header.freeBytes < free || (header.rootRows === 0 && space !== undefined && header.freeBytes !== free)) {
    warn(check, { ...place, message: `expected ${header.freeBytes} free bytes in the blocks, got ${free}` });
  }
}
