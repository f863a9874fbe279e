import type { HeapContent } from "@h5/datatypes";
import type { FileSpace } from "@h5/framing";
import { encodeGlobalHeapHeader } from "@h5/heap";
import { WIDTHS } from "../data/heap-pair.ts";
import {
  HEADER,
  type HeapCollection,
  SMALLEST_COLLECTION,
  type ValueHeap,
  writeObjectHeader,
} from "../data/value-heap.ts";

/** The collections of a {@link ValueHeap} in the file that is being written. */
export class PlacedHeap {
  readonly #heap: ValueHeap;
  readonly #space: FileSpace;
  readonly #move: (content: HeapContent, bytes: Uint8Array) => void;
  readonly #places: ({ readonly address: number; readonly size: number } | undefined)[] = [];
  /** Collections written so far. */
  #written = 0;

  /** @param move - puts addresses in the place of placeholders, in the bytes of an object */
  constructor(heap: ValueHeap, space: FileSpace, move: (content: HeapContent, bytes: Uint8Array) => void) {
    this.#heap = heap;
    this.#space = space;
    this.#move = move;
  }

  /** Address of a collection, counted from 1; it gets its room when it is first asked for. */
  address(ordinal: number): number {
    return this.#place(ordinal, this.#heap.collections[ordinal - 1]!.size).address;
  }

  #place(ordinal: number, size: number): { readonly address: number; readonly size: number } {
    const place = this.#places[ordinal - 1] ?? { address: this.#space.allocate(size), size };
    this.#places[ordinal - 1] = place;
    return place;
  }

  /** Writes all collections, the last one cut to what it holds unless its room is taken already. */
  finish(): void {
    this.#writeUntil(this.#heap.collections.length);
  }

  /** Writes the collections that are complete, and lets go of them. */
  release(): void {
    const first = this.#written + 1;
    this.#writeUntil(this.#heap.collections.length - 1);
    for (let ordinal = first; ordinal <= this.#written; ordinal++) this.#heap.release(ordinal);
  }

  #writeUntil(count: number): void {
    while (this.#written < count) {
      const collection = this.#heap.collections[this.#written++]!;
      const { address, size } = this.#place(this.#written, Math.max(SMALLEST_COLLECTION, collection.used));
      this.#space.put(address, encodeCollection(collection, size, this.#move));
    }
  }
}

/**
 * A collection as a file has it, of `size` bytes, at least those in use: where there are no addresses to be put in it, its
 * own bytes, which whatever is added later leaves as they are or writes over.
 *
 * @param move - puts addresses in the place of placeholders, in the bytes of an object
 */
export function encodeCollection(
  { used, image, view, addressed }: HeapCollection,
  size: number,
  move: (content: HeapContent, bytes: Uint8Array) => void,
): Uint8Array<ArrayBuffer> {
  image.set(encodeGlobalHeapHeader(size, WIDTHS));
  // What is left is free space, if there is room to say so.
  if (size - used >= HEADER) writeObjectHeader(view, used, 0, size - used);
  if (addressed.length === 0) return image.subarray(0, size);
  const bytes = image.slice(0, size);
  for (const { at, length, ...content } of addressed) move(content, bytes.subarray(at, at + length));
  return bytes;
}
