import { type FileSpace, place, UnsupportedFeatureError } from "@h5/framing";
import type { SlotElement } from "./array-block.ts";
import { checkSlots, elementRun, putPages, sizeOfPages } from "./array-build.ts";
import type { ElementForm } from "./chunk-element.ts";
import {
  encodeFixedArrayBlock,
  encodeFixedArrayHeader,
  type FixedArrayHeader,
  fixedArrayPages,
  sizeOfFixedArrayBlock,
  sizeOfFixedArrayHeader,
} from "./fixed-array.ts";

const STRUCTURE = "fixed array";
/** The largest data block that is built; libhdf5 would leave a hole of any size in the file. */
const MAX_BLOCK = 2147483647;

/** What a fixed array is to be. */
export interface FixedArrayOptions {
  readonly form: ElementForm;
  /** Slots: the chunks of the maximum shape. */
  readonly count: number;
  /** Log2 of the elements in a page; 10. */
  readonly pageBits?: number | undefined;
}

/**
 * Writes a fixed array and gives the address of its header (spec VII.C). With no element set it has no data block yet;
 * pages with no element set are left uninitialised.
 *
 * @param elements - the chunks there are, in ascending slots
 * @throws InvalidArgumentError for slots out of order or beyond the array; UnsupportedFeatureError for an array of more
 *   than 2 GiB
 */
export function buildFixedArray(
  space: FileSpace,
  { form, count, pageBits = 10 }: FixedArrayOptions,
  elements: readonly SlotElement[],
): number {
  checkSlots(elements, count, STRUCTURE);
  const address = space.allocate(sizeOfFixedArrayHeader(space));
  const shape = { clientId: form.clientId, elementSize: form.size, pageBits, count, blockAddress: undefined };
  const blockAddress =
    elements.length === 0 ? undefined : place(space, encodeBlock(space, shape, address, form, elements));
  space.put(address, encodeFixedArrayHeader({ ...shape, blockAddress }, space));
  return address;
}

function encodeBlock(
  space: FileSpace,
  header: FixedArrayHeader,
  headerAddress: number,
  form: ElementForm,
  elements: readonly SlotElement[],
): Uint8Array<ArrayBuffer> {
  const slots = { from: 0, count: header.count, pageBits: header.pageBits };
  const paged = fixedArrayPages(header) > 0;
  const size = sizeOfFixedArrayBlock(header, space) + (paged ? sizeOfPages(slots, form) : 0);
  if (size > MAX_BLOCK) {
    const message = `${header.count} chunks in the maximum shape, an index of ${size} bytes, more than ${MAX_BLOCK}`;
    throw new UnsupportedFeatureError(message, { structure: STRUCTURE });
  }
  if (!paged) {
    const run = elementRun(elements, 0, header.count);
    return encodeFixedArrayBlock({ headerAddress, elements: run }, header, form, space);
  }
  const block = new Uint8Array(size);
  const pages = putPages(block, elements, slots, form, space);
  block.set(encodeFixedArrayBlock({ headerAddress, pages }, header, form, space));
  return block;
}
