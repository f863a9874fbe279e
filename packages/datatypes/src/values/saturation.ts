import { type FloatDatatype, ieeeSize } from "../datatype.ts";
import type { IntegerBits } from "../integer-bits.ts";
import { valueBits } from "./integers.ts";

type Numbers = ArrayLike<number | bigint>;

/** Numbers as integers that fit a type: fractions cut off, what is beyond it its least or largest, NaN 0. */
export function saturatedIntegers(values: Numbers, type: IntegerBits): Numbers {
  const { signed, precision } = valueBits(type);
  const least = signed ? -(1n << BigInt(precision - 1)) : 0n;
  const most = (1n << BigInt(signed ? precision - 1 : precision)) - 1n;
  // Up to 53 bits the bounds are exact as numbers, which are quicker.
  if (precision <= 53) return saturatedNumbers(values, Number(least), Number(most));
  return Array.from(values, (value) => {
    const integer = typeof value === "bigint" ? value : wholeOf(value);
    return integer < least ? least : integer > most ? most : integer;
  });
}

function saturatedNumbers(values: Numbers, least: number, most: number): Float64Array {
  const saturated = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = Math.trunc(Number(values[i]));
    // Of NaN, which compares with nothing, the array keeps its 0.
    if (value >= least && value <= most) saturated[i] = value;
    else if (value < least) saturated[i] = least;
    else if (value > most) saturated[i] = most;
  }
  return saturated;
}

/** Far beyond every type's bounds, infinity is as good as any number. */
function wholeOf(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  return BigInt(Math.trunc(Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)));
}

/** Numbers as floating-point ones that fit a type: what is beyond it infinite. */
export function saturatedFloats(values: Numbers, type: FloatDatatype): Numbers {
  const beyond = firstInfinite(type);
  const floats = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    floats[i] = Math.abs(value) >= beyond ? Math.sign(value) * Number.POSITIVE_INFINITY : value;
  }
  return floats;
}

/** The least number that a type rounds to infinity: half a step beyond the largest it holds. */
function firstInfinite(t: FloatDatatype): number {
  if (ieeeSize(t) === 8) return Number.POSITIVE_INFINITY;
  const fraction = t.normalization === "implied" ? t.mantissaSize : t.mantissaSize - 1;
  return (2 - 2 ** -(fraction + 1)) * 2 ** (2 ** t.exponentSize - 2 - t.exponentBias);
}
