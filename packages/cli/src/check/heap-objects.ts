import { isH5Error, type Plan } from "@h5/framing";
import {
  decodeFractalHeapId,
  type FractalHeap,
  type FractalHeapId,
  sizeOfDirectPrefix,
  visitFractalHeapObjects,
} from "@h5/heap";
import { type Check, fault, guardNow, reportError, warn } from "./check.ts";
import type { HeapBlock } from "./fractal-blocks.ts";
import type { FreeSection } from "./free-space.ts";

/** A heap whose blocks have been checked. */
export interface CheckedHeap {
  readonly heap: FractalHeap;
  readonly path: string;
  /** Its direct blocks; `undefined` where some could not be read. */
  readonly blocks: readonly HeapBlock[] | undefined;
  /** Free bytes of the blocks; `undefined` where their list could not be read. */
  readonly free: readonly FreeSection[] | undefined;
}

/**
 * Calls `visit` with each object whose id could be followed, all ids of the heap being given. Where one leads astray, the
 * others are followed all the same.
 */
export function* visitObjects(
  check: Check,
  checked: CheckedHeap,
  ids: readonly Uint8Array[],
  visit: (object: Uint8Array, slot: number) => void,
): Plan<void> {
  const { heap, path } = checked;
  const decoded = ids.map((id) => guardNow(check, path, () => decodeFractalHeapId(id, heap.header, check)));
  const good = decoded.flatMap((id, slot) => (id === undefined ? [] : [{ id, slot }]));
  const objects = new Map<number, Uint8Array>();
  const found = good.map(({ id }) => id);
  yield* visitFractalHeapObjects(heap, found, (object, i) => {
    if (isH5Error(object)) reportError(check, path, object);
    else objects.set(good[i]!.slot, object);
  });
  for (const [slot, object] of objects) visit(object, slot);
  if (good.length === ids.length) checkCounts(check, checked, found);
  checkUse(check, checked, found, good.length === ids.length);
}

/** How many objects the header counts, against the ids of all. */
function checkCounts(
  check: Check,
  { heap: { address, header }, path }: CheckedHeap,
  ids: readonly FractalHeapId[],
): void {
  const managed = ids.filter(({ kind }) => kind === "managed").length;
  const tiny = ids.filter(({ kind }) => kind === "tiny").length;
  const { managedObjects, tinyObjects } = header.statistics;
  if (managed === managedObjects && tiny === tinyObjects) return;
  const message = `expected ${managedObjects} managed and ${tinyObjects} tiny objects, got ${managed} and ${tiny}`;
  warn(check, { structure: "fractal heap header", address, path, message });
}

/** Bytes of the heap's address space. */
interface Span extends HeapBlock {
  readonly what: "object" | "free space";
}

/** What objects and free space have of the blocks: each byte is one's at most, and without a loss one's. */
function checkUse(check: Check, checked: CheckedHeap, ids: readonly FractalHeapId[], all: boolean): void {
  const { heap, path, blocks, free } = checked;
  const { address, header } = heap;
  const place = { structure: "fractal heap", address, path };
  const objects = ids.flatMap((id): Span[] =>
    id.kind === "managed" ? [{ what: "object", offset: id.offset, size: id.length }] : [],
  );
  const spans = [...objects, ...(free ?? []).map((section): Span => ({ what: "free space", ...section }))];
  spans.sort((a, b) => a.offset - b.offset);
  for (const [i, { what, offset }] of spans.entries()) {
    const before = spans[i - 1];
    if (before === undefined || before.offset + before.size <= offset) continue;
    const message = `the ${before.what} at ${before.offset} and the ${what} at ${offset} of the heap overlap`;
    fault(check, { ...place, message });
  }
  if (blocks === undefined || !all) return;
  const prefix = sizeOfDirectPrefix(heap, check);
  const room = sum(blocks) - blocks.length * prefix - sum(objects);
  // The header counts what blocks yet to be made will have, too; a root that is a direct block has no such.
  if (header.freeBytes < room || (header.rootRows === 0 && header.freeBytes !== room)) {
    const message = `expected ${header.freeBytes} free bytes in the blocks, got ${room}`;
    warn(check, { ...place, structure: "fractal heap header", message });
  }
  if (free === undefined) return;
  const astray = free.find((section) => !blocks.some((block) => isInside(section, block, prefix)));
  if (astray !== undefined) {
    fault(check, { ...place, message: `the free space at ${astray.offset} of the heap is in none of its blocks` });
  } else if (sum(free) < room) {
    warn(check, { ...place, message: `${room - sum(free)} bytes of the blocks are neither free nor an object's` });
  }
}

function sum(spans: readonly HeapBlock[]): number {
  return spans.reduce((total, { size }) => total + size, 0);
}

function isInside(section: HeapBlock, block: HeapBlock, prefix: number): boolean {
  return section.offset >= block.offset + prefix && section.offset + section.size <= block.offset + block.size;
}
