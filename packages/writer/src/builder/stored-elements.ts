import { type Datatype, encodeDatatype, type Reference, type StoredValues, transferValues } from "@h5/datatypes";
import { compareBytes, InvalidArgumentError } from "@h5/framing";
import { decodeSelection, encodeSelection } from "@h5/selection";
import type { HeapPair } from "../data/heap-pair.ts";
import type { FileModel } from "../model/file.ts";
import { widelyRead } from "../values/selection-form.ts";

/** Elements of another file, to be written byte for byte but for the addresses in them. */
export interface StoredElements {
  readonly kind: "stored";
  readonly values: StoredValues;
  /**
   * The path in this file of what a reference leads to; null where it is to lead nowhere. References to other files are not
   * asked for: they stay what they are.
   */
  pathOf(reference: Reference): string | null;
  /** @internal Carried along, so that programs without stored elements are without this too. */
  readonly transfer: typeof transferElements;
}

/**
 * Data as another file stores it, for a dataset, an attribute, a fill value or a block of a stream: no value is decoded, so
 * that padding, the payload of NaNs and text that is no UTF-8 stay. Shape and dtype are said beside it as for other data.
 *
 * @param pathOf - the path in this file of what a reference leads to; by default references lead nowhere
 */
export function storedElements(
  values: StoredValues,
  pathOf: (reference: Reference) => string | null = () => null,
): StoredElements {
  return { kind: "stored", values, pathOf, transfer: transferElements };
}

/** Whether data is as another file stores it. */
export function isStoredElements(data: unknown): data is StoredElements {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === "stored" && "transfer" in data;
}

function widelyReadBytes(selection: Uint8Array): Uint8Array<ArrayBuffer> {
  return encodeSelection(widelyRead(decodeSelection(selection).selection), { low: "v110" });
}

/**
 * The elements as this file stores them, with placeholders for addresses.
 *
 * @param datatype - of the elements in this file
 * @param own - their own type, as this file has it
 * @throws InvalidArgumentError for elements of another type, and what reading their parts throws
 */
function transferElements(
  model: FileModel,
  { values, pathOf }: StoredElements,
  datatype: Datatype,
  own: Datatype,
  heaps: HeapPair,
): Uint8Array<ArrayBuffer> {
  if (own !== datatype && compareBytes(encodeDatatype(own), encodeDatatype(datatype)) !== 0) {
    throw new InvalidArgumentError("stored elements are of another type than the dataset or attribute");
  }
  const reference = (found: Reference): Reference | null => {
    if (found.file !== undefined) return found;
    const path = pathOf(found);
    if (path === null) return null;
    const moved = { ...found, from: undefined, address: model.targets.numberOf(path) };
    return moved.kind === "region" ? { ...moved, selection: widelyReadBytes(moved.selection) } : moved;
  };
  return transferValues(values, { store: heaps.store, reference });
}
