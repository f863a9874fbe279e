import { InvalidArgumentError } from "@h5/framing";
import { MAX_RANK } from "./dataspace.ts";
import { type Hyperslab, isRegular, rankOf, type Selection } from "./selection.ts";

/**
 * Checks a selection made by hand: members agree on a rank of 1 to 32, numbers are whole and at most 2^53−1, blocks of
 * a regular hyperslab do not overlap, at most one dimension is unlimited. What `decodeSelection` gives always passes.
 *
 * @throws InvalidArgumentError
 */
export function checkSelection(selection: Selection): void {
  const fault = memberFault(selection) ?? (selection.type === "hyperslab" ? hyperslabFault(selection) : undefined);
  if (fault) throw new InvalidArgumentError(fault, { structure: "selection" });
}

/** The vectors a selection is made of: of the rank's length, except that a regular one has a row for each dimension. */
export function rowsOf(selection: Selection): readonly (readonly number[])[] {
  if (selection.type === "points") return selection.points;
  if (selection.type !== "hyperslab") return [];
  if (selection.form === "blocks") return selection.blocks.flatMap(({ start, end }) => [start, end]);
  const { start, stride, count, block } = selection;
  return start.map((first, axis) => [first, stride[axis]!, count[axis]!, block[axis]!]);
}

function memberFault(selection: Selection): string | undefined {
  // Plain JavaScript may pass anything.
  const { type, form = type } = selection as { type: string; form?: string };
  if (!["none", "all", "points", "regular", "blocks"].includes(form)) return `unknown type or form ${form}`;
  const rank = rankOf(selection);
  if (rank === undefined) return undefined;
  if (!(rank > 0 && rank <= MAX_RANK)) return `expected a rank of 1 to ${MAX_RANK}, got ${rank}`;
  const regular = isRegular(selection);
  const lists = regular ? [selection.start, selection.stride, selection.count, selection.block] : rowsOf(selection);
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!;
    if (list.length !== rank) return `expected ${rank} members, got ${list.length}`;
    for (let axis = 0; axis < rank; axis++) {
      const x = list[axis]!;
      if ((Number.isSafeInteger(x) && x >= 0) || (regular && i > 1 && x === Infinity)) continue;
      return `expected a whole number up to 2^53-1, got ${x}`;
    }
  }
  return undefined;
}

/** What makes no sense in a hyperslab of sound numbers. */
export function hyperslabFault(slab: Hyperslab): string | undefined {
  if (slab.form === "blocks") {
    const bad = slab.blocks.find(({ start, end }) => start.some((x, axis) => x > end[axis]!));
    return bad && `block [${bad.start}] to [${bad.end}] ends before it starts`;
  }
  let unlimited = 0;
  for (const [first, step, times, size] of rowsOf(slab) as [number, number, number, number][]) {
    if (times > 1 && !(step > 0 && size <= step)) return `blocks of ${size} overlap with stride ${step}`;
    if (times === Infinity || size === Infinity) unlimited += times === size ? 2 : 1;
    else if (!Number.isSafeInteger(first + step * (times - 1) + size)) return "ends above 2^53-1";
  }
  return unlimited > 1 ? "more than one count or block is unlimited" : undefined;
}
