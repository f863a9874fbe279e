import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "./dataspace.ts";
import type { Axis, AxisSelection } from "./slice.ts";

/** Half-open box of chunk coordinates, in units of chunks. */
export interface ChunkBox {
  readonly start: number[];
  readonly end: number[];
}

/**
 * The chunks that hold a selection's first to last element along each dimension; an empty selection gives an empty box
 * (`start` equal to `end` along some dimension). With steps above the chunk shape, some chunks of the box may hold none
 * of the selection: {@link projectChunk} tells.
 */
export function chunkBoxOf(selection: AxisSelection, chunkShape: readonly number[]): ChunkBox {
  checkChunkShape(selection.axes.length, chunkShape);
  const start: number[] = [];
  const end: number[] = [];
  selection.axes.forEach((axis, dimension) => {
    const size = chunkShape[dimension]!;
    const first = Math.floor(axis.start / size);
    start.push(first);
    end.push(axis.count === 0 ? first : Math.floor((axis.start + (axis.count - 1) * axis.step) / size) + 1);
  });
  return { start, end };
}

/** Throws unless `chunkShape` has `rank` positive integer members, and so few elements that offsets are exact. */
export function checkChunkShape(rank: number, chunkShape: readonly number[]): void {
  if (chunkShape.length !== rank || !chunkShape.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw new InvalidArgumentError(
      `expected a chunk shape of ${rank} positive members, got [${chunkShape.join(", ")}]`,
    );
  }
  elementCount(chunkShape);
}

/** A level of repetition of a {@link Projection}'s run, in elements. */
export interface ProjectionAxis {
  readonly count: number;
  readonly sourceStride: number;
  readonly targetStride: number;
}

/**
 * Where one chunk's part of a selection lies in the chunk and in the dense row-major result, in elements: a contiguous
 * run of `length` elements, repeated along `axes` (slowest first). The runs are as long as can be.
 */
export interface Projection {
  readonly length: number;
  readonly sourceOffset: number;
  readonly targetOffset: number;
  readonly axes: readonly ProjectionAxis[];
}

/**
 * Projects a selection onto the chunk at `coordinate` (in units of chunks). The chunk is dense and row-major in its
 * full `chunkShape`, also at the edges of the dataset; a contiguous dataset is one chunk of its own shape at zeros.
 *
 * @returns `undefined` where the chunk holds nothing of the selection
 * @throws InvalidArgumentError where `chunkShape` does not suit the selection, or either has over 2^53−1 elements
 */
export function projectChunk(
  selection: AxisSelection,
  coordinate: readonly number[],
  chunkShape: readonly number[],
): Projection | undefined {
  const { axes } = selection;
  checkChunkShape(axes.length, chunkShape);
  const outer: ProjectionAxis[] = [];
  let run: ProjectionAxis = { count: 1, sourceStride: 1, targetStride: 1 };
  let sourceOffset = 0;
  let targetOffset = 0;
  let sourceSize = 1;
  let targetSize = 1;
  for (let dimension = axes.length - 1; dimension >= 0; dimension--) {
    const axis = axes[dimension]!;
    const size = chunkShape[dimension]!;
    const origin = coordinate[dimension]! * size;
    const first = firstAt(axis, origin);
    const count = firstAt(axis, origin + size) - first;
    if (count <= 0) return undefined;
    sourceOffset += (axis.start + first * axis.step - origin) * sourceSize;
    targetOffset += first * targetSize;
    if (count > 1) {
      const level = { count, sourceStride: axis.step * sourceSize, targetStride: targetSize };
      if (!continues(level, run)) {
        outer.push(run);
        run = level;
      } else run = { ...run, count: run.count * count };
    }
    sourceSize *= size;
    targetSize *= axis.count;
  }
  if (targetSize > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError("the selection has over 2^53-1 elements");
  outer.push(run);
  return withRun(outer, sourceOffset, targetOffset);
}

/** Index of the first element of `axis` at or after `position`, at most its count. */
function firstAt(axis: Axis, position: number): number {
  return Math.min(axis.count, Math.max(0, Math.ceil((position - axis.start) / axis.step)));
}

/** Whether `outer` goes on where all of `inner` ends, in source and target. */
function continues(outer: ProjectionAxis, inner: ProjectionAxis): boolean {
  return (
    outer.sourceStride === inner.sourceStride * inner.count && outer.targetStride === inner.targetStride * inner.count
  );
}

/** `levels`, fastest first, of which the first is the run where it is contiguous on both sides. */
function withRun(levels: readonly ProjectionAxis[], sourceOffset: number, targetOffset: number): Projection {
  const fastest = levels[0]!;
  const contiguous = fastest.sourceStride === 1 && fastest.targetStride === 1;
  const axes = levels.slice(contiguous ? 1 : 0).reverse();
  return { length: contiguous ? fastest.count : 1, sourceOffset, targetOffset, axes };
}
