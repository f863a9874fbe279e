import { UnsupportedFeatureError } from "@h5/framing";
import type { ReferenceDatatype } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import type { Reference } from "./references.ts";

/** The references for which there are numbers in the elements, `null` for 0. */
export function numberedReferences(
  { size }: ReferenceDatatype,
  { view, start, stride, count }: Elements,
  referenceOf: (number: number) => Reference,
): (Reference | null)[] {
  const values: (Reference | null)[] = [];
  for (let i = 0, at = start; i < count; i++, at += stride) {
    const number = size < 4 ? view.getUint16(at, true) : view.getUint32(at, true);
    values.push(number === 0 ? null : referenceOf(number));
  }
  return values;
}

/**
 * Puts a number in the place of each reference: what `numberOf` answers, above 0, and 0 for null.
 *
 * @throws UnsupportedFeatureError for a number that does not fit
 */
export function numberReferences(
  { size }: ReferenceDatatype,
  { bytes, view, start, stride }: Elements,
  references: readonly (Reference | null)[],
  numberOf: (reference: Reference) => number,
): void {
  for (const [i, reference] of references.entries()) {
    const at = start + i * stride;
    const number = reference === null ? 0 : numberOf(reference);
    bytes.fill(0, at, at + size);
    if (size >= 4) view.setUint32(at, number, true);
    else if (number < 65536) view.setUint16(at, number, true);
    else throw new UnsupportedFeatureError(`more than 65535 references of ${size} bytes from several files`);
  }
}
