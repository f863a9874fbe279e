import type {
  ArrayDatatype,
  CompoundDatatype,
  Datatype,
  IntegerDatatype,
  Reference,
  StructArray,
  TimeDatatype,
} from "@h5/datatypes";
import { type EncodableValues, encodeValues } from "@h5/datatypes";
import { encodeText } from "@h5/framing";
import { jsonFloat, jsonInteger } from "./numbers.ts";
import type { ReferenceNamer } from "./references.ts";

/** The JSON forms of `count` values that `get` gave for a datatype. */
export function jsonValues(type: Datatype, data: unknown, count: number, nameOf: ReferenceNamer): unknown[] {
  switch (type.class) {
    case "integer":
      return list(data as ArrayLike<number | bigint>, count, (value) => jsonInteger(storedInteger(type, value)));
    case "enum":
    case "bitfield":
      return list(data as ArrayLike<number | bigint>, count, jsonInteger);
    case "float":
      return list(data as ArrayLike<number>, count, jsonFloat);
    case "string":
      return list(data as string[], count, jsonString);
    case "opaque":
      return list(data as Uint8Array[], count, jsonBytes);
    case "time":
      return jsonTimes(type, data, count);
    case "compound":
      return jsonRecords(type, data as StructArray, count, nameOf);
    case "reference":
      return list(data as (Reference | null)[], count, (reference) => reference && nameOf(reference, type));
    case "vlen":
      if (type.kind === "string") return list(data as string[], count, jsonString);
      return list(data as ArrayLike<unknown>[], count, (values) =>
        jsonValues(type.base, values, values.length, nameOf),
      );
    case "array":
      return list(data as unknown[], count, (values) => jsonArray(type, values, nameOf));
    case "complex": {
      const { re, im } = data as { readonly re: ArrayLike<number>; readonly im: ArrayLike<number> };
      return list(re, count, (real, i) => [jsonFloat(real), jsonFloat(im[i]!)]);
    }
  }
}

/** libhdf5 converts no integer wider than 8 bytes: what it reads of one with a precision is the bits as stored. */
function storedInteger({ size, precision, offset }: IntegerDatatype, value: number | bigint): number | bigint {
  if (typeof value === "number" || size <= 8 || precision === 8 * size || offset !== 0) return value;
  return BigInt.asUintN(precision, value);
}

function list<T>(data: ArrayLike<T>, count: number, toJson: (value: T, index: number) => unknown): unknown[] {
  const result = new Array<unknown>(count);
  for (let i = 0; i < count; i++) result[i] = toJson(data[i]!, i);
  return result;
}

/** Text, or the bytes of what is not UTF-8: those were read as lone surrogates, one for each. */
export function jsonString(text: string): unknown {
  return /[\udc80-\udcff]/u.test(text) ? jsonBytes(encodeText(text)) : text;
}

export function jsonBytes(bytes: Uint8Array): unknown {
  return { hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

function jsonTimes(type: TimeDatatype, data: unknown, count: number): unknown[] {
  const bytes = encodeValues(type, data as EncodableValues);
  return Array.from({ length: count }, (_, i) => jsonBytes(bytes.subarray(i * type.size, (i + 1) * type.size)));
}

function jsonRecords(type: CompoundDatatype, data: StructArray, count: number, nameOf: ReferenceNamer): unknown[] {
  const records = Array.from({ length: count }, () => Object.create(null) as Record<string, unknown>);
  for (const { name, type: member } of type.members) {
    const column = jsonValues(member, data.column(name), count, nameOf);
    for (let i = 0; i < count; i++) records[i]![name] = column[i];
  }
  return records;
}

/** One array element's flat values, nested by its dimensions. */
function jsonArray({ base, dims }: ArrayDatatype, values: unknown, nameOf: ReferenceNamer): unknown {
  const count = dims.reduce((product, length) => product * length, 1);
  return nest(jsonValues(base, values, count, nameOf), dims);
}

/** Nests a flat row-major list by dimensions. */
export function nest(values: unknown[], dims: readonly number[]): unknown[] {
  let nested = values;
  for (let axis = dims.length - 1; axis > 0; axis--) {
    const length = dims[axis]!;
    nested = Array.from({ length: nested.length / length }, (_, i) => nested.slice(i * length, (i + 1) * length));
  }
  return nested;
}
