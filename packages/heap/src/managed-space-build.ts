import { InvalidArgumentError } from "@h5/framing";
import { blockAt, blockOffset, type DoublingTable, indirectRows, rowBlockSize } from "./doubling-table.ts";

/** A direct block with objects in it. */
export interface ManagedBlock {
  /** Offset of the block in the heap's managed space. */
  readonly offset: number;
  /** Bytes of the block with its prefix. */
  readonly size: number;
  /** What follows the prefix. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Room for objects in a block, which may not exist yet. */
interface Room {
  readonly at: number;
  readonly size: number;
  readonly block: { readonly offset: number; readonly size: number; data?: Uint8Array<ArrayBuffer> };
}

/** A heap while its objects are placed. */
interface Filling {
  readonly table: DoublingTable;
  readonly prefix: number;
  /** The blocks that no object has reached yet. */
  readonly blocks: Generator<Room["block"], undefined>;
  /** In order of size and then of place. */
  readonly rooms: Room[];
  readonly used: ManagedBlock[];
  rows: number;
  iteratorOffset: number;
}

/** A fractal heap's managed objects, each with its place. */
export interface ManagedSpace {
  /** Where an object lies in the managed space. */
  readonly offsets: readonly number[];
  /** The blocks with objects, in order of their offsets. */
  readonly blocks: readonly ManagedBlock[];
  /** Rows of the root; 0 where it is a direct block or there is none. */
  readonly rows: number;
  /** Bytes that the root spans. */
  readonly size: number;
  /** Where the next block will be: behind the last. */
  readonly iteratorOffset: number;
  /** Bytes free in the direct blocks that the root spans, those that do not exist counted too. */
  readonly freeBytes: number;
}

/**
 * Finds places for a heap's managed objects as libhdf5 does when they are inserted one by one (H5HFman.c
 * `H5HF__man_insert`, H5FSsection.c): each goes where it leaves least room, in a block or in one that was passed over
 * for being too small, the first of equals; else into the next block that is large enough.
 *
 * @param prefix - bytes at the start of every direct block
 * @throws InvalidArgumentError where they need more than the heap's 2^maxHeapBits bytes
 */
export function placeManagedObjects(
  table: DoublingTable,
  prefix: number,
  objects: readonly Uint8Array[],
): ManagedSpace {
  const blocks = directBlocks(table, table.maxRows, 0);
  const filling: Filling = { table, prefix, blocks, rooms: [], used: [], rows: 0, iteratorOffset: 0 };
  const offsets = objects.map((object) => placeObject(filling, object));
  const { used, rows, iteratorOffset } = filling;
  const taken = objects.reduce((sum, { length }) => sum + length, 0);
  const common = { offsets, blocks: used.sort((a, b) => a.offset - b.offset), rows, iteratorOffset };
  if (used.length === 0) return { ...common, size: 0, freeBytes: 0 };
  if (rows === 0) return { ...common, size: table.startBlockSize, freeBytes: table.startBlockSize - prefix - taken };
  return { ...common, size: blockOffset(table, rows, 0), freeBytes: dataBytes(table, prefix, rows) - taken };
}

function placeObject(filling: Filling, object: Uint8Array): number {
  const { rooms, used, prefix } = filling;
  const found = position(rooms, object.length, 0);
  const { at, size, block } = found < rooms.length ? rooms.splice(found, 1)[0]! : nextRoom(filling, object.length);
  if (block.data === undefined) {
    block.data = new Uint8Array(block.size - prefix);
    used.push(block as ManagedBlock);
  }
  block.data.set(object, at - block.offset - prefix);
  addRoom(rooms, { at: at + object.length, size: size - object.length, block });
  return at;
}

/** The first block behind the last that is large enough; those passed over are room for smaller objects. */
function nextRoom(filling: Filling, size: number): Room {
  const { table, prefix, blocks, rooms } = filling;
  // No for…of, which would end the sequence where it is left.
  for (let step = blocks.next(); !step.done; step = blocks.next()) {
    const block = step.value;
    const room = { at: block.offset + prefix, size: block.size - prefix, block };
    if (room.size < size) {
      addRoom(rooms, room);
      continue;
    }
    // A first block that does is the root itself.
    if (block.offset > 0) {
      filling.rows = grownRows(table, filling.rows, blockAt(table, block.offset).row);
      filling.iteratorOffset = block.offset + block.size;
    }
    return room;
  }
  throw new InvalidArgumentError(`the objects need more than 2^${table.maxHeapBits} bytes`, {
    structure: "fractal heap",
  });
}

function addRoom(rooms: Room[], room: Room): void {
  if (room.size > 0) rooms.splice(position(rooms, room.size, room.at), 0, room);
}

/** The first room, in order of size and then of place, that is not before these. */
function position(rooms: readonly Room[], size: number, at: number): number {
  let low = 0;
  for (let high = rooms.length; low < high; ) {
    const middle = (low + high) >>> 1;
    const room = rooms[middle]!;
    if (room.size < size || (room.size === size && room.at < at)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All direct blocks of an indirect block and those below it, in order of their offsets. */
function* directBlocks(table: DoublingTable, rows: number, start: number): Generator<Room["block"], undefined> {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < table.width; column++) {
      const offset = start + blockOffset(table, row, column);
      if (row < table.directRows) yield { offset, size: rowBlockSize(table, row) };
      else yield* directBlocks(table, indirectRows(table, row), offset);
    }
  }
}

/** The root's rows once it reaches `row`: it begins with as few as it needs and doubles (H5HFiblock.c). */
function grownRows({ maxRows }: DoublingTable, rows: number, row: number): number {
  let grown = rows;
  while (grown <= row) grown = Math.max(row + 1, Math.min(2 * grown, maxRows));
  return grown;
}

/** Bytes of the direct blocks in an indirect block of `rows` rows and below it, without their prefixes. */
function dataBytes(table: DoublingTable, prefix: number, rows: number): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const bytes =
      row < table.directRows ? rowBlockSize(table, row) - prefix : dataBytes(table, prefix, indirectRows(table, row));
    sum += table.width * bytes;
  }
  return sum;
}
