import { type FloatDatatype, type IntegerDatatype, ieeeSize } from "../datatype.ts";
import type { IntegerBits } from "../integer-bits.ts";
import { valueBits } from "./integers.ts";

type Numbers = ArrayLike<number | bigint>;

/** What integers a type has for numbers that none of it is. */
export interface Misfits {
  readonly nan: bigint;
  /** Becomes the least, not the largest, as if it had wrapped round. */
  readonly wrapped?: number | undefined;
}

/**
 * Where libhdf5 is asked for the processor's own integers: NaN becomes 0 (H5Tconv_float.c), but of the processor's own
 * floats what a cast gives, which C leaves open: on x86-64 the least integer of the 16, 32 or 64 bits that the cast has,
 * of which smaller types and unsigned ones of 16 or 32 bits keep the low bits, zeros. The cast also makes the least of the
 * first number beyond the range, if the floats have no bits for the largest integer: what they round it to counts as held.
 */
export function misfitsOf(from: FloatDatatype, to: IntegerDatatype): Misfits {
  const { size, signed, offset, precision } = to;
  const width = ieeeSize(from);
  const whole = offset === 0 && precision === size * 8;
  const x86Extended = from.size === 16 && from.precision === 80;
  const native = from.order === "LE" && (width === 4 || width === 8 || x86Extended) && whole;
  if (!native) return { nan: 0n };
  const bits = signed ? precision - 1 : precision;
  const wrapped = bits > from.mantissaSize + 1 ? 2 ** bits : undefined;
  if (size === 8) return { nan: signed ? -(1n << 63n) : 1n << 63n, wrapped };
  // Only from 80 bits is there a cast to 16.
  const least = signed && (size === 4 || (size === 2 && x86Extended));
  return { nan: least ? -(1n << BigInt(bits)) : 0n, wrapped };
}

/** Numbers as integers that fit a type: fractions cut off, what is beyond it its least or largest, but for misfits. */
export function saturatedIntegers(values: Numbers, type: IntegerBits, misfits: Misfits): Numbers {
  const { signed, precision } = valueBits(type);
  const least = signed ? -(1n << BigInt(precision - 1)) : 0n;
  const most = (1n << BigInt(signed ? precision - 1 : precision)) - 1n;
  // Up to 53 bits the bounds are exact as numbers, which are quicker.
  if (precision <= 53) return saturatedNumbers(values, Number(least), Number(most), misfits);
  return Array.from(values, (value) => {
    if (value === misfits.wrapped) return least;
    const integer = typeof value === "bigint" ? value : Number.isNaN(value) ? misfits.nan : wholeOf(value);
    return integer < least ? least : integer > most ? most : integer;
  });
}

function saturatedNumbers(values: Numbers, least: number, most: number, { nan, wrapped }: Misfits): Float64Array {
  const saturated = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = Math.trunc(Number(values[i]));
    if (value >= least && value <= most) saturated[i] = value;
    else if (value < least || value === wrapped) saturated[i] = least;
    else if (value > most) saturated[i] = most;
    else saturated[i] = Number(nan);
  }
  return saturated;
}

/** Far beyond every type's bounds, infinity is as good as any number. */
function wholeOf(value: number): bigint {
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
