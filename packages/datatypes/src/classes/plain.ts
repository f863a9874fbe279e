import { type ByteReader, type ByteWriter, decodeText, encodeText, UnsupportedFeatureError } from "@h5/framing";
import type {
  Charset,
  OpaqueDatatype,
  ReferenceDatatype,
  ReferenceKind,
  StringDatatype,
  StringPad,
} from "../datatype.ts";
import { common, encodeHead, HEAD_SIZE, type Head } from "./head.ts";

const PADS: readonly StringPad[] = ["nullterm", "nullpad", "spacepad"];
const CHARSETS: readonly Charset[] = ["ascii", "utf8"];

/** Padding and character set of a string, 4 bits each; variable-length strings keep them 4 bits further up. */
export function decodeTextBits(reader: ByteReader, bits: number): { pad: StringPad; charset: Charset } {
  const pad = PADS[bits & 15];
  const charset = CHARSETS[(bits >> 4) & 15];
  if (pad === undefined) reader.fail(`string padding ${bits & 15}, expected 0 to 2`);
  if (charset === undefined) reader.fail(`character set ${(bits >> 4) & 15}, expected 0 or 1`);
  return { pad, charset };
}

export function encodeTextBits(t: { readonly pad: StringPad; readonly charset: Charset }): number {
  return PADS.indexOf(t.pad) | (CHARSETS.indexOf(t.charset) << 4);
}

/** String of fixed length, spec IV.A.2.d class 3. Bits: 0–3 padding, 4–7 character set; no properties. */
export function decodeString(reader: ByteReader, head: Head): StringDatatype {
  return { class: "string", ...common(head, 0xff), ...decodeTextBits(reader, head.bits) };
}

export function encodeString(writer: ByteWriter, t: StringDatatype): void {
  encodeHead(writer, 3, t, encodeTextBits(t));
}

/**
 * Opaque bytes, spec IV.A.2.d class 5. Bits: 0–7 bytes of the tag, which are a multiple of 8 (H5Odtype.c).
 *
 *     offset  size
 *     8       n     tag, NULs to its end; without one where it fills them all
 */
export function decodeOpaque(reader: ByteReader, head: Head): OpaqueDatatype {
  const tagSize = head.bits & 255;
  if (tagSize % 8 !== 0) reader.fail(`opaque tag of ${tagSize} bytes, expected a multiple of 8`, reader.offset - 7);
  const bytes = reader.take(tagSize);
  const end = bytes.indexOf(0);
  const tag = decodeText(end < 0 ? bytes : bytes.subarray(0, end));
  return { class: "opaque", ...common(head, 0xff), tag, tagSize };
}

export function encodeOpaque(writer: ByteWriter, t: OpaqueDatatype): void {
  encodeHead(writer, 5, t, t.tagSize);
  const tag = encodeText(t.tag);
  writer.put(tag);
  writer.skip(Math.max(0, t.tagSize - tag.length));
}

export function sizeOfOpaque(t: OpaqueDatatype): number {
  return HEAD_SIZE + t.tagSize;
}

const REFERENCES: readonly ReferenceKind[] = ["object", "region", "object2", "region2", "attribute"];
/** The one version of the 1.12 references' stored form (H5Rprivate.h). */
const REFERENCE_ENCODING = 1;

/** Reference, spec IV.A.2.d class 7. Bits: 0–3 kind, 4–7 version of the 1.12 encoding; no properties. */
export function decodeReference(reader: ByteReader, head: Head): ReferenceDatatype {
  const kind = REFERENCES[head.bits & 15];
  if (kind === undefined) reader.fail(`reference type ${head.bits & 15}, expected 0 to 4`, reader.offset - 7);
  if (!isStandard(kind)) return { class: "reference", ...common(head, 0x0f), kind };
  const encoding = (head.bits >> 4) & 15;
  if (encoding !== REFERENCE_ENCODING) {
    const { structure, address } = reader;
    throw new UnsupportedFeatureError(`reference encoding version ${encoding}, expected 1`, { structure, address });
  }
  return { class: "reference", ...common(head, 0xff), kind };
}

function isStandard(kind: ReferenceKind): boolean {
  return kind !== "object" && kind !== "region";
}

export function encodeReference(writer: ByteWriter, t: ReferenceDatatype): void {
  encodeHead(writer, 7, t, REFERENCES.indexOf(t.kind) | (isStandard(t.kind) ? REFERENCE_ENCODING << 4 : 0));
}
