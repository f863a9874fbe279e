import { type HeapContent, relocateHeapObject } from "@h5/datatypes";
import type { FileSpace } from "@h5/framing";
import type { HeapPair } from "../data/heap-pair.ts";
import { movesOf, type Placement } from "../model/placement.ts";
import { PlacedHeap } from "./placed-heap.ts";

/** A pair of heaps with its collections in the file: a {@link Placement} for the elements that lead to them. */
export class FileHeaps implements Placement {
  readonly #objectAddress: (target: number) => number;
  readonly #values: PlacedHeap;
  readonly #references: PlacedHeap;

  constructor(pair: HeapPair, space: FileSpace, objectAddress: (target: number) => number) {
    this.#objectAddress = objectAddress;
    const move = (content: HeapContent, bytes: Uint8Array): void => relocateHeapObject(content, bytes, movesOf(this));
    this.#values = new PlacedHeap(pair.values, space, move);
    this.#references = new PlacedHeap(pair.references, space, move);
  }

  objectAddress(target: number): number {
    return this.#objectAddress(target);
  }

  collectionAddress(collection: number, referred: boolean): number {
    return (referred ? this.#references : this.#values).address(collection);
  }

  /** Writes all collections. */
  finish(): void {
    this.#values.finish();
    this.#references.finish();
  }

  /** Writes and lets go of the collections that are complete. */
  release(): void {
    this.#values.release();
    this.#references.release();
  }
}
