/**
 * Puts back together elements whose bits were sorted: of `count` elements, a multiple of 8, of `size` bytes, bit `k` of
 * byte `b` of all elements stands together in `count / 8` bytes from `(8 b + k) count / 8` on, eight elements a byte, the
 * first in the lowest bit (bitshuffle_core.c, `bshuf_untrans_bit_elem`).
 */
export function bitsToElements(from: Uint8Array, size: number, count: number, to: Uint8Array): void {
  const row = count / 8;
  for (let byte = 0; byte < size; byte++) {
    for (let eight = 0; eight < row; eight++) {
      const at = 8 * byte * row + eight;
      const low = word(from, at, row);
      const high = word(from, at + 4 * row, row);
      putColumns(low, high, to, 8 * eight * size + byte, size);
    }
  }
}

/** Sorts the bits of elements: what {@link bitsToElements} undoes. */
export function elementsToBits(from: Uint8Array, size: number, count: number, to: Uint8Array): void {
  const row = count / 8;
  for (let byte = 0; byte < size; byte++) {
    for (let eight = 0; eight < row; eight++) {
      const at = 8 * eight * size + byte;
      const low = word(from, at, size);
      const high = word(from, at + 4 * size, size);
      putColumns(low, high, to, 8 * byte * row + eight, row);
    }
  }
}

/** Four bytes, `step` apart. */
function word(from: Uint8Array, at: number, step: number): number {
  return from[at]! | (from[at + step]! << 8) | (from[at + 2 * step]! << 16) | (from[at + 3 * step]! << 24);
}

/** Transposes 8 × 8 bits, rows 0 to 3 in `low` and 4 to 7 in `high`, into bytes that are `step` apart. */
function putColumns(low: number, high: number, to: Uint8Array, at: number, step: number): void {
  // Hacker's Delight, 7-3: swap bits, then pairs, then nibbles, across the diagonal.
  let swap = (low ^ (low >>> 7)) & 0x00aa00aa;
  let a = low ^ swap ^ (swap << 7);
  swap = (high ^ (high >>> 7)) & 0x00aa00aa;
  let b = high ^ swap ^ (swap << 7);
  swap = (a ^ (a >>> 14)) & 0x0000cccc;
  a ^= swap ^ (swap << 14);
  swap = (b ^ (b >>> 14)) & 0x0000cccc;
  b ^= swap ^ (swap << 14);
  const first = (a & 0x0f0f0f0f) | ((b & 0x0f0f0f0f) << 4);
  const second = ((a >>> 4) & 0x0f0f0f0f) | (b & 0xf0f0f0f0);
  for (let i = 0; i < 4; i++) {
    to[at + i * step] = first >>> (8 * i);
    to[at + (i + 4) * step] = second >>> (8 * i);
  }
}
