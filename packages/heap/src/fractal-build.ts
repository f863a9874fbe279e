import { buildV2Tree, hugeDirectRecords, hugeIndirectRecords, type NumberedHugeObjectRecord } from "@h5/btree";
import { ByteWriter, type FileSpace, InvalidArgumentError, place } from "@h5/framing";
import {
  blockOffset,
  type DoublingTableParameters,
  doublingTable,
  indirectRows,
  rowBlockSize,
} from "./doubling-table.ts";
import {
  encodeFractalDirectBlock,
  encodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalHeapOwner,
  sizeOfDirectPrefix,
} from "./fractal-blocks.ts";
import {
  CHECKSUM_BLOCKS,
  encodeFractalHeapHeader,
  type FractalHeapHeader,
  sizeOfFractalHeapHeader,
} from "./fractal-header.ts";
import { type FractalHeapId, hugeIdsAreDirect, maxTinySize, writeFractalHeapId } from "./fractal-heap-id.ts";
import { type ManagedBlock, type ManagedSpace, placeManagedObjects } from "./managed-space-build.ts";

/** How a fractal heap keeps its objects. */
export interface FractalHeapParameters extends DoublingTableParameters {
  /** Bytes of a heap id. */
  readonly idLength: number;
  /** Bytes of the largest object that is kept in the heap's blocks; larger ones are huge. */
  readonly maxManagedSize: number;
}

/** Heaps of a group's links (H5Gdense.c). */
export const linkHeap: FractalHeapParameters = {
  idLength: 7,
  maxManagedSize: 4096,
  width: 4,
  startBlockSize: 512,
  maxDirectSize: 65536,
  maxHeapBits: 32,
};

/** Heaps of an object's attributes (H5Adense.c). */
export const attributeHeap: FractalHeapParameters = {
  idLength: 8,
  maxManagedSize: 4096,
  width: 4,
  startBlockSize: 1024,
  maxDirectSize: 65536,
  maxHeapBits: 40,
};

/** Heaps of shared messages (H5SM.c), which are as those of attributes. */
export const sharedMessageHeap: FractalHeapParameters = {
  idLength: 8,
  maxManagedSize: 4096,
  width: 4,
  startBlockSize: 1024,
  maxDirectSize: 65536,
  maxHeapBits: 40,
};

