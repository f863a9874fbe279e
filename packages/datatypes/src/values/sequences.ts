import type { VlenDatatype, VlenSequenceDatatype, VlenStringDatatype } from "../datatype.ts";
import { type Elements, packedElements } from "./elements.ts";
import { addressWidth, heapBytes, readHeapId } from "./heap-id.ts";
import type { DecodeValuesOptions } from "./options.ts";
import { storedBase, withRoom } from "./references.ts";
import { TextColumn } from "./text-column.ts";

/** Bytes of a variable-length element besides the address: u32 count before it, u32 index after it. */
export const VLEN_OTHERS = 8;

/** Bytes of the address in a variable-length element (count, address, index: H5Tvlen.c). */
export function vlenAddressWidth(t: VlenDatatype, offsetSize?: number): number {
  return addressWidth("variable-length element", t.size, VLEN_OTHERS, offsetSize);
}

/** Sequences, each decoded as values of the base; a nil one is empty. */
export function decodeSequences<T>(
  t: VlenSequenceDatatype,
  e: Elements,
  options: DecodeValuesOptions,
  decode: (t: VlenSequenceDatatype["base"], e: Elements, options: DecodeValuesOptions) => T,
): T[] {
  const width = vlenAddressWidth(t, options.offsetSize);
  const base = storedBase(t.base, width);
  const empty = new Uint8Array(0);
  const values: T[] = [];
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const id = readHeapId(e, at + 4, width);
    const count = id === undefined ? 0 : e.view.getUint32(at, true);
    const payload = id === undefined || count === 0 ? empty : heapBytes(id, options, count * base.size);
    const stored = withRoom(base, payload.length / count);
    const elements = { ...packedElements(payload, stored.size, count), foldAddress: options.foldAddress };
    values.push(decode(stored, elements, options));
  }
  return values;
}

/** Strings of variable length, which end at their first NUL; a nil one is empty. */
export function decodeVlenStrings(t: VlenStringDatatype, e: Elements, options: DecodeValuesOptions): string[] {
  const width = vlenAddressWidth(t, options.offsetSize);
  const column = new TextColumn(e.count);
  const empty = new Uint8Array(0);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const id = readHeapId(e, at + 4, width);
    const length = id === undefined ? 0 : e.view.getUint32(at, true) * t.base.size;
    const payload = id === undefined || length === 0 ? empty : heapBytes(id, options, length);
    column.add(payload, 0, firstNul(payload, length));
  }
  return column.finish();
}

function firstNul(bytes: Uint8Array, length: number): number {
  for (let k = 0; k < length; k++) if (bytes[k] === 0) return k;
  return length;
}
