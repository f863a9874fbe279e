import { InvalidArgumentError, LimitExceededError } from "@h5/framing";
import { rowsOf } from "./check-selection.ts";
import { blockCountOf, blocksOfRegular, lastOf, optimizeRegular } from "./hyperslab.ts";
import { type Hyperslab, isRegular, type PointSelection } from "./selection.ts";

/** The oldest release that must read what is written, as in `H5Pset_libver_bounds`. */
export type LowBound = "earliest" | "v18" | "v110" | "v112" | "v114";

/** Options of `encodeSelection`. */
export interface EncodeSelectionOptions {
  /** Low bound that chooses version and size of selections made by hand; default `"earliest"`. */
  readonly low?: LowBound | undefined;
  /** The blocks a regular hyperslab may be spelled out as; default as in `defaultLimits`, 262,144. */
  readonly limits?: { readonly selectionBlocks: number } | undefined;
}

/** A selection as it is going to be written. */
export interface Wire {
  readonly selection: Hyperslab | PointSelection;
  readonly version: number;
  readonly encodedSize: number;
}

const UINT32_MAX = 4294967295;

/**
 * The wire form of a selection: its own, else the one libhdf5 chooses (H5Shyper.c and H5Spoint.c,
 * `…_get_version_enc_size`), in which version 1 spells a regular hyperslab out as blocks. `undefined` for an empty
 * regular one made by hand: libhdf5 turns it into none.
 */
export function chooseWire(
  selection: Hyperslab | PointSelection,
  { low, limits }: EncodeSelectionOptions,
): Wire | undefined {
  const modern = low === "v112" || low === "v114";
  const least = modern ? newestVersion(selection) : 1;
  if (selection.type === "points") return wireOf(selection, least, selection.points.length);
  if (selection.form === "blocks") return wireOf(selection, least, selection.blocks.length);
  if (selection.version) return wireOf(selection, selection.version, 1);
  const slab = optimizeRegular(selection);
  if (slab.count.includes(0) || slab.block.includes(0)) return undefined;
  const blocks = blockCountOf(slab);
  if (modern) return wireOf(slab, least, 1);
  const large = blocks > UINT32_MAX || slab.start.some((_, axis) => lastOf(slab, axis) > UINT32_MAX);
  if (large || (low === "v110" && blocks >= 4)) return wireOf(slab, 2, 1);
  const allowed = limits?.selectionBlocks ?? 262144;
  if (blocks > allowed) throw new LimitExceededError("selectionBlocks", allowed, blocks, { structure: "selection" });
  return wireOf({ type: "hyperslab", form: "blocks", blocks: blocksOfRegular(slab) }, 1, 1);
}

/** The version that stores its encoded size. */
export function newestVersion(selection: Wire["selection"]): number {
  return selection.type === "points" ? 2 : 3;
}

/**
 * Its own version, else `least`, or the newest where 32 bits do not hold the greatest number of a list; the narrowest
 * size that holds it and the number of members.
 */
function wireOf(selection: Wire["selection"], least: number, members: number): Wire {
  const regular = isRegular(selection);
  let greatest = members;
  for (const row of rowsOf(selection)) {
    for (let i = 0; i < row.length; i++) {
      // One more than a count or block must fit, so that no finite one is written as all ones.
      const x = row[i]! + (regular && i > 1 ? 1 : 0);
      if (x > greatest && x !== Infinity) greatest = x;
    }
  }
  const newest = newestVersion(selection);
  const version = selection.version ?? (greatest > UINT32_MAX && !regular ? newest : least);
  const narrowest = greatest > UINT32_MAX ? 8 : greatest > 65535 ? 4 : 2;
  const encodedSize = version === newest ? (selection.encodedSize ?? narrowest) : 4 * version;
  if (version > newest || (regular && version < 2) || ![2, 4, 8].includes(encodedSize)) {
    throw new InvalidArgumentError(`no version ${version} of ${encodedSize} bytes`, { structure: "selection" });
  }
  return { selection, version, encodedSize };
}
