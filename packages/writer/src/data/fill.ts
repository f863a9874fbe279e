/** `count` elements of a fill value; zeros where there is none. */
export function filled(count: number, elementSize: number, fill: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count * elementSize);
  if (fill === undefined || count === 0 || fill.every((byte) => byte === 0)) return bytes;
  bytes.set(fill);
  for (let done = fill.length; done < bytes.length; done *= 2)
    bytes.copyWithin(done, 0, Math.min(done, bytes.length - done));
  return bytes;
}

/** Whether elements are nothing but the fill value, or zeros where there is none. */
export function isFilled(bytes: Uint8Array, elementSize: number, fill: Uint8Array | undefined): boolean {
  // The first element alone settles most cases.
  for (let i = 0; i < elementSize && i < bytes.length; i++) if (bytes[i] !== (fill?.[i] ?? 0)) return false;
  for (let i = elementSize; i < bytes.length; i++) if (bytes[i] !== bytes[i - elementSize]) return false;
  return true;
}
