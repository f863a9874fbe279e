import type { Limits } from "@h5/framing";
import {
  type Axis,
  type AxisSelection,
  type Box,
  type ChunkBox,
  chunkBoxOf,
  elementCount,
  forEachPointRun,
  forEachSpanRun,
  projectChunk,
  projectSelection,
  type RunVisitor,
  type Selection,
  selectionBounds,
  selectionCount,
  spansOf,
} from "@h5/selection";
import { type Part, projectedPart, runsPart } from "./part.ts";
import { WINDOW_BYTES } from "./windows.ts";

/** A stretch of storage, by its place in a grid, and what it gives. */
export interface GridPart {
  readonly coordinate: readonly number[];
  readonly part: Part;
}

/** What is to be read of a dataset, seen from its storage. */
export interface Selector {
  /** Elements to be read, and the shape they are given. */
  readonly count: number;
  readonly shape: readonly number[];
  /** The positions along each dimension, where they are chosen so and come out row-major. */
  readonly axes?: readonly Axis[] | undefined;
  /** The chunks that may hold some of them. */
  chunkBox(chunkShape: readonly number[]): ChunkBox;
  /** What the chunk at a coordinate gives; `undefined` for nothing. */
  chunkParts(chunkShape: readonly number[]): (coordinate: readonly number[]) => Part | undefined;
  /** What contiguous storage gives, in stretches of whole rows that begin at the element `offset`. */
  contiguousParts(elementSize: number): Iterable<{ readonly offset: number; readonly part: Part }>;
  /** What lies in a box, as runs from offsets in the box to positions among the selected elements. */
  runsIn(box: Box): (visit: RunVisitor) => void;
}

/** Selects by slices and indices along each dimension. */
export function axisSelector(selection: AxisSelection, datasetShape: readonly number[]): Selector {
  const partAt = (coordinate: readonly number[], gridShape: readonly number[]): Part | undefined => {
    const projection = projectChunk(selection, coordinate, gridShape);
    return projection && projectedPart(projection);
  };
  const count = elementCount(selection.axes.map(({ count }) => count));
  return {
    count,
    shape: selection.shape,
    axes: selection.axes,
    chunkBox: (chunkShape) => chunkBoxOf(selection, chunkShape),
    chunkParts: (chunkShape) => (coordinate) => partAt(coordinate, chunkShape),
    *contiguousParts() {
      if (count === 0) return;
      const origin = datasetShape.map(() => 0);
      const part = partAt(origin, datasetShape);
      if (part !== undefined) yield { offset: 0, part };
    },
    runsIn: runsOf(hyperslabOf(selection), datasetShape),
  };
}

/** The elements of slices and indices, which HDF5 visits in the same order. */
function hyperslabOf({ axes }: AxisSelection): Selection {
  if (axes.length === 0) return { type: "all" };
  return {
    type: "hyperslab",
    form: "regular",
    start: axes.map(({ start }) => start),
    stride: axes.map(({ step }) => step),
    count: axes.map(({ count }) => count),
    block: axes.map(() => 1),
  };
}

/** {@link Selector.runsIn} of a selection. */
function runsOf(
  selection: Selection,
  shape: readonly number[],
  options?: { readonly limits: Limits },
): Selector["runsIn"] {
  if (selection.type !== "points") {
    let spans: ReturnType<typeof spansOf> | undefined;
    return (box) => (visit) => {
      spans ??= spansOf(selection, shape, options);
      forEachSpanRun(spans, box, visit);
    };
  }
  const { points } = selection;
  return (box) => (visit) => {
    const inside = (point: readonly number[]): boolean =>
      point.every((at, axis) => at >= box.start[axis]! && at < box.start[axis]! + box.shape[axis]!);
    const indices = points.flatMap((point, index) => (inside(point) ? [index] : []));
    forEachPointRun(points, indices, box, visit);
  };
}

/** Selects as H5S does: points, hyperslabs, all or nothing. The elements come in HDF5's order, in one dimension. */
export function selectionSelector(
  selection: Selection,
  datasetShape: readonly number[],
  options: { readonly limits: Limits },
): Selector {
  const count = selectionCount(selection, datasetShape, options);
  const runsIn = runsOf(selection, datasetShape, options);
  const partsIn = (gridShape: readonly number[]): GridPart[] =>
    projectSelection(selection, datasetShape, gridShape, options).map(({ coordinate, forEachRun }) => ({
      coordinate,
      part: runsPart(forEachRun),
    }));
  return {
    count,
    shape: [count],
    chunkBox(chunkShape) {
      const bounds = selectionBounds(selection, datasetShape);
      const scaled = (corner: readonly number[], add: number): number[] =>
        corner.map((position, axis) => Math.floor(position / chunkShape[axis]!) + add);
      return bounds === undefined
        ? { start: datasetShape.map(() => 0), end: datasetShape.map(() => 0) }
        : { start: scaled(bounds.start, 0), end: scaled(bounds.end, 1) };
    },
    chunkParts(chunkShape) {
      // Hyperslabs chunk by chunk that there is: few bytes of one may touch more chunks than there is memory for.
      if (selection.type !== "points") {
        return (coordinate) => {
          const start = coordinate.map((position, axis) => position * chunkShape[axis]!);
          const part = runsPart(runsIn({ start, shape: chunkShape }));
          return part.count > 0 ? part : undefined;
        };
      }
      const parts = new Map(partsIn(chunkShape).map(({ coordinate, part }) => [coordinate.join(), part]));
      return (coordinate) => parts.get(coordinate.join());
    },
    *contiguousParts(elementSize) {
      const tile = tileOf(datasetShape, elementSize);
      for (const { coordinate, part } of partsIn(tile))
        yield { offset: offsetOf(coordinate, tile, datasetShape), part };
    },
    runsIn,
  };
}

/** The largest stretch of whole rows that fits a window: one long along some dimension and whole in those after it. */
export function tileOf(shape: readonly number[], elementSize: number): number[] {
  let room = Math.max(1, Math.floor(WINDOW_BYTES / elementSize));
  const tile = shape.map(() => 1);
  for (let axis = shape.length - 1; axis >= 0 && room > 1; axis--) {
    tile[axis] = Math.max(1, Math.min(shape[axis]!, room));
    room = tile[axis] === shape[axis] ? Math.floor(room / tile[axis]!) : 1;
  }
  return tile;
}

function offsetOf(coordinate: readonly number[], tile: readonly number[], shape: readonly number[]): number {
  return shape.reduce((offset, length, axis) => offset * length + coordinate[axis]! * tile[axis]!, 0);
}
