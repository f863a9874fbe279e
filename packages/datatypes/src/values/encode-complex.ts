import type { Datatype } from "../datatype.ts";
import { misfit } from "./encode-numbers.ts";
import { isList } from "./lists.ts";

/** Complex numbers as two columns, of which a `ComplexArray` is one. */
export interface ComplexColumns {
  readonly re: ArrayLike<unknown>;
  readonly im: ArrayLike<unknown>;
}

/** Whether values are columns of real and imaginary parts. */
export function isComplexColumns(values: unknown): values is ComplexColumns {
  return values !== null && typeof values === "object" && "re" in values && isList(values.re) && "im" in values;
}

/**
 * Columns of complex numbers in any of their forms: columns already, a list of pairs or one of `{re, im}`; `undefined`
 * where the first value is neither.
 *
 * @throws InvalidArgumentError where a later one is not
 */
export function complexColumns(t: Datatype, values: unknown): ComplexColumns | undefined {
  if (isComplexColumns(values)) return values;
  if (!isList(values) || (values.length > 0 && pairOf(values[0]) === undefined)) return undefined;
  const pairs = Array.from(values, (value, i) => {
    const pair = pairOf(value);
    if (pair === undefined) throw misfit(value, i, t);
    return pair;
  });
  return { re: pairs.map(([re]) => re), im: pairs.map(([, im]) => im) };
}

function pairOf(value: unknown): readonly [re: unknown, im: unknown] | undefined {
  if (isList(value)) return value.length === 2 ? [value[0], value[1]] : undefined;
  if (value === null || typeof value !== "object" || !("re" in value && "im" in value)) return undefined;
  return [value.re, value.im];
}
