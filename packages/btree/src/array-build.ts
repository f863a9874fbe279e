import { InvalidArgumentError, type Widths } from "@h5/framing";
import type { SlotElement } from "./array-block.ts";
import { type ChunkElement, type ElementForm, encodeElementPage, sizeOfElementPage } from "./chunk-element.ts";

/** Throws unless the elements stand in ascending slots below `end`. */
export function checkSlots(elements: readonly SlotElement[], end: number, structure: string): void {
  let before = -1;
  for (const { slot } of elements) {
    if (slot <= before) throw new InvalidArgumentError(`slot ${slot} comes after slot ${before}`, { structure });
    if (slot >= end) throw new InvalidArgumentError(`slot ${slot} in an array of ${end}`, { structure });
    before = slot;
  }
}

/** Whether an element of the slots `[from, from + count)` is set. */
export function isAnySet(elements: readonly SlotElement[], from: number, count: number): boolean {
  return firstAt(elements, from) < firstAt(elements, from + count);
}

/** The elements of the slots `[from, from + count)`; those not set have an undefined address. */
export function elementRun(elements: readonly SlotElement[], from: number, count: number): ChunkElement[] {
  let next = firstAt(elements, from);
  return Array.from({ length: count }, (_, i) =>
    elements[next]?.slot === from + i ? elements[next++]!.element : { address: undefined },
  );
}

/** Index of the first element whose slot is not before `slot`. */
function firstAt(elements: readonly SlotElement[], slot: number): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (elements[middle]!.slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The slots of a data block that is cut into pages. */
export interface PagedSlots {
  readonly from: number;
  readonly count: number;
  readonly pageBits: number;
}

/** Bytes of all pages of a data block, those that hold nothing too. */
export function sizeOfPages({ count, pageBits }: PagedSlots, form: ElementForm): number {
  return count * form.size + 4 * Math.ceil(count / 2 ** pageBits);
}

/**
 * Encodes the pages that have an element set to the end of `block`, and gives which of all pages those are. The others
 * stay as they are: libhdf5 makes a page with the first element set in it, and never looks at one it has not made.
 */
export function putPages(
  block: Uint8Array,
  elements: readonly SlotElement[],
  slots: PagedSlots,
  form: ElementForm,
  widths: Widths,
): boolean[] {
  const pageElements = 2 ** slots.pageBits;
  const start = block.length - sizeOfPages(slots, form);
  const stride = sizeOfElementPage(pageElements, form);
  return Array.from({ length: Math.ceil(slots.count / pageElements) }, (_, page) => {
    const first = slots.from + page * pageElements;
    const count = Math.min(pageElements, slots.from + slots.count - first);
    if (!isAnySet(elements, first, count)) return false;
    block.set(encodeElementPage(elementRun(elements, first, count), form, widths), start + page * stride);
    return true;
  });
}
