import { type DoublingTableParameters, doublingTable, type FractalHeapHeader } from "../src/index.ts";

/** A header for heaps made up in tests. */
export function heapHeader(
  table: DoublingTableParameters,
  changes: Partial<FractalHeapHeader> = {},
): FractalHeapHeader {
  return {
    idLength: 8,
    flags: 2,
    maxManagedSize: 40,
    nextHugeId: 0,
    hugeTreeAddress: undefined,
    freeBytes: 0,
    freeSpaceAddress: undefined,
    statistics: {
      managedSize: 2 ** 12,
      allocatedSize: 0,
      iteratorOffset: 0,
      managedObjects: 0,
      hugeSize: 0,
      hugeObjects: 0,
      tinySize: 0,
      tinyObjects: 0,
    },
    table: doublingTable(table),
    startRows: 1,
    rootAddress: undefined,
    rootRows: 0,
    filter: undefined,
    ...changes,
  };
}
