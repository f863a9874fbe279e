import { encodeText } from "@h5/framing";
import type { VlenStringDatatype } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { misfit } from "./encode-numbers.ts";
import { storeBytes, writeHeapId } from "./heap-id.ts";
import type { EncodeValuesOptions } from "./options.ts";
import { storedBase } from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";

/** Bytes of the memory that short strings share; such as do not fit in a few hundred times are not short. */
const PIECE = 65536;
const LONG = 256;

/** Strings of variable length, which cannot have a NUL in them; the empty one is nil. */
export function encodeVlenStrings(
  t: VlenStringDatatype,
  values: ArrayLike<unknown>,
  e: Elements,
  options: EncodeValuesOptions,
): void {
  const width = vlenAddressWidth(t, options.offsetSize);
  const content = { base: storedBase(t.base, width) };
  let piece = new Uint8Array(0);
  let used = 0;
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const value = values[i];
    if (typeof value !== "string") throw misfit(value, i, t);
    // What is empty is nil: all zero, which the bytes are already.
    if (value.length === 0) continue;
    let text: Uint8Array<ArrayBuffer> | undefined;
    if (value.length <= LONG) {
      const room = value.length * 3;
      if (piece.length - used < room) {
        piece = new Uint8Array(Math.max(room, Math.min(PIECE, (e.count - i) * 16)));
        used = 0;
      }
      const end = writeText(value, piece, used);
      if (end !== undefined) {
        text = piece.subarray(used, end);
        used = end;
      }
    }
    text ??= encodeText(value);
    if (text.includes(0)) throw misfit(value, i, t);
    e.view.setUint32(at, text.length / t.base.size, true);
    writeHeapId(e.view, at + 4, width, storeBytes(text, content, options));
  }
}

/**
 * Writes text as UTF-8, at most three bytes for each of its units; for short text an encoder costs more than this.
 *
 * @returns where it ends; `undefined` for a surrogate without the other
 */
function writeText(text: string, bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (code >= 0xd800 && code < 0xe000) {
        code = text.codePointAt(i++)!;
        if (code < 0x10000) return undefined;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      } else bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}
