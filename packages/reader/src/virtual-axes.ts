import type { Axis, Projection, ProjectionAxis } from "@h5/selection";
import { rowMajorStride } from "./nd-array.ts";

/** Positions that two choices along one dimension share, evenly spaced in both. */
export interface Meeting {
  /** Of the first one shared, and from one to the next, as indices into the mapping's choice. */
  readonly mapped: number;
  readonly mappedStep: number;
  /** Likewise into the requested choice. */
  readonly requested: number;
  readonly requestedStep: number;
  readonly count: number;
}

/** What of the requested elements a mapping gives, dimension by dimension; `undefined` for nothing. */
export function meetAxes(requested: readonly Axis[], mapped: readonly Axis[]): Meeting[] | undefined {
  const meetings = requested.map((axis, i) => meet(axis, mapped[i]!));
  return meetings.every((meeting) => meeting !== undefined) ? (meetings as Meeting[]) : undefined;
}

function meet(requested: Axis, mapped: Axis): Meeting | undefined {
  const divisor = greatestDivisor(requested.step, mapped.step);
  const [mappedStep, requestedStep] = [requested.step / divisor, mapped.step / divisor];
  const distance = requested.start - mapped.start;
  if (distance % divisor !== 0) return undefined;
  const first = Math.max(0, Math.ceil(distance / mapped.step));
  // Of so many neighbours of one choice as it skips of the other, one is in both: found by no search, which could be long.
  const [step, modulus] = [BigInt(requestedStep), BigInt(mappedStep)];
  const any = BigInt(distance / divisor) * inverse(step % modulus, modulus) - BigInt(first);
  const k = first + Number(((any % modulus) + modulus) % modulus);
  const index = (k * mapped.step - distance) / requested.step;
  const count = Math.min(
    Math.ceil((mapped.count - k) / mappedStep),
    Math.ceil((requested.count - index) / requestedStep),
  );
  return count > 0 ? { mapped: k, mappedStep, requested: index, requestedStep, count } : undefined;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** What a number that has no divisor in common with `modulus` is to be multiplied by for 1 to be left (Euclid's). */
function inverse(a: bigint, modulus: bigint): bigint {
  return modulus === 1n ? 0n : (1n - modulus * inverse(modulus % a, a)) / a;
}

/** A part of a source by its dimensions, and where its elements, packed row-major, go in the result. */
export interface AlignedPart {
  readonly axes: readonly Axis[];
  /** From the packed elements to the result. */
  readonly projection: Projection;
  readonly count: number;
}

/**
 * Meetings of a mapping as parts of its source of at most `most` elements, where the two selections are alike dimension by
 * dimension, but for those that are one long. `undefined` where they are not.
 */
export function alignAxes(
  meetings: readonly Meeting[],
  {
    mapped,
    source,
    requested,
  }: { readonly mapped: readonly Axis[]; readonly source: readonly Axis[]; readonly requested: readonly Axis[] },
  most: number,
): Iterable<AlignedPart> | undefined {
  const long = mapped.flatMap(({ count }, axis) => (count > 1 ? [axis] : []));
  const sourceLong = source.flatMap(({ count }, axis) => (count > 1 ? [axis] : []));
  if (long.length !== sourceLong.length) return undefined;
  if (long.some((axis, i) => mapped[axis]!.count !== source[sourceLong[i]!]!.count)) return undefined;
  const strides = rowMajorStride(requested.map(({ count }) => count));
  const axes = source.map(({ start }): Axis => ({ start, step: 1, count: 1 }));
  const targetStrides = source.map(() => 0);
  for (const [i, axis] of long.entries()) {
    const { mapped: first, mappedStep, requestedStep, count } = meetings[axis]!;
    const { start, step } = source[sourceLong[i]!]!;
    axes[sourceLong[i]!] = { start: start + first * step, step: mappedStep * step, count };
    targetStrides[sourceLong[i]!] = requestedStep * strides[axis]!;
  }
  const offset = meetings.reduce((sum, meeting, axis) => sum + meeting.requested * strides[axis]!, 0);
  return partsOf(axes, targetStrides, offset, most);
}

function* partsOf(
  axes: readonly Axis[],
  targetStrides: readonly number[],
  offset: number,
  most: number,
): Generator<AlignedPart> {
  const count = axes.reduce((product, axis) => product * axis.count, 1);
  const first = axes.findIndex((axis) => axis.count > 1);
  if (count <= most || first < 0) {
    yield { axes, projection: projectionOf(axes, targetStrides, offset), count };
    return;
  }
  const { start, step, count: length } = axes[first]!;
  const atOnce = Math.max(1, Math.floor(most / (count / length)));
  for (let done = 0; done < length; done += atOnce) {
    const own = { start: start + done * step, step, count: Math.min(atOnce, length - done) };
    const part = axes.map((axis, i) => (i === first ? own : axis));
    yield* partsOf(part, targetStrides, offset + done * targetStrides[first]!, most);
  }
}

/** From packed elements to strides in the result, runs as long as can be. */
function projectionOf(axes: readonly Axis[], targetStrides: readonly number[], targetOffset: number): Projection {
  const levels: ProjectionAxis[] = [];
  let run = 1;
  let packed = 1;
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const { count } = axes[axis]!;
    const targetStride = targetStrides[axis]!;
    if (count > 1 && levels.length === 0 && targetStride === run) run *= count;
    else if (count > 1) levels.unshift({ count, sourceStride: packed, targetStride });
    packed *= count;
  }
  return { length: run, sourceOffset: 0, targetOffset, axes: levels };
}
