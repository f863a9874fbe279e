import type { Datatype } from "../datatype.ts";
import type { ReferenceForm } from "./heap-ids.ts";
import type { Int64As } from "./integers.ts";
import type { Reference } from "./references.ts";

/** Where the global heap keeps an object (spec III.E: global heap ID). */
export interface HeapId {
  /** Address of the collection. */
  readonly address: number;
  /** Index of the object in it. */
  readonly index: number;
}

/** The bytes `[start, end)` of others; where there are many, a view of each would cost more than they do. */
export interface ByteSpan {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Options of `decodeValues`. */
export interface DecodeValuesOptions {
  /** Bytes of a global heap object; needed for variable-length values, region and 1.12 references. */
  readonly heap?: ((id: HeapId) => Uint8Array | ByteSpan | undefined) | undefined;
  /** 64-bit integers as bigints (default) or as numbers in a `Float64Array`, which throws for one that is not exact. */
  readonly int64?: Int64As | undefined;
  /** The file's size of offsets, checked against the type's size where given. */
  readonly offsetSize?: number | undefined;
  /** What stands for an address beyond 2^53−1 (see `Widths` of framing); without it such an address is an error. */
  readonly foldAddress?: ((address: bigint) => number) | undefined;
  /** Name of the file the values are in, which references get as `from`. */
  readonly from?: string | undefined;
  /** The references for which `relocateHeapIds` has put numbers in the elements. */
  readonly numbered?: ((number: number) => Reference) | undefined;
  /** `false` gives the bytes away: numbers may be turned round in them and kept there, a `StructArray` reads them lazily. */
  readonly copy?: boolean | undefined;
}

/** Options of `encodeValues`. */
export interface EncodeValuesOptions {
  /**
   * Puts a heap object away and says where it will be; needed for what `hasHeapIds` says is in the global heap. `base` is
   * the type of the elements in it, undefined where a reference keeps it, of which `reference` then tells the form. Where
   * neither heap objects nor those referred to have their places yet, all may have stand-ins, from 1 on, until
   * `relocateAddresses` and `relocateHeapObject` replace them.
   */
  readonly store?:
    | ((payload: Uint8Array<ArrayBuffer>, base: Datatype | undefined, reference: ReferenceForm | undefined) => HeapId)
    | undefined;
  /**
   * The same for the first `length` bytes of memory that is used again for the next payload, and so must be copied: short
   * strings come here, of which there are many, so that the id may be one object for all. Without it they go to `store`.
   */
  readonly storeCopy?: ((memory: Uint8Array<ArrayBuffer>, length: number, base: Datatype) => HeapId) | undefined;
  /**
   * What a value stands for where a reference is wanted (a path, or a {@link Reference} into another file, say): one, null
   * for a reference to nothing, or `undefined` where it stands for none, which is an error. Asked for every value but null.
   */
  readonly reference?: ((value: unknown) => Reference | null | undefined) | undefined;
  /** The file's size of offsets, checked against the type's size where given. */
  readonly offsetSize?: number | undefined;
}
