import { InvalidArgumentError } from "@h5/framing";
import { type Axis, checkExtent, rankOf, resolveSelection, type Sel, type Selection } from "@h5/selection";

/**
 * Elements of a dataset: a {@link Selection}, or a number, a slice or `null` for each axis, as datasets are read by. A
 * slice that stops at `Infinity` is unlimited.
 */
export type ElementChoice = Selection | readonly Sel[];

/**
 * The selection a choice stands for.
 *
 * @param shape - of the dataset; undefined where it is not known
 * @throws InvalidArgumentError for a selection that makes no sense or is not within the shape, and for slices without one
 */
export function selectionOf(choice: ElementChoice, shape: readonly number[] | undefined): Selection {
  const selection = isSlices(choice) ? selectionOfSlices(choice, shape) : choice;
  checkExtent(selection, shape ?? anyShape(selection));
  return selection;
}

/** A shape that every selection of the same rank is within. */
export function anyShape(selection: Selection): number[] {
  return new Array<number>(rankOf(selection) ?? 0).fill(Number.MAX_SAFE_INTEGER);
}

function isSlices(choice: ElementChoice): choice is readonly Sel[] {
  return Array.isArray(choice);
}

function selectionOfSlices(slices: readonly Sel[], shape: readonly number[] | undefined): Selection {
  if (shape === undefined) throw new InvalidArgumentError("slices of a dataset whose shape is not known");
  const endless = slices.map(endlessAxis);
  const limited = slices.map((member, d) => (endless[d] === undefined ? member : null));
  const axes = resolveSelection(limited, shape).axes.map((axis, d) => endless[d] ?? axis);
  if (axes.length === 0) return { type: "all" };
  return {
    type: "hyperslab",
    form: "regular",
    start: axes.map(({ start }) => start),
    stride: axes.map(({ step }) => step),
    count: axes.map(({ count }) => count),
    block: axes.map(() => 1),
  };
}

function endlessAxis(member: Sel): Axis | undefined {
  if (typeof member !== "object" || member?.stop !== Infinity) return undefined;
  return { start: member.start ?? 0, step: member.step ?? 1, count: Infinity };
}
