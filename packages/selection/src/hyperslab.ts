import type { HyperslabBlock, RegularHyperslab } from "./selection.ts";

/** Index of the last element in a dimension; Infinity where that is unlimited. Nothing is empty. */
export function lastOf(slab: RegularHyperslab, axis: number): number {
  return slab.start[axis]! + (slab.count[axis]! - 1) * slab.stride[axis]! + slab.block[axis]! - 1;
}

/** Number of blocks; Infinity where the count of a dimension is unlimited. Nothing is empty. */
export function blockCountOf({ count }: RegularHyperslab): number {
  return count.reduce((product, times) => product * times, 1);
}

/**
 * The same elements as libhdf5 keeps them (H5Shyper.c, `H5S_select_hyperslab`): blocks that touch become one, and the
 * stride of a single block is 1.
 */
export function optimizeRegular(slab: RegularHyperslab): RegularHyperslab {
  const { stride, count, block } = slab;
  const touches = (axis: number): boolean =>
    stride[axis] === block[axis] && count[axis]! > 0 && count[axis] !== Infinity;
  return {
    ...slab,
    stride: stride.map((step, axis) => (touches(axis) || count[axis] === 1 ? 1 : step)),
    count: count.map((times, axis) => (touches(axis) ? 1 : times)),
    block: block.map((size, axis) => (touches(axis) ? size * count[axis]! : size)),
  };
}

/** The blocks of a regular hyperslab without end nowhere, in row-major order. */
export function blocksOfRegular(slab: RegularHyperslab): HyperslabBlock[] {
  const { stride, count, block } = slab;
  const total = blockCountOf(slab);
  const blocks: HyperslabBlock[] = [];
  for (let index = 0; index < total; index++) {
    const start = slab.start.slice();
    let rest = index;
    for (let axis = start.length - 1; axis >= 0; axis--) {
      start[axis]! += (rest % count[axis]!) * stride[axis]!;
      rest = Math.floor(rest / count[axis]!);
    }
    blocks.push({ start, end: start.map((x, axis) => x + block[axis]! - 1) });
  }
  return blocks;
}
