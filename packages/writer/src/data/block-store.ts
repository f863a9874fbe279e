import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import { copyBox, type ElementBox, intersectBoxes } from "./box.ts";
import { filled } from "./fill.ts";

/** Elements that were added together, with placeholders for addresses (see `Placement`). */
export interface ElementBlock extends ElementBox {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A chunk as it is stored, given by the caller: it has been through the filters already. */
export interface RawChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bit i is set where filter i was left out. */
  readonly filterMask: number;
}

/** A block with room for more rows behind its own. */
interface OpenBlock extends ElementBlock {
  shape: readonly number[];
  /** The front of `room`. */
  bytes: Uint8Array<ArrayBuffer>;
  room: Uint8Array<ArrayBuffer>;
}

/** Bytes of rows that come to lie in the same memory, more or less. */
const TOGETHER = 1048576;
/** Blocks to go through one by one; more are found by the chunks they touch. */
const FEW_BLOCKS = 8;

/** The elements of a dataset in memory, as blocks in the order in which they were added: later ones win. */
export class BlockStore {
  readonly kind = "store";
  readonly elementSize: number;
  readonly fill: Uint8Array | undefined;
  readonly #unit: readonly number[];
  #blocks: ElementBlock[] = [];
  /** The last block, where rows may be added to it. */
  #open: OpenBlock | undefined;
  // Most datasets need none of these.
  #byCell: Map<string, ElementBlock[]> | undefined;
  #raw: Map<string, RawChunk> | undefined;
  #masks: Map<string, number> | undefined;

  /** @param unit - the chunk shape, or that of the whole where there are no chunks: in such boxes the elements are asked for */
  constructor(elementSize: number, fill: Uint8Array | undefined, unit: readonly number[]) {
    this.elementSize = elementSize;
    this.fill = fill;
    this.#unit = unit;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0 && !this.#raw?.size;
  }

