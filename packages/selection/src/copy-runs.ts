import { InvalidArgumentError } from "@h5/framing";
import type { Projection } from "./chunk-grid.ts";

/** Receives a run: offsets in the source (a chunk) and the target (the dense result), and its length; in elements. */
export type RunVisitor = (source: number, target: number, length: number) => void;

/** Visits the contiguous runs of a projection in the order of the result, without allocating for any. */
export function forEachRun(projection: Projection, visit: RunVisitor): void {
  visitLevel(projection, 0, projection.sourceOffset, projection.targetOffset, visit);
}

function visitLevel(projection: Projection, level: number, source: number, target: number, visit: RunVisitor): void {
  const axis = projection.axes[level];
  if (axis === undefined) {
    visit(source, target, projection.length);
    return;
  }
  const last = level + 1 === projection.axes.length;
  for (let i = 0; i < axis.count; i++) {
    if (last) visit(source, target, projection.length);
    else visitLevel(projection, level + 1, source, target, visit);
    source += axis.sourceStride;
    target += axis.targetStride;
  }
}

/** Runs of at least this many bytes are copied by `set`: below, it costs more than a loop does. */
const LONG_RUN = 192;

/**
 * Copies a chunk's part of a selection from the chunk into the dense result, both in bytes of `elementSize`-byte
 * elements.
 *
 * @throws InvalidArgumentError where the chunk or the result is too short
 */
export function copyChunk(projection: Projection, source: Uint8Array, target: Uint8Array, elementSize: number): void {
  if (projection.length * elementSize >= LONG_RUN) {
    copyRuns((visit) => forEachRun(projection, visit), source, target, elementSize);
    return;
  }
  checkReach(projection, source, target, elementSize);
  const width = wordWidth(elementSize, source, target);
  const scale = elementSize / width;
  const from = wordsOf(source, width);
  const to = wordsOf(target, width);
  copyWords(projection, 0, from, projection.sourceOffset * scale, to, projection.targetOffset * scale, scale);
}

/** Copies runs, as a `ChunkPart` gives them, from a chunk into the selected elements; otherwise as {@link copyChunk}. */
export function copyRuns(
  forEach: (visit: RunVisitor) => void,
  source: Uint8Array,
  target: Uint8Array,
  elementSize: number,
): void {
  forEach((from, to, length) => {
    const start = from * elementSize;
    const put = to * elementSize;
    const bytes = length * elementSize;
    checkRoom("source", source, start + bytes);
    checkRoom("target", target, put + bytes);
    if (bytes >= LONG_RUN) target.set(source.subarray(start, start + bytes), put);
    else for (let i = 0; i < bytes; i++) target[put + i] = source[start + i]!;
  });
}

function checkReach(projection: Projection, source: Uint8Array, target: Uint8Array, elementSize: number): void {
  let sourceEnd = projection.sourceOffset + projection.length;
  let targetEnd = projection.targetOffset + projection.length;
  for (const { count, sourceStride, targetStride } of projection.axes) {
    sourceEnd += (count - 1) * sourceStride;
    targetEnd += (count - 1) * targetStride;
  }
  checkRoom("source", source, sourceEnd * elementSize);
  checkRoom("target", target, targetEnd * elementSize);
}

function checkRoom(name: string, { length }: Uint8Array, end: number): void {
  if (end > length) throw new InvalidArgumentError(`expected a ${name} of at least ${end} bytes, got ${length}`);
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** The widest word that divides the elements and is aligned in both arrays. */
function wordWidth(elementSize: number, source: Uint8Array, target: Uint8Array): number {
  const fits = (width: number): boolean =>
    elementSize % width === 0 && source.byteOffset % width === 0 && target.byteOffset % width === 0;
  return fits(4) ? 4 : fits(2) ? 2 : 1;
}

function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array, width: number): Words {
  if (width === 4) return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4));
  if (width === 2) return new Uint16Array(buffer, byteOffset, Math.floor(byteLength / 2));
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Copies `projection` from `level` on, in words, `scale` of them to an element. */
function copyWords(
  projection: Projection,
  level: number,
  source: Words,
  from: number,
  target: Words,
  to: number,
  scale: number,
): void {
  const { axes, length } = projection;
  const { count, sourceStride, targetStride } = axes[level] ?? { count: 1, sourceStride: 0, targetStride: 0 };
  if (level + 1 < axes.length) {
    for (let i = 0; i < count; i++) {
      copyWords(
        projection,
        level + 1,
        source,
        from + i * sourceStride * scale,
        target,
        to + i * targetStride * scale,
        scale,
      );
    }
    return;
  }
  const run = length * scale;
  for (let i = 0; i < count; i++) {
    const start = from + i * sourceStride * scale;
    const end = start + run;
    for (let at = start, put = to + i * targetStride * scale; at < end; at++, put++) target[put] = source[at]!;
  }
}

/**
 * Fills the elements of the result that a chunk would have given with one element's bytes (a fill value), for a chunk
 * that was never written. `value` is one element long.
 *
 * @throws InvalidArgumentError where the result is too short
 */
export function fillChunk(projection: Projection, value: Uint8Array, target: Uint8Array): void {
  fillRuns((visit) => forEachRun(projection, visit), value, target);
}

/** The same for runs, as a `ChunkPart` gives them. */
export function fillRuns(forEach: (visit: RunVisitor) => void, value: Uint8Array, target: Uint8Array): void {
  const size = value.length;
  const uniform = value.every((byte) => byte === value[0]);
  forEach((_, to, length) => {
    const start = to * size;
    const end = start + length * size;
    checkRoom("target", target, end);
    if (uniform) target.fill(value[0] ?? 0, start, end);
    else repeat(target, value, start, end);
  });
}

/** Writes `value` over and over into `target[start, end)`, doubling what is there. */
function repeat(target: Uint8Array, value: Uint8Array, start: number, end: number): void {
  target.set(value, start);
  for (let done = value.length; start + done < end; done *= 2) {
    target.copyWithin(start + done, start, Math.min(start + done, end - done));
  }
}
