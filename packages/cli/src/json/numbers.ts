/** An integer: a number where that is exact, else a decimal string. */
export function jsonInteger(value: number | bigint): number | string {
  if (typeof value === "number") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** A float: JSON has no words for NaN and the infinities, so they are strings. */
export function jsonFloat(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
