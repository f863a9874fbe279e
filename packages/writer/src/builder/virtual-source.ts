import { InvalidArgumentError } from "@h5/framing";
import {
  elementCount,
  isUnlimited,
  type Selection,
  selectionCount,
  unlimitedOf,
  type VirtualMapping,
} from "@h5/selection";
import { checkText } from "../model/path.ts";
import { anyShape, type ElementChoice, selectionOf } from "./element-choice.ts";

/** A part of a virtual dataset, and where its elements are. */
export interface VirtualSource {
  /**
   * Name of the file, which readers look for next to the virtual dataset's; `"."` for that one. `%b` stands for the number
   * of a block along the unlimited axis of `target`, `%%` for `%`.
   */
  readonly file: string;
  /** Path of the source dataset; `%b` and `%%` as in `file`. */
  readonly dataset: string;
  /** Elements of the source dataset, in its order; default: all. */
  readonly source?: ElementChoice | undefined;
  /** Shape of the source dataset; default: that of the dataset in this file, where it is there already. */
  readonly sourceShape?: readonly number[] | undefined;
  /** Elements of the virtual dataset that hold them, as many; default: all. */
  readonly target?: ElementChoice | undefined;
}

/** One side of a mapping. */
interface Side {
  readonly selection: Selection;
  /** Shape of its dataset, where that is known. */
  readonly shape: readonly number[] | undefined;
}

/**
 * Checks a source as libhdf5 does (H5Dvirtual.c, `H5D_virtual_check_mapping_pre`, `…_post` and `…_check_min_dims`).
 *
 * @param shape - of the virtual dataset
 * @param sourceShape - of the source dataset, where it is known
 * @throws InvalidArgumentError
 */
export function mappingOf(
  { file, dataset, source, target }: VirtualSource,
  shape: readonly number[],
  sourceShape: readonly number[] | undefined,
): VirtualMapping {
  const blocks = hasBlockNumber(file, "file name") || hasBlockNumber(dataset, "path");
  const from = sideOf("source", source, sourceShape);
  const to = sideOf("target", target, shape);
  checkSides(from, to, blocks);
  return { file, dataset, source: from.selection, virtual: to.selection };
}

/** Whether a name holds `%b` (H5Dvirtual.c, `H5D_virtual_parse_source_name`). */
function hasBlockNumber(name: string, what: string): boolean {
  checkText(name, what);
  if (name === "") throw new InvalidArgumentError(`an empty ${what}`);
  const codes: readonly string[] = name.match(/%./gs) ?? [];
  const unknown = name.replaceAll(/%[b%]/g, "").includes("%");
  if (unknown) throw new InvalidArgumentError(`${JSON.stringify(name)}: after % comes b, the number of a block, or %`);
  return codes.includes("%b");
}

function sideOf(name: string, choice: ElementChoice = { type: "all" }, shape: readonly number[] | undefined): Side {
  try {
    const selection = selectionOf(choice, shape);
    if (selection.type !== "points") return { selection, shape };
  } catch (cause) {
    throw new InvalidArgumentError(`${name}: ${(cause as Error).message}`, { cause });
  }
  throw new InvalidArgumentError(`${name}: a list of points, which virtual datasets cannot map`);
}

function checkSides(source: Side, target: Side, blocks: boolean): void {
  if (!isUnlimited(target.selection)) {
    if (isUnlimited(source.selection)) throw new InvalidArgumentError("an unlimited source of a limited target");
    if (blocks) throw new InvalidArgumentError("%b in a name counts blocks of an unlimited target, which this is not");
    checkCounts(countOf(source), countOf(target), "the target");
  } else if (isUnlimited(source.selection)) {
    if (blocks) throw new InvalidArgumentError("%b in a name needs a limited source, this one is unlimited");
    checkCounts(sliceOf(source), sliceOf(target), "the target, across its unlimited axis");
  } else {
    if (!blocks) throw new InvalidArgumentError("a limited source of an unlimited target needs %b in a name");
    checkCounts(countOf(source), sliceOf(target) * blockOf(target), "a block of the target");
  }
}

/** @param source - undefined where the shape of the source dataset is not known */
function checkCounts(source: number | undefined, target: number | undefined, what: string): void {
  if (source === undefined || source === target) return;
  throw new InvalidArgumentError(`${source} elements of the source for ${target} of ${what}`);
}

function countOf({ selection, shape }: Side): number | undefined {
  if (selection.type === "all") return shape && elementCount(shape);
  return selectionCount(selection, shape ?? anyShape(selection));
}

/** Elements at one position along the unlimited axis. */
function sliceOf({ selection }: Side): number {
  const { slab, axis } = unlimitedOf(selection)!;
  return slab.count.reduce((product, count, d) => (d === axis ? product : product * count * slab.block[d]!), 1);
}

/** Positions of a block along the unlimited axis. */
function blockOf({ selection }: Side): number {
  const { slab, axis } = unlimitedOf(selection)!;
  return slab.block[axis]!;
}
