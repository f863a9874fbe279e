/** A hyperslab's count or block without end; on the wire all ones of its width (`H5S_UNLIMITED`, H5Spublic.h). */
export const UNLIMITED: number = Infinity;

/** Version of a selection's wire form and bytes of its numbers, as decoded; without them the encoder chooses. */
export interface WireForm<Version extends number> {
  readonly version?: Version | undefined;
  readonly encodedSize?: 2 | 4 | 8 | undefined;
}

/** A list of elements in the order they are visited; never sorted, duplicates stay. */
export interface PointSelection extends WireForm<1 | 2> {
  readonly type: "points";
  /** At least one coordinate, each with one member for each dimension. */
  readonly points: readonly (readonly number[])[];
}

/** In each dimension `count` blocks of `block` elements, whose starts are `stride` apart from `start` on. */
export interface RegularHyperslab extends WireForm<2 | 3> {
  readonly type: "hyperslab";
  readonly form: "regular";
  readonly start: readonly number[];
  /** At least 1, and at least `block` where `count` is above 1. */
  readonly stride: readonly number[];
  /** May be {@link UNLIMITED} in one dimension, where the block is not. */
  readonly count: readonly number[];
  /** May be {@link UNLIMITED} in one dimension, where the count is not. */
  readonly block: readonly number[];
}

/** One block of a block list: the coordinates of its first and of its last element, both inclusive. */
export interface HyperslabBlock {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** The union of at least one block, which may overlap. */
export interface BlockHyperslab extends WireForm<1 | 2 | 3> {
  readonly type: "hyperslab";
  readonly form: "blocks";
  readonly blocks: readonly HyperslabBlock[];
}

/** The two wire forms of a hyperslab. Whatever the form, its elements are visited in row-major order, each once. */
export type Hyperslab = RegularHyperslab | BlockHyperslab;

/** A choice of elements of a dataspace: H5S's selection, as plain data. */
export type Selection = { readonly type: "none" } | { readonly type: "all" } | Hyperslab | PointSelection;

/** Whether a selection is a hyperslab of the regular form. */
export function isRegular(selection: Selection): selection is RegularHyperslab {
  return selection.type === "hyperslab" && selection.form === "regular";
}

/** Dimensions of a selection; `undefined` for none and all, which suit any. */
export function rankOf(selection: Selection): number | undefined {
  if (selection.type === "points") return selection.points[0]?.length ?? 0;
  if (selection.type !== "hyperslab") return undefined;
  return selection.form === "regular" ? selection.start.length : (selection.blocks[0]?.start.length ?? 0);
}
