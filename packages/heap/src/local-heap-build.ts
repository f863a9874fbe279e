import { type FileSpace, InvalidArgumentError } from "@h5/framing";
import { encodeLocalHeapHeader, encodeLocalHeapSegment, type LocalHeap, sizeOfLocalHeapHeader } from "./local-heap.ts";

/** A local heap that has been written. */
export interface BuiltLocalHeap {
  /** Address of the heap's header. */
  readonly address: number;
  /** Offsets of the strings in the data segment, in their order. */
  readonly offsets: readonly number[];
}

/**
 * Writes a local heap of strings (spec III.D), the data segment right behind the header and as long as it must be: the
 * empty string at offset 0, the others behind it, each with a NUL and at a multiple of 8 (H5HL.c). There is no free
 * block; libhdf5 makes the segment longer when it adds to it. Equal strings are kept apart, since libhdf5 frees a
 * string with the link that has it.
 *
 * @param strings - bytes of names and paths, without the NUL
 * @throws InvalidArgumentError for a string with a NUL in it
 */
export function buildLocalHeap(space: FileSpace, strings: readonly Uint8Array[]): BuiltLocalHeap {
  const offsets: number[] = [];
  let end = aligned(1);
  for (const string of strings) {
    offsets.push(end);
    end += aligned(string.length + 1);
  }
  const data = new Uint8Array(end);
  strings.forEach((string, i) => {
    if (string.includes(0)) throw new InvalidArgumentError(`string ${i} holds a NUL`, { structure: "local heap" });
    data.set(string, offsets[i]!);
  });
  const headerSize = aligned(sizeOfLocalHeapHeader(space));
  const address = space.allocate(headerSize + end);
  const dataAddress = address + headerSize;
  const heap: LocalHeap = { address, dataSize: end, freeList: undefined, dataAddress, data, free: [] };
  const bytes = new Uint8Array(headerSize + end);
  bytes.set(encodeLocalHeapHeader(heap, space));
  bytes.set(encodeLocalHeapSegment(heap, space), headerSize);
  space.put(address, bytes);
  return { address, offsets };
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}
