/**
 * `count` blocks of `block` elements of one dimension, `stride` apart from `start` on; at each of those positions the
 * same choice `down` of the dimensions below.
 */
export interface Span {
  readonly start: number;
  readonly stride: number;
  readonly count: number;
  readonly block: number;
  /** `undefined` in the last dimension. */
  readonly down: Spans | undefined;
  /** Elements of the spans before this one in the same list. */
  readonly before: number;
}

/**
 * A choice of elements of the dimensions from one on: disjoint spans in ascending order, so that walking them visits
 * the elements in row-major order, each once. It is the span tree of H5Shyper.c with regular repetition kept closed.
 */
export interface Spans {
  readonly spans: readonly Span[];
  /** Elements chosen. */
  readonly size: number;
  /** Blocks they are made of; kept, since lists share what is below them and walking every path may never end. */
  readonly blocks: number;
}

/** A span before its place among others is known. */
export type LooseSpan = Omit<Span, "before">;

/** A list of disjoint, ascending spans; empty ones are left out. */
export function spansFrom(list: readonly LooseSpan[]): Spans {
  const spans: Span[] = [];
  let size = 0;
  let blocks = 0;
  for (const span of list) {
    const elements = span.count * span.block * (span.down?.size ?? 1);
    if (elements === 0) continue;
    spans.push({ ...span, before: size });
    size += elements;
    blocks += span.count * (span.down?.blocks ?? 1);
  }
  return { spans, size, blocks };
}

/** A {@link Span} without what lies below. */
export type Repetition = Pick<Span, "start" | "stride" | "count" | "block">;

/** The part of a repetition within `[low, high)`: a block cut at the start, the whole ones, a block cut at the end. */
export function clipRepetition(span: Repetition, low: number, high: number): Repetition[] {
  const { start, stride, count, block } = span;
  if (stride === block && count > 1)
    return clipRepetition({ start, stride: 1, count: 1, block: block * count }, low, high);
  // The blocks that reach into [low, high).
  const first = Math.max(0, Math.ceil((low - start - block + 1) / stride));
  const last = Math.min(count - 1, Math.floor((high - 1 - start) / stride));
  const parts: Repetition[] = [];
  const one = (k: number): void => {
    const from = Math.max(start + k * stride, low);
    const to = Math.min(start + k * stride + block, high);
    if (to > from) parts.push({ start: from, stride: 1, count: 1, block: to - from });
  };
  if (last < first) return parts;
  const cutFirst = start + first * stride < low || first === last;
  const cutLast = last > first && start + last * stride + block > high;
  if (cutFirst) one(first);
  const whole = last - first + 1 - (cutFirst ? 1 : 0) - (cutLast ? 1 : 0);
  if (whole === 1) one(first + (cutFirst ? 1 : 0));
  else if (whole > 1) parts.push({ start: start + (first + (cutFirst ? 1 : 0)) * stride, stride, count: whole, block });
  if (cutLast) one(last);
  return parts;
}