/** A fractal heap that has been written. */
export interface BuiltFractalHeap {
  /** Address of the heap's header. */
  readonly address: number;
  /** The ids of the objects, in the order these were given in; views of one buffer. */
  readonly ids: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Writes a fractal heap with all its objects (spec III.G): tiny ones go into their ids, huge ones by themselves into the
 * file, and all others into blocks, which are laid out as libhdf5 lays them out for objects inserted in this order.
 *
 * There is no free-space manager. Every statistic is what libhdf5 would count, so that it can insert and delete; but it
 * does not know of the room left over in these blocks, nor of blocks passed over for large objects, and begins behind the
 * last block.
 *
 * @param objects - none of them empty; copied
 * @throws InvalidArgumentError for an empty object, or more than the heap can hold; InvalidFieldError for parameters
 *   that make no heap
 */
export function buildFractalHeap(
  space: FileSpace,
  objects: readonly Uint8Array[],
  parameters: FractalHeapParameters,
): BuiltFractalHeap {
  const empty = emptyHeader(parameters);
  const owner = { address: space.allocate(sizeOfFractalHeapHeader(empty, space)), header: empty };
  const prefix = sizeOfDirectPrefix(owner, space);
  if (empty.maxManagedSize + prefix > empty.table.maxDirectSize) {
    refuse(`blocks of ${empty.table.maxDirectSize} bytes for objects of ${empty.maxManagedSize}`);
  }
  const { tiny, managed, huge } = byKind(objects, empty);
  const placed = placeManagedObjects(empty.table, prefix, managed);
  const records = huge.map((object, i) => {
    return { address: place(space, object.slice()), length: object.length, id: i + 1 };
  });
  const header: FractalHeapHeader = {
    ...empty,
    nextHugeId: hugeIdsAreDirect(empty, space) ? 0 : records.length,
    hugeTreeAddress: placeHugeTree(space, empty, records),
    freeBytes: placed.freeBytes,
    statistics: {
      managedSize: placed.size,
      allocatedSize: placed.blocks.reduce((sum, { size }) => sum + size, 0),
      iteratorOffset: placed.iteratorOffset,
      managedObjects: managed.length,
      hugeSize: bytesOf(huge),
      hugeObjects: huge.length,
      tinySize: bytesOf(tiny),
      tinyObjects: tiny.length,
    },
    rootAddress: placeRoot(space, owner, placed),
    rootRows: placed.rows,
  };
  space.put(owner.address, encodeFractalHeapHeader(header, space));
  return { address: owner.address, ids: idsOf(space, header, { objects, offsets: placed.offsets, records }) };
}

function emptyHeader({ idLength, maxManagedSize, ...table }: FractalHeapParameters): FractalHeapHeader {
  return {
    idLength,
    flags: CHECKSUM_BLOCKS,
    maxManagedSize,
    nextHugeId: 0,
    hugeTreeAddress: undefined,
    freeBytes: 0,
    freeSpaceAddress: undefined,
    statistics: {
      managedSize: 0,
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
  };
}

/** How a heap keeps an object (H5HF.c `H5HF_insert`). */
function kindOf({ length }: Uint8Array, header: FractalHeapHeader): "tiny" | "managed" | "huge" {
  if (length > header.maxManagedSize) return "huge";
  return length <= maxTinySize(header) ? "tiny" : "managed";
}

function byKind(
  objects: readonly Uint8Array[],
  header: FractalHeapHeader,
): Record<ReturnType<typeof kindOf>, Uint8Array[]> {
  const kinds = { tiny: [], managed: [], huge: [] } as Record<ReturnType<typeof kindOf>, Uint8Array[]>;
  objects.forEach((object, i) => {
    if (object.length === 0) refuse(`object ${i} is empty`);
    kinds[kindOf(object, header)].push(object);
  });
  return kinds;
}

function refuse(message: string): never {
  throw new InvalidArgumentError(message, { structure: "fractal heap" });
}

function bytesOf(objects: readonly Uint8Array[]): number {
  return objects.reduce((sum, { length }) => sum + length, 0);
}

/** The tree without which libhdf5 finds no huge object, and frees none. */
function placeHugeTree(
  space: FileSpace,
  header: FractalHeapHeader,
  records: readonly NumberedHugeObjectRecord[],
): number | undefined {
  if (records.length === 0) return undefined;
  if (!hugeIdsAreDirect(header, space)) return buildV2Tree(space, hugeIndirectRecords(false, space), records);
  const codec = hugeDirectRecords(false, space);
  return buildV2Tree(space, codec, [...records].sort(codec.compare));
}

/** The ids of objects of all kinds: where the managed ones are, and the huge ones, in the objects' order. */
function idsOf(
  space: FileSpace,
  header: FractalHeapHeader,
  found: {
    readonly objects: readonly Uint8Array[];
    readonly offsets: readonly number[];
    readonly records: readonly NumberedHugeObjectRecord[];
  },
): Uint8Array<ArrayBuffer>[] {
  const { objects, offsets, records } = found;
  // One buffer for all: a million small ones would take the collector longer than all else here.
  const writer = new ByteWriter(objects.length * header.idLength, "fractal heap ids");
  let managed = 0;
  let huge = 0;
  const idOf = (data: Uint8Array): FractalHeapId => {
    const kind = kindOf(data, header);
    if (kind === "tiny") return { kind, data };
    if (kind === "managed") return { kind, offset: offsets[managed++]!, length: data.length };
    const record = records[huge++]!;
    return hugeIdsAreDirect(header, space) ? { kind, ...record } : { kind: "indirect", id: record.id };
  };
  return objects.map((data) => {
    const start = writer.offset;
    writeFractalHeapId(writer, idOf(data), header, space);
    return writer.bytes.subarray(start, writer.offset);
  });
}

function placeRoot(space: FileSpace, owner: FractalHeapOwner, { blocks, rows }: ManagedSpace): number | undefined {
  if (rows > 0) return placeIndirectBlock(space, owner, { blocks, next: 0 }, rows, 0);
  return blocks[0] && placeDirectBlock(space, owner, blocks[0]);
}

function placeDirectBlock(space: FileSpace, owner: FractalHeapOwner, block: ManagedBlock): number {
  return place(space, encodeFractalDirectBlock(block, owner, space));
}

/** Writes an indirect block behind all that are below it: of the blocks from the next on, those that lie in it. */
function placeIndirectBlock(
  space: FileSpace,
  owner: FractalHeapOwner,
  left: { readonly blocks: readonly ManagedBlock[]; next: number },
  rows: number,
  offset: number,
): number {
  const { table } = owner.header;
  const entries: FractalBlockEntry[] = [];
  for (let i = 0; i < rows * table.width; i++) {
    const row = Math.floor(i / table.width);
    const start = offset + blockOffset(table, row, i % table.width);
    const block = left.blocks[left.next];
    if (block === undefined || block.offset >= start + rowBlockSize(table, row)) entries.push({ address: undefined });
    else if (row < table.directRows) {
      left.next++;
      entries.push({ address: placeDirectBlock(space, owner, block) });
    } else entries.push({ address: placeIndirectBlock(space, owner, left, indirectRows(table, row), start) });
  }
  return place(space, encodeFractalIndirectBlock({ offset, entries }, owner, space));
}
