import type { Dataset, ReadOptions } from "@h5/reader";

/** What `get` gives for numbers. */
export interface NumberArray {
  readonly data: ArrayLike<number | bigint>;
  readonly shape: readonly number[];
}

/** Attributes that name the values which stand for none, in the conventions of netCDF and of climate and forecast. */
const MISSING = ["_FillValue", "missing_value"];

/** Values to draw: NaN, which is drawn by nothing, for those that the dataset's attributes call missing. */
export async function numbersOf(
  { attrs }: Dataset,
  { data }: NumberArray,
  options?: ReadOptions,
): Promise<Float64Array> {
  const missing = new Set<unknown>();
  for (const name of MISSING) {
    if (!(await attrs.has(name, options))) continue;
    // A convention is no rule: other files may hold anything under that name, which then equals no value.
    const value = await attrs.get(name, options);
    for (const each of ArrayBuffer.isView(value) ? (value as unknown as Iterable<unknown>) : [value]) missing.add(each);
  }
  return Float64Array.from(data, (value) => (missing.has(value) ? Number.NaN : Number(value)));
}
