import type { Int64As } from "./integers.ts";

/** Where the global heap keeps an object (spec III.E: global heap ID). */
export interface HeapId {
  /** Address of the collection. */
  readonly address: number;
  /** Index of the object in it. */
  readonly index: number;
}

export interface DecodeValuesOptions {
  /** Bytes of a global heap object; needed for variable-length values, region and 1.12 references. */
  readonly heap?: ((id: HeapId) => Uint8Array | undefined) | undefined;
  /** 64-bit integers as bigints (default) or as numbers in a `Float64Array`, which throws for one that is not exact. */
  readonly int64?: Int64As | undefined;
  /** The file's size of offsets, checked against the type's size where given. */
  readonly offsetSize?: number | undefined;
  /** What stands for an address beyond 2^53−1 (see `Widths` of framing); without it such an address is an error. */
  readonly foldAddress?: ((address: bigint) => number) | undefined;
  /** `false` gives the bytes away: numbers may be turned round in them and kept there, a `StructArray` reads them lazily. */
  readonly copy?: boolean | undefined;
}

export interface EncodeValuesOptions {
  /** Puts a heap object away and says where it will be; needed for what `hasHeapIds` says is in the global heap. */
  readonly store?: ((payload: Uint8Array<ArrayBuffer>) => HeapId) | undefined;
  /** The file's size of offsets, checked against the type's size where given. */
  readonly offsetSize?: number | undefined;
}
