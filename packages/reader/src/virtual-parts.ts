import { UnsupportedFeatureError } from "@h5/framing";
import { type Axis, type Box, regularAxes, type Selection, type SpanSelection, selectionBounds } from "@h5/selection";
import type { Selector } from "./selector.ts";
import type { Storage } from "./storage.ts";
import { meetAxes } from "./virtual-axes.ts";
import { type SettledMapping, withinMapping } from "./virtual-mapping.ts";

/** A mapping, and the box in which it may have some of what is wanted. */
export interface MappedPart {
  readonly mapping: SettledMapping & { readonly virtual: SpanSelection };
  readonly box: Box;
  /** The mapping's elements by dimensions, where they are so. */
  readonly axes: readonly Axis[] | undefined;
}

/** None for a mapping that has nothing of what is wanted. */
export function partsOf(mapping: SettledMapping, { dataspace }: Storage, selector: Selector): MappedPart[] {
  const { shape } = dataspace;
  const virtual = ordered(mapping.virtual);
  const wanted = selector.chunkBox(shape.map(() => 1));
  const own = withinMapping(mapping, () => selectionBounds(virtual, hullShape(virtual, shape)));
  if (own === undefined) return [];
  const start = wanted.start.map((first, axis) => Math.max(first, own.start[axis]!));
  const end = wanted.end.map((last, axis) => Math.min(last, own.end[axis]! + 1));
  if (start.some((first, axis) => first >= end[axis]!)) return [];
  const box = { start, shape: end.map((last, axis) => last - start[axis]!) };
  return [{ mapping: { ...mapping, virtual }, box, axes: regularAxes(virtual, shape) }];
}

/** libhdf5 makes no mapping by points. */
export function ordered(selection: Selection): SpanSelection {
  if (selection.type !== "points") return selection;
  throw new UnsupportedFeatureError("virtual mapping by points", { structure: "virtual dataset" });
}

/** A shape that a selection is sure to fit: what it has beyond the dataset's own is never wanted. */
export function hullShape(selection: Selection, shape: readonly number[]): readonly number[] {
  return selection.type === "all" ? shape : shape.map(() => Number.MAX_SAFE_INTEGER);
}

/** Pairs of mappings that are compared for each there is, to read them together. */
const COMPARISONS = 256;

/** Whether two mappings may give one element; true too where telling would take long, as many side by side have it. */
export function mayOverlap(parts: readonly MappedPart[]): boolean {
  let left = COMPARISONS * parts.length;
  const ordered = parts.slice().sort((a, b) => (a.box.start[0] ?? 0) - (b.box.start[0] ?? 0));
  return ordered.some((part, i) => {
    for (let k = i + 1; k < ordered.length; k++) {
      const other = ordered[k]!;
      // Those after it begin no earlier.
      if (part.box.start.length > 0 && !meetAlong(part.box, other.box, 0)) return false;
      if (left-- === 0 || mayMeet(part, other)) return true;
    }
    return false;
  });
}

function mayMeet(a: MappedPart, b: MappedPart): boolean {
  if (!a.box.start.every((_, axis) => meetAlong(a.box, b.box, axis))) return false;
  return a.axes === undefined || b.axes === undefined || meetAxes(a.axes, b.axes) !== undefined;
}

function meetAlong(a: Box, b: Box, axis: number): boolean {
  const [start, other] = [a.start[axis]!, b.start[axis]!];
  return start < other + b.shape[axis]! && other < start + a.shape[axis]!;
}
