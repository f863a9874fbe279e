import { type Datatype, type FloatDatatype, ieeeSize, isBool } from "./datatype.ts";
import type { ComplexArray } from "./values/complex-array.ts";
import type { StructArray } from "./values/struct-array.ts";

/** Names of the numbers that come out as JavaScript numbers. */
export type NumericDtype =
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "float16"
  | "float32"
  | "float64";

/**
 * What values come out as, in zarrita's words where it has one. `int` is an integer of more than 8 bytes (`bigint[]`),
 * `float` any floating-point format that is not an IEEE 754 half, single or double (`Float64Array`, rounded to nearest).
 */
export type DtypeName =
  | NumericDtype
  | "int64"
  | "uint64"
  | "bool"
  | "string"
  | "compound"
  | "enum"
  | "array"
  | "vlen"
  | "opaque"
  | "bitfield"
  | "time"
  | "reference"
  | "complex"
  | "int"
  | "float";

/** The container that values of a dtype come in; `unknown` where it depends on more than the name. */
export type Data<D extends DtypeName> = D extends "int64"
  ? BigInt64Array<ArrayBuffer>
  : D extends "uint64"
    ? BigUint64Array<ArrayBuffer>
    : D extends "float64" | "float"
      ? Float64Array<ArrayBuffer>
      : D extends "float32" | "float16"
        ? Float32Array<ArrayBuffer>
        : D extends "int8"
          ? Int8Array<ArrayBuffer>
          : D extends "uint8" | "bool"
            ? Uint8Array<ArrayBuffer>
            : D extends "int16"
              ? Int16Array<ArrayBuffer>
              : D extends "uint16"
                ? Uint16Array<ArrayBuffer>
                : D extends "int32"
                  ? Int32Array<ArrayBuffer>
                  : D extends "uint32"
                    ? Uint32Array<ArrayBuffer>
                    : D extends "string"
                      ? string[]
                      : D extends "compound"
                        ? StructArray
                        : D extends "complex"
                          ? ComplexArray
                          : D extends "int"
                            ? bigint[]
                            : D extends "opaque"
                              ? Uint8Array<ArrayBuffer>[]
                              : unknown;

/** One value of a dtype. */
export type Scalar<D extends DtypeName> = D extends "int64" | "uint64" | "int"
  ? bigint
  : D extends NumericDtype | "float"
    ? number
    : D extends "bool"
      ? boolean
      : D extends "string"
        ? string
        : D extends "compound"
          ? Record<string, unknown>
          : D extends "complex"
            ? readonly [re: number, im: number]
            : D extends "opaque"
              ? Uint8Array<ArrayBuffer>
              : unknown;

/** The {@link DtypeName} that values of a datatype come out as. */
export function dtypeOf(t: Datatype): DtypeName {
  switch (t.class) {
    case "integer":
      return integerDtype(t.size, t.signed);
    case "float":
      return floatDtype(t);
    case "enum":
      return isBool(t) ? "bool" : "enum";
    case "vlen":
      return t.kind === "string" ? "string" : "vlen";
    default:
      return t.class;
  }
}

/** The smallest typed array that holds `size` bytes. */
function integerDtype(size: number, signed: boolean): DtypeName {
  if (size > 8) return "int";
  if (size > 4) return signed ? "int64" : "uint64";
  if (size > 2) return signed ? "int32" : "uint32";
  if (size === 2) return signed ? "int16" : "uint16";
  return signed ? "int8" : "uint8";
}

function floatDtype(t: FloatDatatype): DtypeName {
  switch (ieeeSize(t)) {
    case 2:
      return "float16";
    case 4:
      return "float32";
    case 8:
      return "float64";
    default:
      return "float";
  }
}
