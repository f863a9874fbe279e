import type { StringDatatype, StringPad } from "../datatype.ts";
import type { Elements } from "./elements.ts";
import { TextColumn } from "./text-column.ts";

/**
 * Strings of fixed length: cut at the first NUL (`nullterm`), or without the NULs (`nullpad`) or spaces (`spacepad`) at
 * their end. Bytes that are not UTF-8 are kept apart as `decodeText` does, whatever the character set.
 */
export function decodeFixedStrings(t: StringDatatype, { bytes, start, stride, count }: Elements): string[] {
  const column = new TextColumn(count);
  for (let i = 0, at = start; i < count; i++, at += stride) column.add(bytes, at, contentEnd(bytes, at, t.size, t.pad));
  return column.finish();
}

/** End of the characters of the string at `at`. */
function contentEnd(bytes: Uint8Array, at: number, size: number, pad: StringPad): number {
  let end = at + size;
  if (pad === "nullterm") {
    for (let k = at; k < end; k++) if (bytes[k] === 0) return k;
    return end;
  }
  const filler = pad === "nullpad" ? 0 : 32;
  while (end > at && bytes[end - 1] === filler) end--;
  return end;
}
