import type { EncodeValuesOptions } from "@h5/datatypes";
import { ValueHeap } from "./value-heap.ts";

/** Every file is written with addresses and lengths of 8 bytes. */
export const WIDTHS = { offsetSize: 8, lengthSize: 8 } as const;

/**
 * The global heaps of values and of what references lead to, which stay apart: libhdf5 1.14 miscounts the objects of
 * collections that hold both.
 */
export interface HeapPair {
  readonly values: ValueHeap;
  readonly references: ValueHeap;
  /** Keeps the payloads of values while they are encoded. */
  readonly store: NonNullable<EncodeValuesOptions["store"]>;
  readonly storeCopy: NonNullable<EncodeValuesOptions["storeCopy"]>;
}

/** A pair of empty heaps. */
export function heapPair(): HeapPair {
  const values = new ValueHeap();
  const references = new ValueHeap();
  return {
    values,
    references,
    storeCopy: (memory, length, base) => values.storeCopy(memory, length, base, undefined),
    store: (bytes, base, reference) =>
      (reference === undefined ? values : references).store({ bytes, base, reference }),
  };
}
