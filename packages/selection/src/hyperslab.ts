import type { HyperslabBlock, RegularHyperslab } from "./selection.ts";

/** Index of the last element in a dimension; Infinity where that is unlimited. Nothing is empty. */
export function lastOf(slab: RegularHyperslab, axis: number): number {
  return slab.start[axis]! + (slab.count[axis]! - 1) * slab.stride[axis]! + slab.block[axis]! - 1;
}

/** Number of blocks; Infinity where the count of a dimension is unlimited. */
export function blockCountOf(slab: RegularHyperslab): number {
  return slab.count.includes(0) ? 0 : slab.count.reduce((product, count) => product * count, 1);
}

/**
 * The same elements as libhdf5 keeps them (H5Shyper.c, `H5S_select_hyperslab`): blocks that touch become one, and the
 * stride of a single block is 1.
 */
export function optimizeRegular(slab: RegularHyperslab): RegularHyperslab {
  const touches = (axis: number): boolean => slab.stride[axis] === slab.block[axis] && slab.count[axis] !== Infinity;
  return {
    ...slab,
    stride: slab.stride.map((stride, axis) => (touches(axis) || slab.count[axis] === 1 ? 1 : stride)),
    count: slab.count.map((count, axis) => (touches(axis) && count > 0 ? 1 : count)),
    block: slab.block.map((block, axis) =>
      touches(axis) && slab.count[axis]! > 0 ? block * slab.count[axis]! : block,
    ),
  };
}

/** The blocks of a regular hyperslab without end nowhere, in row-major order. */
export function blocksOfRegular(slab: RegularHyperslab): HyperslabBlock[] {
  const { stride, count, block } = slab;
  const total = blockCountOf(slab);
  const blocks: HyperslabBlock[] = [];
  const start = slab.start.slice();
  const index = slab.start.map(() => 0);
  for (let done = 0; done < total; done++) {
    blocks.push({ start: start.slice(), end: start.map((x, axis) => x + block[axis]! - 1) });
    for (let axis = start.length - 1; axis >= 0; axis--) {
      if (++index[axis]! < count[axis]!) {
        start[axis]! += stride[axis]!;
        break;
      }
      index[axis] = 0;
      start[axis] = slab.start[axis]!;
    }
  }
  return blocks;
}
