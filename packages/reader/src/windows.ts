import type { Projection, ProjectionAxis } from "@h5/selection";

/** Bytes a window may span: what one request brings and one buffer holds. */
export const WINDOW_BYTES = 4194304;
/** Bytes between two wanted runs that are rather read than skipped: less than a request costs. */
export const GAP_BYTES = 65536;

/** A stretch of stored bytes, and how what is wanted of it lands in the result. */
export interface Window {
  /** First byte, from where the projection's source begins. */
  readonly start: number;
  readonly end: number;
  /** Seen from `start`. */
  readonly projection: Projection;
}

/**
 * Cuts a projection over unfiltered bytes into windows of at most {@link WINDOW_BYTES}, in order, leaving out holes of
 * more than {@link GAP_BYTES}. Lazy, since a strided selection may have millions.
 */
export function* windowsOf(projection: Projection, elementSize: number): Generator<Window> {
  const { axes, sourceOffset } = projection;
  const [first, ...inner] = axes;
  if (first === undefined) yield* cutRun(projection, elementSize);
  else if (isDense(axes, projection.length, elementSize)) {
    const extent = extentOf(inner, projection.length);
    const perWindow = Math.floor((WINDOW_BYTES / elementSize - extent) / first.sourceStride) + 1;
    for (let done = 0; done < first.count; done += perWindow) {
      const count = Math.min(perWindow, first.count - done);
      const start = sourceOffset + done * first.sourceStride;
      yield {
        start: start * elementSize,
        end: (start + (count - 1) * first.sourceStride + extent) * elementSize,
        projection: {
          length: projection.length,
          sourceOffset: 0,
          targetOffset: projection.targetOffset + done * first.targetStride,
          axes: [{ ...first, count }, ...inner],
        },
      };
    }
  } else {
    for (let i = 0; i < first.count; i++) {
      yield* windowsOf(
        {
          length: projection.length,
          sourceOffset: sourceOffset + i * first.sourceStride,
          targetOffset: projection.targetOffset + i * first.targetStride,
          axes: inner,
        },
        elementSize,
      );
    }
  }
}

function* cutRun({ length, sourceOffset, targetOffset }: Projection, elementSize: number): Generator<Window> {
  const perWindow = Math.max(1, Math.floor(WINDOW_BYTES / elementSize));
  for (let done = 0; done < length; done += perWindow) {
    const count = Math.min(perWindow, length - done);
    const start = (sourceOffset + done) * elementSize;
    yield {
      start,
      end: start + count * elementSize,
      projection: { length: count, sourceOffset: 0, targetOffset: targetOffset + done, axes: [] },
    };
  }
}

/** Whether holes are small on every level and one repetition of the outermost fits a window. */
function isDense(axes: readonly ProjectionAxis[], length: number, elementSize: number): boolean {
  if (extentOf(axes.slice(1), length) * elementSize > WINDOW_BYTES) return false;
  return axes.every(({ sourceStride }, i) => {
    const hole = sourceStride - extentOf(axes.slice(i + 1), length);
    return hole * elementSize <= GAP_BYTES;
  });
}

/** Elements from the first to the last wanted one. */
function extentOf(axes: readonly ProjectionAxis[], length: number): number {
  return axes.reduce((extent, { count, sourceStride }) => extent + (count - 1) * sourceStride, length);
}

/** Elements a projection places. */
export function projectedCount({ axes, length }: Projection): number {
  return axes.reduce((product, { count }) => product * count, length);
}
