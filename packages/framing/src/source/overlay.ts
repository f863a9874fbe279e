import { asBytes, type ByteRange, type ByteSource } from "../byte-source.ts";

/** Bytes that take the place of a source's own. */
export interface Overlay {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/**
 * A source of which some parts are replaced, or added past its end: metadata that a file keeps elsewhere than where it
 * belongs. Overlays may not overlap. What lies between the source's end and an overlay reads as zero.
 */
export function overlaySource(source: ByteSource, overlays: readonly Overlay[]): ByteSource {
  const sorted = [...overlays].sort((a, b) => a.address - b.address);
  const lay = (under: Uint8Array, range: ByteRange): Uint8Array => layOver(under, range, sorted);
  return {
    async slice(start, end, options) {
      return lay(asBytes(await source.slice(start, end, options)), { start, end });
    },
    ...(source.peek && {
      peek(start: number, end: number) {
        const under = source.peek!(start, end);
        return under && lay(under, { start, end });
      },
    }),
  };
}

function layOver(under: Uint8Array, { start, end }: ByteRange, overlays: readonly Overlay[]): Uint8Array {
  let result: Uint8Array | undefined;
  for (let i = firstEndingAfter(overlays, start); i < overlays.length; i++) {
    const { address, bytes } = overlays[i]!;
    if (address >= end) break;
    const from = Math.max(start, address);
    const to = Math.min(end, address + bytes.length);
    result ??= under.slice();
    if (result.length < to - start) result = grown(result, to - start);
    result.set(bytes.subarray(from - address, to - address), from - start);
  }
  return result ?? under;
}

/** Index of the first overlay that ends after `start`. */
function firstEndingAfter(overlays: readonly Overlay[], start: number): number {
  let low = 0;
  for (let high = overlays.length; low < high; ) {
    const middle = Math.floor((low + high) / 2);
    const { address, bytes } = overlays[middle]!;
    if (address + bytes.length > start) high = middle;
    else low = middle + 1;
  }
  return low;
}

function grown(bytes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
