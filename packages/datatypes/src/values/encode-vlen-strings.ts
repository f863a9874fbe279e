import { encodeText } from "@h5/framing";
import type { Charset, VlenStringDatatype } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { misfit } from "./encode-numbers.ts";
import { storeBytes, writeHeapId } from "./heap-id.ts";
import type { EncodeValuesOptions, HeapId } from "./options.ts";
import { storedBase } from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";

/** Units of text that is encoded here; longer text is left to the platform. */
const SHORT = 256;

/** Strings of variable length, which cannot have a NUL in them; the empty one is nil. */
export function encodeVlenStrings(
  t: VlenStringDatatype,
  values: ArrayLike<unknown>,
  e: Elements,
  options: EncodeValuesOptions,
): void {
  const width = vlenAddressWidth(t, options.offsetSize);
  const content = { base: storedBase(t.base, width) };
  const { storeCopy = (bytes, length) => storeBytes(bytes.slice(0, length), content, options) } = options;
  const memory = new Uint8Array(e.count === 1 ? 0 : SHORT * 3);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const value = values[i];
    if (typeof value !== "string") throw misfit(value, i, t);
    // What is empty is nil: all zero, which the bytes are already.
    if (value.length === 0) continue;
    let length = value.length * 3 <= memory.length ? writeText(value, memory) : 0;
    let id: HeapId;
    if (length === value.length || (length > 0 && t.charset === "utf8")) id = storeCopy(memory, length, content.base);
    else {
      const text = encodeText(value);
      if (text.includes(0) || isForeign(t, text)) throw misfit(value, i, t);
      length = text.length;
      id = storeBytes(text, content, options);
    }
    e.view.setUint32(at, length / t.base.size, true);
    writeHeapId(e.view, at + 4, width, id);
  }
}

/** Whether text has characters that the character set of its type does not have. */
export function isForeign({ charset }: { readonly charset: Charset }, text: Uint8Array): boolean {
  return charset === "ascii" && text.some((byte) => byte > 127);
}

/**
 * Writes text as UTF-8, at most three bytes for each of its units; for short text an encoder costs more than this.
 *
 * @returns where it ends; 0 for text with a NUL or a surrogate without the other
 */
function writeText(text: string, bytes: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      if (code === 0) return 0;
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (code >= 0xd800 && code < 0xe000) {
        code = text.codePointAt(i++)!;
        if (code < 0x10000) return 0;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      } else bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}