  /**
   * Adds a block; what is outside `shape`, that of the dataset, is left out.
   *
   * @throws InvalidArgumentError where it changes a part of a chunk that was given as it is stored
   */
  add(block: ElementBlock, shape: readonly number[]): void {
    const inside = clipped(block, shape, this.elementSize);
    if (inside === undefined) return;
    if (this.#raw !== undefined) this.#overwriteRaw(inside, shape, this.#raw);
    this.#push(inside);
  }

  /**
   * Adds a copy of a block within `shape`. Rows that follow those of the block before come to lie behind them, so that many
   * small blocks make few large ones.
   *
   * @throws InvalidArgumentError as {@link add}
   */
  append(block: ElementBlock, shape: readonly number[]): void {
    if (this.#raw !== undefined) this.#overwriteRaw(block, shape, this.#raw);
    const open = this.#open;
    const isNext = open !== undefined && open === this.#blocks.at(-1) && follows(block, open);
    const used = isNext ? open.bytes.length : 0;
    const size = used + block.bytes.length;
    if (!isNext || (size > open.room.length && used >= TOGETHER)) {
      const room = new Uint8Array(Math.max(block.bytes.length, isNext ? TOGETHER : 0));
      room.set(block.bytes);
      this.#open = { ...block, bytes: room.subarray(0, block.bytes.length), room };
      this.#push(this.#open);
      return;
    }
    if (size > open.room.length) {
      const room = new Uint8Array(Math.max(size, Math.min(TOGETHER, 2 * open.room.length)));
      room.set(open.bytes);
      open.room = room;
    }
    open.room.set(block.bytes, used);
    open.bytes = open.room.subarray(0, size);
    open.shape = open.shape.map((rows, d) => (d === 0 ? rows + block.shape[0]! : rows));
    if (this.#byCell !== undefined) this.#index(open, block);
  }

  #push(block: ElementBlock): void {
    this.#blocks.push(block);
    if (this.#byCell !== undefined) this.#index(block, block);
    else if (this.#blocks.length > FEW_BLOCKS) this.#indexAll();
  }

  /** A chunk as it is stored gives way to a block that has all its elements; a part of it cannot be changed. */
  #overwriteRaw(block: ElementBlock, shape: readonly number[], raw: Map<string, RawChunk>): void {
    if (raw.size === 0) return;
    const given = [...cellsOf(block, this.#unit)].filter((cell) => raw.has(cell.join()));
    for (const cell of given) {
      const chunk = { start: cell.map((c, d) => c * this.#unit[d]!), shape: this.#unit };
      const part = intersectBoxes(chunk, { start: shape.map(() => 0), shape })!;
      if (isSame(intersectBoxes(part, block)!, part)) continue;
      throw new InvalidArgumentError(`chunk [${cell}] was given as it is stored, and only the whole can be replaced`);
    }
    for (const cell of given) raw.delete(cell.join());
  }

  #indexAll(): void {
    this.#byCell = new Map();
    for (const block of this.#blocks) this.#index(block, block);
  }

  /** Has a block found by the cells that a part of it touches. */
  #index(block: ElementBlock, part: ElementBox): void {
    const byCell = this.#byCell!;
    for (const cell of cellsOf(part, this.#unit)) {
      const key = cell.join();
      const blocks = byCell.get(key);
      if (blocks === undefined) byCell.set(key, [block]);
      else if (blocks.at(-1) !== block) blocks.push(block);
    }
  }

  setRaw(coordinate: readonly number[], chunk: RawChunk): void {
    this.#raw ??= new Map();
    this.#raw.set(coordinate.join(), chunk);
  }

  /** The chunk at a coordinate, where it was given as it is stored. */
  raw(coordinate: readonly number[]): RawChunk | undefined {
    return this.#raw?.get(coordinate.join());
  }

  setMask(coordinate: readonly number[], filterMask: number): void {
    this.#masks ??= new Map();
    this.#masks.set(coordinate.join(), filterMask);
  }

  /** Filters the caller wants left out of a chunk. */
  mask(coordinate: readonly number[]): number {
    return this.#masks?.get(coordinate.join()) ?? 0;
  }

  /**
   * Forgets what lies outside a shape that shrank, so that growing again finds the fill value there.
   *
   * @throws InvalidArgumentError where that would be a part of a chunk that was given as it is stored
   */
  clip(shape: readonly number[], before: readonly number[]): void {
    for (const key of this.#raw?.keys() ?? []) {
      const start = key.split(",").map((at, d) => Number(at) * this.#unit[d]!);
      const isInside = start.every((first, d) => first < shape[d]!);
      const isCut = start.some((first, d) => shape[d]! < Math.min(first + this.#unit[d]!, before[d]!));
      if (!isInside || !isCut) continue;
      throw new InvalidArgumentError(`chunk [${key}] was given as it is stored, and a part of it cannot be taken away`);
    }
    this.#blocks = this.#blocks.flatMap((block) => clipped(block, shape, this.elementSize) ?? []);
    this.#byCell = undefined;
    if (this.#blocks.length > FEW_BLOCKS) this.#indexAll();
    for (const key of this.#raw?.keys() ?? []) {
      const outside = key.split(",").some((at, d) => Number(at) * this.#unit[d]! >= shape[d]!);
      if (outside) this.#raw!.delete(key);
    }
  }

  /**
   * Refuses growth that makes chunks whole which were given as they are stored, unfiltered at the edge.
   *
   * @throws InvalidArgumentError
   */
  checkEdges(before: readonly number[], after: readonly number[]): void {
    for (const key of this.#raw?.keys() ?? []) {
      const cell = key.split(",").map(Number);
      if (!sticksOut(cell, this.#unit, before) || sticksOut(cell, this.#unit, after)) continue;
      throw new InvalidArgumentError(`chunk [${key}] was given as it is stored at the edge, and would now be filtered`);
    }
  }

  /** The elements of a box, the fill value where none were added; undefined where there are none at all in it. */
  elements(box: ElementBox): Uint8Array<ArrayBuffer> | undefined {
    const blocks = this.#near(box);
    const last = blocks.filter((block) => intersectBoxes(block, box) !== undefined).at(-1);
    const rows = last && rowsIn(last, box);
    if (rows !== undefined) return rows;
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    for (const block of blocks) {
      const part = intersectBoxes(block, box);
      if (part === undefined) continue;
      bytes ??= filled(elementCount(box.shape), this.elementSize, this.fill);
      copyBox(part, block, { ...box, bytes }, this.elementSize);
    }
    return bytes;
  }

  /** Coordinates of the chunks of a dataset of this shape that something was added to, in row-major order. */
  touchedCells(shape: readonly number[]): Iterable<readonly number[]> {
    const whole = { start: shape.map(() => 0), shape };
    if (!this.#raw?.size && this.#blocks.some((block) => isSame(block, whole))) return cellsOf(whole, this.#unit);
    const cells = new Map<string, readonly number[]>();
    for (const block of this.#blocks) for (const cell of cellsOf(block, this.#unit)) cells.set(cell.join(), cell);
    for (const key of this.#raw?.keys() ?? []) cells.set(key, key.split(",").map(Number));
    return [...cells.values()].sort(compareCells);
  }

  #near(box: ElementBox): readonly ElementBlock[] {
    if (this.#blocks.length <= FEW_BLOCKS) return this.#blocks;
    return this.#byCell!.get(box.start.map((at, d) => at / this.#unit[d]!).join()) ?? [];
  }
}

/** Whether a block's rows are those behind a block's: they differ along the first axis only. */
function follows(block: ElementBox, before: ElementBox): boolean {
  const next = before.start.map((first, d) => (d === 0 ? first + before.shape[0]! : first));
  return isSame(block, { start: next, shape: [block.shape[0]!, ...before.shape.slice(1)] });
}

/** The elements of a box that is whole rows of a block, as they lie there. */
export function rowsIn(block: ElementBlock, { start, shape }: ElementBox): Uint8Array<ArrayBuffer> | undefined {
  const skipped = (start[0] ?? 0) - (block.start[0] ?? 0);
  const [rows = 1] = shape;
  const isWithin = skipped >= 0 && skipped + rows <= (block.shape[0] ?? 1);
  const isWhole = shape.every((size, d) => d === 0 || (size === block.shape[d] && start[d] === block.start[d]));
  if (!isWithin || !isWhole) return undefined;
  const rowBytes = block.bytes.length / (block.shape[0] ?? 1);
  return block.bytes.subarray(skipped * rowBytes, (skipped + rows) * rowBytes);
}

/** The part of a block that is inside a shape; undefined where nothing is. */
function clipped(block: ElementBlock, shape: readonly number[], elementSize: number): ElementBlock | undefined {
  const part = intersectBoxes(block, { start: shape.map(() => 0), shape });
  if (part === undefined || isSame(part, block)) return part && block;
  const inside = { ...part, bytes: new Uint8Array(elementCount(part.shape) * elementSize) };
  copyBox(part, block, inside, elementSize);
  return inside;
}

/** Row-major order of coordinates. */
export function compareCells(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((at, d) => at !== b[d]);
  return axis < 0 ? 0 : a[axis]! - b[axis]!;
}

function isSame(a: ElementBox, b: ElementBox): boolean {
  return a.shape.every((size, d) => size === b.shape[d] && a.start[d] === b.start[d]);
}

/** Whether a cell, a chunk say, is not whole within a shape. */
export function sticksOut(cell: readonly number[], unit: readonly number[], shape: readonly number[]): boolean {
  return cell.some((at, d) => (at + 1) * unit[d]! > shape[d]!);
}

/** Coordinates, in units of `unit`, of the cells a box touches. */
export function* cellsOf(box: ElementBox, unit: readonly number[]): Generator<number[]> {
  const first = box.start.map((at, d) => Math.floor(at / unit[d]!));
  const end = box.start.map((at, d) => Math.ceil((at + box.shape[d]!) / unit[d]!));
  if (box.shape.includes(0)) return;
  const cell = first.slice();
  while (true) {
    yield cell.slice();
    let axis = cell.length - 1;
    while (axis >= 0 && ++cell[axis]! === end[axis]) {
      cell[axis] = first[axis]!;
      axis--;
    }
    if (axis < 0) return;
  }
}
