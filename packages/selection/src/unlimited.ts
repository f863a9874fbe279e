import { optimizeRegular } from "./hyperslab.ts";
import { intersectSelection, type SelectionLimits } from "./selected-spans.ts";
import type { RegularHyperslab, Selection } from "./selection.ts";

/** A hyperslab of which one dimension is unlimited. */
export interface UnlimitedHyperslab {
  /** As libhdf5 keeps it: blocks that touch joined. */
  readonly slab: RegularHyperslab;
  /** The dimension whose count or block is unlimited. */
  readonly axis: number;
}

/** The parts of an unlimited selection; `undefined` for one that is not. */
export function unlimitedOf(selection: Selection): UnlimitedHyperslab | undefined {
  if (selection.type !== "hyperslab" || selection.form !== "regular") return undefined;
  const slab = optimizeRegular(selection);
  const axis = slab.count.findIndex((count, i) => count === Infinity || slab.block[i] === Infinity);
  return axis < 0 ? undefined : { slab, axis };
}

/** Whether the elements are one block without end: its block is unlimited, or its blocks touch. */
function isOneBlock({ slab, axis }: UnlimitedHyperslab): boolean {
  return slab.block[axis] === Infinity || slab.block[axis] === slab.stride[axis];
}

/** Positions along its unlimited dimension that a selection has within a size (H5Shyper.c, `H5S_hyper_get_clip_extent_match`). */
export function slicesWithin(selection: UnlimitedHyperslab, size: number): number {
  const { slab, axis } = selection;
  const room = size - slab.start[axis]!;
  if (room <= 0) return 0;
  if (isOneBlock(selection)) return room;
  const [stride, block] = [slab.stride[axis]!, slab.block[axis]!];
  return Math.floor(room / stride) * block + Math.min(room % stride, block);
}

/**
 * The size along its unlimited dimension within which a selection has a number of positions: the least one, or, with
 * `gap`, the one at which the next position would begin (H5Shyper.c, `H5S__hyper_get_clip_extent_real`).
 */
export function sizeOfSlices(selection: UnlimitedHyperslab, slices: number, gap: boolean): number {
  const { slab, axis } = selection;
  const start = slab.start[axis]!;
  if (slices === 0) return gap ? start : 0;
  if (isOneBlock(selection)) return start + slices;
  const [stride, block] = [slab.stride[axis]!, slab.block[axis]!];
  const whole = Math.floor(slices / block);
  const rest = slices % block;
  if (rest > 0 || gap) return start + whole * stride + rest;
  return start + (whole - 1) * stride + block;
}

/** The part of an unlimited selection within a size along its unlimited dimension. */
export function clipUnlimited({ slab, axis }: UnlimitedHyperslab, size: number, options?: SelectionLimits): Selection {
  const end = slab.start.map((start, i) =>
    i === axis ? size : start + Math.max(0, slab.count[i]! - 1) * slab.stride[i]! + slab.block[i]!,
  );
  return intersectSelection(slab, { start: end.map(() => 0), end }, options);
}

/** The block of a number along the unlimited dimension of a selection whose count, not block, is unlimited. */
export function unlimitedBlock({ slab, axis }: UnlimitedHyperslab, index: number): RegularHyperslab {
  const { start, count } = slab;
  return {
    ...slab,
    start: start.map((first, i) => (i === axis ? first + index * slab.stride[axis]! : first)),
    count: count.map((times, i) => (i === axis ? 1 : times)),
  };
}
