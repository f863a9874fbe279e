import { type Datatype, type HeapId, hasAddresses, type ReferenceForm } from "@h5/datatypes";
import { compareBytes, lookup3, type Widths } from "@h5/framing";
import { sizeOfGlobalHeapHeader, sizeOfGlobalHeapObject } from "@h5/heap";

/** libhdf5 refuses smaller collections (H5HG_MINSIZE). */
export const SMALLEST_COLLECTION = 4096;
/**
 * Collections double up to this, so that few lead to many values and none keeps a reader waiting for others. So many
 * objects that their 16-bit indexes run out do not fit.
 */
const LARGEST = 65536;

/** An object of the heap. */
export interface HeapPayload {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Type of the elements in it; undefined where it is what a reference leads to, or a virtual dataset's mappings. */
  readonly base: Datatype | undefined;
  /** Form of the reference that leads to it. */
  readonly reference: ReferenceForm | undefined;
}

/** A collection: its objects have the indexes from 1 on. */
export interface HeapCollection {
  /** Bytes it has room for, its own header included. */
  readonly size: number;
  readonly used: number;
  readonly objects: readonly HeapPayload[];
}

interface OpenCollection extends HeapCollection {
  used: number;
  objects: HeapPayload[];
}

/**
 * Objects of the global heap before they are placed in a file: values of variable length, or what region references lead
 * to. Equal ones are kept once.
 */
export class ValueHeap {
  readonly #widths: Widths;
  readonly #collections: OpenCollection[] = [];
  readonly #interned = new Map<number, { readonly payload: HeapPayload; readonly id: HeapId }[]>();

  constructor(widths: Widths) {
    this.#widths = widths;
  }

  /** By ordinal less one; all but the last are complete. */
  get collections(): readonly HeapCollection[] {
    return this.#collections;
  }

  /** Keeps a payload. The address in the id is the ordinal of a collection, counted from 1. */
  store(payload: HeapPayload): HeapId {
    const hash = lookup3(payload.bytes);
    const alike = this.#interned.get(hash);
    const equal = alike?.find((other) => isEqual(other.payload, payload));
    if (equal !== undefined) return equal.id;
    const id = this.#add(payload);
    if (alike === undefined) this.#interned.set(hash, [{ payload, id }]);
    else alike.push({ payload, id });
    return id;
  }

  #add(payload: HeapPayload): HeapId {
    const size = sizeOfGlobalHeapObject(payload.bytes.length, this.#widths);
    let last = this.#collections.at(-1);
    if (last === undefined || last.used + size > last.size) {
      last = this.#open(size);
    }
    last.used += size;
    last.objects.push(payload);
    return { address: this.#collections.length, index: last.objects.length };
  }

  #open(firstSize: number): OpenCollection {
    const header = sizeOfGlobalHeapHeader(this.#widths);
    const usual = Math.min(LARGEST, SMALLEST_COLLECTION * 2 ** Math.min(16, this.#collections.length));
    const collection = { size: Math.max(usual, header + firstSize), used: header, objects: [] };
    this.#collections.push(collection);
    return collection;
  }

  /** What forgets the objects that are stored from now on, for as long as nothing is released. */
  undo(): () => void {
    const count = this.#collections.length;
    const last = this.#collections.at(-1);
    const [used = 0, objects = 0] = [last?.used, last?.objects.length];
    return () => {
      const later = this.#collections.splice(count).flatMap((collection) => collection.objects);
      const forgotten = new Set([...(last?.objects.splice(objects) ?? []), ...later]);
      if (last !== undefined) last.used = used;
      for (const { bytes } of forgotten) {
        const hash = lookup3(bytes);
        const kept = this.#interned.get(hash)?.filter(({ payload }) => !forgotten.has(payload)) ?? [];
        if (kept.length > 0) this.#interned.set(hash, kept);
        else this.#interned.delete(hash);
      }
    };
  }

  /** Forgets the objects of a complete collection, and that others may equal them: values that stream are not kept. */
  release(ordinal: number): void {
    this.#collections[ordinal - 1]!.objects = [];
    this.#interned.clear();
  }
}

/** Payloads in which nothing is an address are equal where their bytes are; others only where they mean the same. */
function isEqual(a: HeapPayload, b: HeapPayload): boolean {
  const sameMeaning =
    a.base === b.base ||
    (a.base !== undefined && b.base !== undefined && !hasAddresses(a.base) && !hasAddresses(b.base));
  return sameMeaning && a.bytes.length === b.bytes.length && compareBytes(a.bytes, b.bytes) === 0;
}
