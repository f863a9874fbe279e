import type { Plan } from "@h5/framing";
import {
  decodeLocalHeapFreeList,
  decodeLocalHeapHeader,
  type LocalHeap,
  localHeapBytes,
  sizeOfLocalHeapHeader,
} from "@h5/heap";
import { type Check, fault, guard, guardNow, read, warn } from "./check.ts";

const HEADER = "local heap";
const SEGMENT = "local heap data segment";
const ALIGNMENT = 8;

/** A local heap whose strings are being looked at. */
export interface CheckedLocalHeap extends LocalHeap {
  /** Bytes that are free or have a string that something led to. */
  readonly known: { readonly offset: number; readonly size: number }[];
}

/** Checks a local heap: header, data segment, free list. Gives it where its strings can be read. */
export function* checkLocalHeap(check: Check, address: number, path: string): Plan<CheckedLocalHeap | undefined> {
  return yield* guard(check, path, readHeap(check, address, path));
}

function* readHeap(check: Check, address: number, path: string): Plan<CheckedLocalHeap | undefined> {
  const size = sizeOfLocalHeapHeader(check);
  if (!check.space.claim(HEADER, address, size, path)) return undefined;
  const header = decodeLocalHeapHeader(yield* read(check, HEADER, address, size), check, address);
  check.space.claim(SEGMENT, header.dataAddress, header.dataSize, path);
  const data = yield* read(check, SEGMENT, header.dataAddress, header.dataSize);
  const free = guardNow(check, path, () => decodeLocalHeapFreeList(data, header, check)) ?? [];
  const sorted = [...free].sort((a, b) => a.offset - b.offset);
  for (const [i, { offset }] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before === undefined || before.offset + before.size <= offset) continue;
    const message = `the free blocks at ${before.offset} and ${offset} overlap`;
    fault(check, { structure: SEGMENT, address: header.dataAddress, path, message });
  }
  return { address, ...header, data, free, known: [...free] };
}

/** The string at an offset of a heap, which must not be in a free block. */
export function heapString(check: Check, heap: CheckedLocalHeap, offset: number, path: string): Uint8Array | undefined {
  const bytes = guardNow(check, path, () => localHeapBytes(heap, offset));
  if (bytes !== undefined) {
    heap.known.push({ offset, size: bytes.length + 1 });
    const end = offset + bytes.length + 1;
    const hole = heap.free.find((block) => offset < block.offset + block.size && end > block.offset);
    if (hole !== undefined) {
      const message = `the string at ${offset} is in the free block at ${hole.offset}`;
      fault(check, { structure: SEGMENT, address: heap.dataAddress, path, message });
    }
  }
  return bytes;
}

/**
 * Reports what is neither free nor a string that something led to: strings begin at multiples of 8, the first of a group
 * is an empty one.
 */
export function checkLostNames(check: Check, { known, data, dataAddress }: CheckedLocalHeap, path: string): void {
  let lost = 0;
  let at = ALIGNMENT;
  for (const { offset, size } of [...known, { offset: data.length, size: 0 }].sort((a, b) => a.offset - b.offset)) {
    lost += Math.max(0, offset - at);
    at = Math.max(at, Math.ceil((offset + size) / ALIGNMENT) * ALIGNMENT);
  }
  if (lost === 0) return;
  const message = `${lost} bytes are neither free nor a name of the group`;
  warn(check, { structure: SEGMENT, address: dataAddress, path, message });
}
