import { type Datatype, type HeapContent, type HeapId, hasAddresses, type ReferenceForm } from "@h5/datatypes";
import { quickHash, Recent } from "./recent.ts";

/** libhdf5 refuses smaller collections (H5HG_MINSIZE). */
export const SMALLEST_COLLECTION = 4096;
/**
 * Collections double up to this, so that few lead to many values and none keeps a reader waiting for others. So many
 * objects that their 16-bit indexes run out do not fit.
 */
const LARGEST = 65536;

/** Bytes of a collection's header, and of what is before the data of an object, where lengths have 8 (spec III.E). */
export const HEADER = 16;
/** Objects begin below this in collections: a larger one has only one. */
const PLACES = 65536;

/** An object of the heap. */
export interface HeapPayload {
  readonly bytes: Uint8Array;
  /** Type of the elements in it; undefined where it is what a reference leads to, or a virtual dataset's mappings. */
  readonly base: Datatype | undefined;
  /** Form of the reference that leads to it. */
  readonly reference: ReferenceForm | undefined;
}

/** An object in which there are placeholders for addresses. */
export interface AddressedObject extends HeapContent {
  /** Where its data begins in the image. */
  readonly at: number;
  readonly length: number;
}

/** A collection: its objects have the indexes from 1 on. */
export interface HeapCollection {
  /** Bytes it has room for, its own header included. */
  readonly size: number;
  readonly used: number;
  /** Number of objects. */
  readonly count: number;
  /** The collection as a file has it but for its own header; nothing once it is released. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Over the image. */
  readonly view: DataView;
  readonly addressed: readonly AddressedObject[];
}

interface OpenCollection extends HeapCollection {
  used: number;
  count: number;
  image: Uint8Array<ArrayBuffer>;
  view: DataView;
  addressed: AddressedObject[];
}

/** Bytes that are copied one by one: for so few a call of `set` costs more. */
const FEW = 64;

/** What objects without addresses mean: their bytes. */
const PLAIN = 0;

/**
 * Objects of the global heap before they are placed in a file: values of variable length, or what region references lead
 * to. One that equals another of late (see {@link Recent}) is kept once. An object is nothing here but bytes in the image
 * of its collection.
 */
export class ValueHeap {
  readonly #collections: OpenCollection[] = [];
  /** Objects by their places, ordinal · PLACES + where the header begins, and by what they mean. */
  #recent = new Recent();
  /** What is not plain, by its base or else by the form of the reference. */
  readonly #meaningOf = new Map<Datatype | ReferenceForm | undefined, number>();
  readonly #sought = { bytes: new Uint8Array(0) as Uint8Array, length: 0 };
  readonly #id = { address: 0, index: 0 };
  #lastBase: Datatype | undefined;
  #lastMeaning = PLAIN;

  /** By ordinal less one; all but the last are complete. */
  get collections(): readonly HeapCollection[] {
    return this.#collections;
  }

  /** Keeps a copy of a payload. The address in the id is the ordinal of a collection, counted from 1. */
  store({ bytes, base, reference }: HeapPayload): HeapId {
    return { ...this.storeCopy(bytes, bytes.length, base, reference) };
  }

  /** The same for the first `length` of `bytes`. The id is one object, which the next call changes. */
  storeCopy(
    bytes: Uint8Array,
    length: number,
    base: Datatype | undefined,
    reference: ReferenceForm | undefined,
  ): HeapId {
    const meaning = this.#meaning(base, reference);
    const hash = quickHash(bytes, length);
    const sought = this.#sought;
    sought.bytes = bytes;
    sought.length = length;
    const known = this.#recent.find(hash, meaning, this.#isSought);
    if (known > 0) return this.#idOf(known);
    const place = this.#add(bytes, length);
    if (meaning !== PLAIN) {
      const at = (place % PLACES) + HEADER;
      this.#collections.at(-1)!.addressed.push({ at, length, base, reference });
    }
    this.#recent.add(hash, meaning, place);
    return this.#idOf(place);
  }

