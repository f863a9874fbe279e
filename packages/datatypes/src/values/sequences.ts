import type { VlenDatatype, VlenSequenceDatatype, VlenStringDatatype } from "../datatype.ts";
import { type Elements, packedElements } from "./elements.ts";
import { addressWidth, heapSpan, readHeapId } from "./heap-id.ts";
import { NumberRows, type Numbers } from "./number-rows.ts";
import type { DecodeValuesOptions } from "./options.ts";
import { storedBase, withRoom } from "./references.ts";
import { TextColumn } from "./text-column.ts";

/** Below this many rows a block for them costs more than it saves. */
const FEW = 32;

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
  const decodeRow = (bytes: Uint8Array, count: number): T => {
    const stored = withRoom(base, bytes.length / count);
    const elements = { foldAddress: options.foldAddress, ...packedElements(bytes, stored.size, count) };
    return decode(stored, elements, options);
  };
  const empty = { bytes: new Uint8Array(0), start: 0, end: 0 };
  const values: T[] = [];
  const numbers =
    e.count >= FEW && ArrayBuffer.isView(decodeRow(empty.bytes, 0))
      ? new NumberRows(base.size, decodeRow as (bytes: Uint8Array, count: number) => T & Numbers)
      : undefined;
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const id = readHeapId(e, at + 4, width);
    const count = id === undefined ? 0 : e.view.getUint32(at, true);
    const span = id === undefined || count === 0 ? empty : heapSpan(id, options, count * base.size);
    if (numbers === undefined) values.push(decodeRow(span.bytes.subarray(span.start, span.end), count));
    else numbers.add(span, count);
  }
  return numbers === undefined ? values : (numbers.finish() as (T & Numbers)[]);
}

/** Strings of variable length, which end at their first NUL; a nil one is empty. */
export function decodeVlenStrings(t: VlenStringDatatype, e: Elements, options: DecodeValuesOptions): string[] {
  const width = vlenAddressWidth(t, options.offsetSize);
  const column = new TextColumn(e.count);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const id = readHeapId(e, at + 4, width);
    const length = id === undefined ? 0 : e.view.getUint32(at, true) * t.base.size;
    if (id === undefined || length === 0) column.add(e.bytes, 0, 0);
    else {
      const { bytes, start } = heapSpan(id, options, length);
      column.add(bytes, start, firstNul(bytes, start, start + length));
    }
  }
  return column.finish();
}

function firstNul(bytes: Uint8Array, start: number, end: number): number {
  for (let k = start; k < end; k++) if (bytes[k] === 0) return k;
  return end;
}
