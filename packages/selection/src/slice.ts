import { InvalidArgumentError } from "@h5/framing";

/** Elements `start, start + step, …` before `stop` along one dimension; `null` is the default of each. */
export interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** What to take along one dimension: one index (which drops the dimension), a range, or (`null`) everything. */
export type Sel = null | number | Slice;

/** The elements `start + i·step` for `0 ≤ i < count` along one dimension. */
export interface Axis {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** A selection of {@link Sel} members, resolved against a shape. */
export interface AxisSelection {
  /** One for each dimension of the source, all within its shape. */
  readonly axes: readonly Axis[];
  /** Shape of the dense result: the counts, without the dimensions an integer dropped. */
  readonly shape: number[];
}

/**
 * A range along one dimension, as in zarrita and Python: `slice(stop)`, `slice(start, stop)` or
 * `slice(start, stop, step)`. Negative positions count from the end, ends beyond the dimension are clipped to it.
 */
export function slice(stop: number | null): Slice;
export function slice(start: number | null, stop?: number | null, step?: number | null): Slice;
export function slice(start: number | null, stop?: number | null, step: number | null = null): Slice {
  return stop === undefined ? { start: null, stop: start, step } : { start, stop, step };
}

/**
 * Resolves a selection against the shape it reads from; `null` or `undefined` takes everything.
 *
 * @throws InvalidArgumentError unless there is one member for each dimension, positions are integers, integer members
 * are within the shape, and steps are at least 1
 */
export function resolveSelection(
  selection: readonly Sel[] | null | undefined,
  shape: readonly number[],
): AxisSelection {
  if (selection && selection.length !== shape.length) {
    throw new InvalidArgumentError(`expected a selection of ${shape.length} members, got ${selection.length}`);
  }
  const axes: Axis[] = [];
  const result: number[] = [];
  shape.forEach((size, dimension) => {
    const member = selection ? selection[dimension] : null;
    if (typeof member !== "number" && typeof member !== "object") {
      throw new InvalidArgumentError(
        `expected a number, null or a slice along dimension ${dimension}, got ${String(member)}`,
      );
    }
    const axis =
      typeof member === "number" ? resolveIndex(member, size, dimension) : resolveSlice(member, size, dimension);
    axes.push(axis);
    if (typeof member !== "number") result.push(axis.count);
  });
  return { axes, shape: result };
}

function resolveIndex(index: number, size: number, dimension: number): Axis {
  const start = checkInteger(index, dimension) < 0 ? index + size : index;
  if (start < 0 || start >= size) {
    throw new InvalidArgumentError(`index ${index} is outside dimension ${dimension} of size ${size}`);
  }
  return { start, step: 1, count: 1 };
}

function resolveSlice(member: Slice | null, size: number, dimension: number): Axis {
  // An array has none of them, and would take everything.
  if (member !== null && !("start" in member || "stop" in member)) {
    throw new InvalidArgumentError(`expected a slice along dimension ${dimension}, got ${JSON.stringify(member)}`);
  }
  const step = checkInteger(member?.step ?? 1, dimension);
  if (step < 1)
    throw new InvalidArgumentError(`expected a step of at least 1 along dimension ${dimension}, got ${step}`);
  const start = clamp(member?.start ?? 0, size, dimension);
  const stop = clamp(member?.stop ?? size, size, dimension);
  return { start, step, count: Math.max(0, Math.ceil((stop - start) / step)) };
}

function clamp(position: number, size: number, dimension: number): number {
  const fromStart = checkInteger(position, dimension) < 0 ? position + size : position;
  return Math.min(Math.max(fromStart, 0), size);
}

function checkInteger(value: number, dimension: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError(`expected an integer along dimension ${dimension}, got ${String(value)}`);
}
