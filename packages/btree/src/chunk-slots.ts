import { InvalidFieldError, UnsupportedFeatureError } from "@h5/framing";
import { type ChunkBox, firstInBox } from "./chunk-location.ts";

const STRUCTURE = "chunk index";
const MAX_SAFE = 9007199254740991;

/**
 * The numbering of chunks in an index that is an array: row-major over the grid of the *maximum* shape, so that growing
 * a dataset moves no chunk (H5Dfarray.c, H5Dearray.c, H5Dnone.c). The dimensions stand in the index's own order, which
 * for an extensible array begins with the unlimited one.
 */
export interface ChunkSlots {
  /** Slots from one chunk to the next along each dimension. */
  readonly strides: readonly number[];
  /** The chunks asked for. */
  readonly box: ChunkBox;
}

/** Numbers the chunks of `grid`, the chunks along each dimension of the maximum shape; only the first may be infinite. */
export function numberSlots(grid: readonly number[], box: ChunkBox): ChunkSlots {
  const strides = new Array<number>(grid.length);
  let stride = 1;
  for (let d = grid.length - 1; d >= 0; d--) {
    strides[d] = stride;
    if (d > 0 && grid[d] === Infinity) {
      throw new InvalidFieldError("the maximum shape has an unlimited dimension that this index cannot number", {
        structure: STRUCTURE,
      });
    }
    if (d > 0) stride *= grid[d]!;
  }
  if (stride * (box.end[0] ?? 1) > MAX_SAFE) {
    throw new UnsupportedFeatureError(`a grid of [${grid}] chunks, more than 2^53`, { structure: STRUCTURE });
  }
  return { strides, box };
}

/** Slot of a position in the grid. */
export function slotOf({ strides }: ChunkSlots, coordinate: readonly number[]): number {
  return coordinate.reduce((sum, at, d) => sum + at * strides[d]!, 0);
}

/** Position in the grid of a slot. */
export function coordinateOf({ strides }: ChunkSlots, slot: number): number[] {
  let rest = slot;
  return strides.map((stride) => {
    const at = Math.floor(rest / stride);
    rest -= at * stride;
    return at;
  });
}

/** The first wanted slot not before `slot`; infinite where there is none. */
export function nextSlot(slots: ChunkSlots, slot: number): number {
  const first = firstInBox(coordinateOf(slots, slot), slots.box);
  return first === undefined ? Infinity : slotOf(slots, first);
}

/** Whether any wanted slot is in `[from, to)`. */
export function touches(slots: ChunkSlots, from: number, to: number): boolean {
  return nextSlot(slots, from) < to;
}

/** The wanted slots in `[from, to)`, ascending. */
export function* slotsBetween(slots: ChunkSlots, from: number, to: number): Iterable<number> {
  for (let slot = nextSlot(slots, from); slot < to; slot = nextSlot(slots, slot + 1)) yield slot;
}

/** The members of `members`, one for each dimension, in the order of an extensible array: the unlimited one first. */
export function toFront(members: readonly number[], unlimited: number): number[] {
  return [members[unlimited]!, ...members.slice(0, unlimited), ...members.slice(unlimited + 1)];
}

/** The inverse of {@link toFront}. */
export function fromFront([first, ...others]: readonly number[], unlimited: number): number[] {
  return [...others.slice(0, unlimited), first!, ...others.slice(unlimited)];
}
