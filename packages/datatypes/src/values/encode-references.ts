import { ByteWriter, encodeText } from "@h5/framing";
import type { ReferenceDatatype } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { misfit } from "./encode-numbers.ts";
import { storeBytes, writeAddress, writeHeapId } from "./heap-id.ts";
import type { EncodeValuesOptions, HeapId } from "./options.ts";
import { type Reference, referenceWidth, STANDARD_HEAD } from "./references.ts";

/** Writes references; `null` is written as zeros. Forms: see `decodeReferences`. */
export function encodeReferences(
  t: ReferenceDatatype,
  values: ArrayLike<unknown>,
  e: Elements,
  options: EncodeValuesOptions,
): void {
  const width = referenceWidth(t, options.offsetSize);
  const old = t.kind === "object" || t.kind === "region";
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const value = referenceOf(values[i], options);
    if (value === null) continue;
    if (value === undefined || (old && (value.kind !== t.kind || value.file !== undefined))) {
      throw misfit(values[i], i, t);
    }
    if (t.kind === "object") writeAddress(e.view, at, width, value.address);
    else if (t.kind === "region") writeHeapId(e.view, at, width, storeRegion(value, width, options));
    else writeStandard(e, at, width, value, options);
  }
}

function referenceOf(value: unknown, options: EncodeValuesOptions): Reference | null | undefined {
  if (value === null) return value;
  if (options.reference !== undefined) return options.reference(value);
  // What counts from another file would lead to something else in this one.
  return isReference(value) && value.from === undefined ? value : undefined;
}

function isReference(value: unknown): value is Reference {
  return value !== null && typeof value === "object" && "kind" in value && "address" in value;
}

function storeRegion(value: Reference, width: number, options: EncodeValuesOptions): HeapId {
  return storeBytes(oldRegion(value, width), { base: undefined, reference: "region" }, options);
}

function oldRegion(value: Reference, width: number): Uint8Array<ArrayBuffer> {
  const selection = value.kind === "region" ? value.selection : new Uint8Array(0);
  const writer = new ByteWriter(width + selection.length, "region reference");
  writer.uint(value.address, width);
  writer.put(selection);
  return writer.finish();
}

function writeStandard(e: Elements, at: number, width: number, value: Reference, options: EncodeValuesOptions): void {
  const blob = standardTarget(value, width);
  e.view.setUint8(at, value.kind === "object" ? 2 : value.kind === "region" ? 3 : 4);
  e.view.setUint8(at + 1, value.file === undefined ? 0 : 1);
  if (value.kind === "object" && value.file === undefined) {
    e.bytes.set(blob, at + 2);
    return;
  }
  const reference = value.file === undefined ? "standard" : undefined;
  e.view.setUint32(at + 2, blob.length, true);
  writeHeapId(e.view, at + STANDARD_HEAD, width, storeBytes(blob, { base: undefined, reference }, options));
}

function standardTarget(value: Reference, width: number): Uint8Array<ArrayBuffer> {
  const file = value.file === undefined ? undefined : encodeText(value.file);
  const name = value.kind === "attribute" ? encodeText(value.name) : undefined;
  const { selection, rank = 0 } = value.kind === "region" ? value : {};
  const texts = [file, name].reduce((sum, text) => sum + (text === undefined ? 0 : 2 + text.length), 0);
  const writer = new ByteWriter(1 + width + texts + (selection ? 8 + selection.length : 0), "reference");
  writer.u8(width);
  writer.uint(value.address, width);
  if (file !== undefined) putName(writer, file);
  if (name !== undefined) putName(writer, name);
  if (selection !== undefined) {
    writer.u32(selection.length);
    writer.u32(rank);
    writer.put(selection);
  }
  return writer.finish();
}

function putName(writer: ByteWriter, text: Uint8Array): void {
  writer.u16(text.length);
  writer.put(text);
}
