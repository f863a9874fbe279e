import type { Plan } from "@h5/framing";
import {
  decodeLocalHeapFreeList,
  decodeLocalHeapHeader,
  type LocalHeap,
  localHeapBytes,
  sizeOfLocalHeapHeader,
} from "@h5/heap";
import { type Check, fault, guard, guardNow, read } from "./check.ts";

const HEADER = "local heap";
const SEGMENT = "local heap data segment";

/** Checks a local heap: header, data segment, free list. Gives it where its strings can be read. */
export function* checkLocalHeap(check: Check, address: number, path: string): Plan<LocalHeap | undefined> {
  return yield* guard(check, path, readHeap(check, address, path));
}

function* readHeap(check: Check, address: number, path: string): Plan<LocalHeap | undefined> {
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
  return { address, ...header, data, free };
}

/** The string at an offset of a heap, which must not be in a free block. */
export function heapString(check: Check, heap: LocalHeap, offset: number, path: string): Uint8Array | undefined {
  const bytes = guardNow(check, path, () => localHeapBytes(heap, offset));
  if (bytes !== undefined) {
    const end = offset + bytes.length + 1;
    const hole = heap.free.find((block) => offset < block.offset + block.size && end > block.offset);
    if (hole !== undefined) {
      const message = `the string at ${offset} is in the free block at ${hole.offset}`;
      fault(check, { structure: SEGMENT, address: heap.dataAddress, path, message });
    }
  }
  return bytes;
}
