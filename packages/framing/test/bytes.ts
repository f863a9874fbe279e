/** Bytes that tell their own place: byte i is a function of i without a short period. */
export function patternBytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >>> 8) * 17) % 256);
}
