import type { Selection } from "@h5/selection";

/**
 * A selection in a form that HDF5 1.10 reads: regular hyperslabs as its version 2, all others as the encoder chooses. What
 * is selected, and in which order and blocks, stays the same.
 */
export function widelyRead(selection: Selection): Selection {
  if (selection.type !== "hyperslab" && selection.type !== "points") return selection;
  const { version, encodedSize: _, ...plain } = selection;
  if (plain.type === "hyperslab" && plain.form === "regular")
    return version === 3 ? { ...plain, version: 2 } : selection;
  return plain;
}
