import type { HyperslabBlock } from "./selection.ts";
import { type LooseSpan, type Spans, spansFrom } from "./spans.ts";

/** What a union keeps while it works: equal lists of spans are one object, so that equal means identical. */
interface Union {
  readonly blocks: readonly HyperslabBlock[];
  readonly spend: (steps: number) => void;
  readonly interned: Map<string, Spans>;
  readonly ids: Map<Spans, number>;
  /** Results by dimension and blocks. */
  readonly known: Map<string, Spans>;
}

/**
 * The union of blocks that may overlap. `spend` is told of every step, and may throw to end it: blocks that overlap in
 * every dimension cost the product of their numbers.
 */
export function unionOf(blocks: readonly HyperslabBlock[], spend: (steps: number) => void): Spans {
  const union: Union = { blocks, spend, interned: new Map(), ids: new Map(), known: new Map() };
  return unite(
    union,
    blocks.map((_, index) => index),
    0,
  );
}

/** Sweeps along dimension `axis` over the blocks of the given indices. */
function unite(union: Union, indices: readonly number[], axis: number): Spans {
  const last = axis + 1 === union.blocks[0]!.start.length;
  const list: LooseSpan[] = [];
  sweep(union, indices, axis, (start, end, active) => {
    const down = last ? undefined : uniteOnce(union, active, axis + 1);
    const previous = list[list.length - 1];
    // Neighbours of the same choice below are one span.
    if (previous && previous.down === down && previous.start + previous.block === start) {
      list[list.length - 1] = { ...previous, block: end - previous.start };
    } else list.push({ start, stride: 1, count: 1, block: end - start, down });
  });
  return intern(union, list);
}

function uniteOnce(union: Union, indices: readonly number[], axis: number): Spans {
  const key = `${axis}:${indices.join()}`;
  const known = union.known.get(key);
  if (known) return known;
  const spans = unite(union, indices, axis);
  union.known.set(key, spans);
  return spans;
}

function intern(union: Union, list: readonly LooseSpan[]): Spans {
  const key = list.map(({ start, block, down }) => `${start}+${block}/${down ? union.ids.get(down) : ""}`).join();
  const known = union.interned.get(key);
  if (known) return known;
  const spans = spansFrom(list);
  union.interned.set(key, spans);
  union.ids.set(spans, union.ids.size);
  return spans;
}

/** Visits the stretches along `axis` between which no block begins or ends, each with the blocks that hold it. */
function sweep(
  { blocks, spend }: Union,
  indices: readonly number[],
  axis: number,
  visit: (start: number, end: number, active: readonly number[]) => void,
): void {
  const last = axis + 1 === blocks[0]!.start.length;
  const order = indices.slice().sort((a, b) => blocks[a]!.start[axis]! - blocks[b]!.start[axis]!);
  spend(order.length);
  let active: number[] = [];
  let next = 0;
  let at = 0;
  while (next < order.length || active.length > 0) {
    if (active.length === 0) at = blocks[order[next]!]!.start[axis]!;
    for (; next < order.length && blocks[order[next]!]!.start[axis]! <= at; next++) active.push(order[next]!);
    // In the last dimension who holds a stretch does not matter: one that ends before another is of no use.
    if (last) active = [furthest(blocks, active, axis)];
    let end = next < order.length ? blocks[order[next]!]!.start[axis]! : Infinity;
    for (const index of active) end = Math.min(end, blocks[index]!.end[axis]! + 1);
    spend(active.length);
    visit(
      at,
      end,
      active.sort((a, b) => a - b),
    );
    active = active.filter((index) => blocks[index]!.end[axis]! >= end);
    at = end;
  }
}

function furthest(blocks: readonly HyperslabBlock[], indices: readonly number[], axis: number): number {
  return indices.reduce((best, index) => (blocks[index]!.end[axis]! > blocks[best]!.end[axis]! ? index : best));
}
