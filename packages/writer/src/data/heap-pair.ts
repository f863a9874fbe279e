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
}

/** A pair of empty heaps. */
export function heapPair(): HeapPair {
  return { values: new ValueHeap(), references: new ValueHeap() };
}

/** What keeps the payloads of values in a pair of heaps while they are encoded. */
export function storeIn(pair: HeapPair): NonNullable<EncodeValuesOptions["store"]> {
  return (bytes, base, reference) =>
    (reference === undefined ? pair.values : pair.references).store({ bytes, base, reference });
}