  /** Payloads in which nothing is an address are equal where their bytes are; others only where they mean the same. */
  #meaning(base: Datatype | undefined, reference: ReferenceForm | undefined): number {
    if (base !== undefined && base === this.#lastBase) return this.#lastMeaning;
    const key = base ?? reference;
    let meaning = base !== undefined && !hasAddresses(base) ? PLAIN : this.#meaningOf.get(key);
    if (meaning === undefined) {
      meaning = this.#meaningOf.size + 1;
      this.#meaningOf.set(key, meaning);
    }
    this.#lastBase = base;
    this.#lastMeaning = meaning;
    return meaning;
  }

  // One function for all calls, since a new one for each of very many costs more than it does.
  readonly #isSought = (place: number): boolean => {
    const { bytes, length } = this.#sought;
    const start = place % PLACES;
    const { view, image } = this.#collections[(place - start) / PLACES - 1]!;
    if (lengthAt(view, start) !== length) return false;
    for (let i = 0, at = start + HEADER; i < length; i++, at++) if (image[at] !== bytes[i]) return false;
    return true;
  };

  #idOf(place: number): HeapId {
    const start = place % PLACES;
    const id = this.#id;
    id.address = (place - start) / PLACES;
    id.index = this.#collections[id.address - 1]!.view.getUint16(start, true);
    return id;
  }

  /** Gives the place. */
  #add(bytes: Uint8Array, length: number): number {
    const size = HEADER + Math.ceil(length / 8) * 8;
    let last = this.#collections.at(-1);
    if (last === undefined || last.used + size > last.size) last = this.#open(size);
    const start = last.used;
    last.count++;
    writeObjectHeader(last.view, start, last.count, length);
    const { image } = last;
    if (length > FEW) image.set(length === bytes.length ? bytes : bytes.subarray(0, length), start + HEADER);
    else for (let i = 0, at = start + HEADER; i < length; i++, at++) image[at] = bytes[i]!;
    last.used += size;
    return this.#collections.length * PLACES + start;
  }

  #open(firstSize: number): OpenCollection {
    const usual = Math.min(LARGEST, SMALLEST_COLLECTION * 2 ** Math.min(16, this.#collections.length));
    const size = Math.max(usual, HEADER + firstSize);
    const image = new Uint8Array(size);
    const view = new DataView(image.buffer);
    const collection = { size, used: HEADER, count: 0, image, view, addressed: [] };
    this.#collections.push(collection);
    return collection;
  }

  /** What forgets the objects that are stored from now on, for as long as nothing is released. */
  undo(): () => void {
    const { length } = this.#collections;
    const last = this.#collections.at(-1);
    const { used = 0, count = 0 } = last ?? {};
    const addressed = last?.addressed.length ?? 0;
    return () => {
      this.#collections.length = length;
      this.#recent.forget(length * PLACES + used);
      if (last === undefined) return;
      last.image.fill(0, used);
      last.used = used;
      last.count = count;
      last.addressed.length = addressed;
    };
  }

  /** Forgets the objects of a complete collection, and that others may equal them: values that stream are not kept. */
  release(ordinal: number): void {
    const collection = this.#collections[ordinal - 1]!;
    collection.image = new Uint8Array(0);
    collection.view = new DataView(collection.image.buffer);
    collection.addressed = [];
    this.#recent = new Recent();
    this.#meaningOf.clear();
    this.#lastBase = undefined;
  }
}

/** Index, references to it (none to the free space, of index 0) and size (spec III.E). */
export function writeObjectHeader(view: DataView, at: number, index: number, length: number): void {
  view.setUint16(at, index, true);
  view.setUint16(at + 2, index === 0 ? 0 : 1, true);
  view.setUint32(at + 8, length % 2 ** 32, true);
  view.setUint32(at + 12, Math.floor(length / 2 ** 32), true);
}

function lengthAt(view: DataView, at: number): number {
  return view.getUint32(at + 8, true) + view.getUint32(at + 12, true) * 2 ** 32;
}
