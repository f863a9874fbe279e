/** Bytes of a hex literal; blanks are ignored. */
export function hex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.replace(/\s/g, "").match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
