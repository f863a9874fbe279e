import { encodeText } from "./text.ts";

/** Orders byte strings as `strcmp` does (HDF5's order of link names): negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/**
 * What orders any of these names by their bytes (see {@link compareBytes}, `encodeText`). Without surrogates, which stand
 * for characters beyond U+FFFF and for bytes that are not UTF-8, strings are in that order themselves.
 */
export function textOrder(names: readonly string[]): (a: string, b: string) => number {
  return haveSurrogates(names) ? byBytes : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
}

/** Sorts names in the order of {@link textOrder}: without a function to compare them, `sort` takes two thirds of the time. */
export function sortTexts(names: string[]): string[] {
  return haveSurrogates(names) ? names.sort(byBytes) : names.sort();
}

function haveSurrogates(names: readonly string[]): boolean {
  return names.some((name) => /[\ud800-\udfff]/.test(name));
}

function byBytes(a: string, b: string): number {
  return compareBytes(encodeText(a), encodeText(b));
}
