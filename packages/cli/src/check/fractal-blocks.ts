import type { Plan } from "@h5/framing";
import {
  blockOffset,
  decodeFractalDirectBlock,
  decodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalHeap,
  indirectRows,
  rowBlockSize,
  sizeOfFractalIndirectBlock,
} from "@h5/heap";
import { type Check, guard, read } from "./check.ts";

const DIRECT = "fractal heap direct block";
const INDIRECT = "fractal heap indirect block";

/** A direct block by its place in the heap's own address space. */
export interface HeapBlock {
  readonly offset: number;
  /** Bytes before the filters. */
  readonly size: number;
}

/** A walk through the blocks of a heap. */
interface Walk {
  readonly check: Check;
  readonly heap: FractalHeap;
  readonly path: string;
  readonly found: HeapBlock[];
  /** Whether all could be read. */
  whole: boolean;
}

/** Checks the blocks of a heap, and gives the direct ones in their order; nothing where some could not be read. */
export function* checkBlocks(check: Check, heap: FractalHeap, path: string): Plan<readonly HeapBlock[] | undefined> {
  const { rootAddress: address, rootRows: rows, table, filter } = heap.header;
  if (address === undefined) return [];
  const walk: Walk = { check, heap, path, found: [], whole: true };
  const entry = { address, size: filter?.rootSize, filterMask: filter?.rootFilterMask };
  if (rows > 0) yield* checkIndirect(walk, address, rows, 0);
  else yield* checkDirect(walk, entry, { offset: 0, size: table.startBlockSize });
  return walk.whole ? walk.found : undefined;
}

function* checkIndirect(walk: Walk, address: number, rows: number, start: number): Plan<void> {
  const { check, heap, path } = walk;
  const { table } = heap.header;
  const entries = yield* guard(check, path, readIndirect(walk, address, rows, start));
  if (entries === undefined) walk.whole = false;
  for (const [i, entry] of (entries ?? []).entries()) {
    if (entry.address === undefined) continue;
    const row = Math.floor(i / table.width);
    const offset = start + blockOffset(table, row, i % table.width);
    if (row < table.directRows) yield* checkDirect(walk, entry, { offset, size: rowBlockSize(table, row) });
    else yield* checkIndirect(walk, entry.address, indirectRows(table, row), offset);
  }
}

function* readIndirect(
  { check, heap, path }: Walk,
  address: number,
  rows: number,
  offset: number,
): Plan<readonly FractalBlockEntry[] | undefined> {
  const size = sizeOfFractalIndirectBlock(heap, rows, check);
  if (!check.space.claim(INDIRECT, address, size, path)) return undefined;
  const bytes = yield* read(check, INDIRECT, address, size);
  return decodeFractalIndirectBlock(bytes, heap, rows, offset, check, address).entries;
}

function* checkDirect(walk: Walk, entry: FractalBlockEntry, block: HeapBlock): Plan<void> {
  const good = yield* guard(walk.check, walk.path, readDirect(walk, entry, block));
  if (good === true) walk.found.push(block);
  else walk.whole = false;
}

function* readDirect(
  { check, heap, path }: Walk,
  { address, size: stored, filterMask = 0 }: FractalBlockEntry,
  { offset, size }: HeapBlock,
): Plan<boolean> {
  const length = stored ?? size;
  if (!check.space.claim(DIRECT, address!, length, path)) return false;
  const bytes = yield* read(check, DIRECT, address!, length);
  const pipeline = heap.header.filter?.pipeline;
  const plain = pipeline === undefined ? bytes : heap.unfilter!(bytes, filterMask, { pipeline, expectedBytes: size });
  decodeFractalDirectBlock(plain, heap, offset, check, address!);
  return true;
}
