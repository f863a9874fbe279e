import { type CompoundDatatype, type Datatype, dtypeOf, type FloatDatatype } from "@h5/datatypes";
import { jsonInteger } from "./numbers.ts";

/** A datatype as `h5 dump --json` gives it. */
export type JsonDatatype = { readonly class: string; readonly [property: string]: unknown };

/** The JSON form of a datatype: its class and what a reader of values must know of it. */
export function jsonDatatype(type: Datatype): JsonDatatype {
  switch (type.class) {
    case "integer":
      return { class: "integer", size: type.size, signed: type.signed, order: type.order, ...oddBits(type) };
    case "float":
      return { class: "float", size: type.size, order: type.order, ...oddFloat(type) };
    case "string":
      return { class: "string", size: type.size, charset: type.charset, pad: type.pad };
    case "bitfield":
      return { class: "bitfield", size: type.size, order: type.order, ...oddBits(type) };
    case "time":
      return { class: "time", size: type.size };
    case "opaque":
      return { class: "opaque", size: type.size, tag: type.tag };
    case "compound":
      return jsonCompound(type);
    case "reference":
      return { class: "reference", kind: type.kind === "object" || type.kind === "region" ? type.kind : "std" };
    case "enum":
      return { class: "enum", base: jsonDatatype(type.base), members: jsonEnumMembers(type.members) };
    case "vlen":
      if (type.kind === "sequence") return { class: "vlen", base: jsonDatatype(type.base) };
      return { class: "string", size: null, charset: type.charset, pad: type.pad };
    case "array":
      return { class: "array", dims: type.dims, base: jsonDatatype(type.base) };
    case "complex":
      return { class: "complex", base: jsonDatatype(type.base) };
  }
}

/**
 * A compound as libhdf5 describes one it has read: variable-length members and 1.12 references count with their size in
 * memory, and what follows them is moved (H5T.c, `H5T_set_loc`).
 */
function jsonCompound(type: CompoundDatatype): JsonDatatype {
  const sorted = growth(type) === 0 ? type.members : [...type.members].sort((a, b) => a.offset - b.offset);
  let moved = 0;
  const members = sorted.map(({ name, offset, type: member }) => {
    const placed = { name, offset: offset + moved, type: jsonDatatype(member) };
    moved += growth(member);
    return placed;
  });
  return { class: "compound", size: type.size + moved, members };
}

/** Bytes of a variable-length sequence, a variable-length string and a 1.12 reference in libhdf5's memory. */
const SEQUENCE = 16;
const STRING = 8;
const REFERENCE = 64;

/** Bytes by which an element is larger in libhdf5's memory than stored. */
function growth(type: Datatype): number {
  switch (type.class) {
    case "vlen":
      return (type.kind === "string" ? STRING : SEQUENCE) - type.size;
    case "reference":
      return type.kind === "object" || type.kind === "region" ? 0 : REFERENCE - type.size;
    case "array":
      return growth(type.base) * type.dims.reduce((product, length) => product * length, 1);
    case "compound":
      return type.members.reduce((sum, { type: member }) => sum + growth(member), 0);
    default:
      return 0;
  }
}

function jsonEnumMembers(members: readonly { readonly name: string; readonly value: number | bigint }[]): unknown {
  const result: Record<string, unknown> = Object.create(null);
  for (const { name, value } of members) result[name] = jsonInteger(value);
  return result;
}

function oddBits({ size, precision, offset }: { size: number; precision: number; offset: number }): object {
  return precision === size * 8 && offset === 0 ? {} : { precision, offset };
}

function oddFloat(type: FloatDatatype): object {
  if (dtypeOf(type) !== "float") return {};
  return {
    sign_pos: type.signPosition,
    exp_pos: type.exponentPosition,
    exp_size: type.exponentSize,
    mant_pos: type.mantissaPosition,
    mant_size: type.mantissaSize,
    exp_bias: type.exponentBias,
    norm: type.normalization,
    precision: type.precision,
    offset: type.offset,
  };
}
