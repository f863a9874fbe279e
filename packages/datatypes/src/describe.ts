import { type Datatype, type FloatDatatype, ieeeSize, isBool, type StringPad } from "./datatype.ts";

/** Members named before the rest is elided. */
const MOST_MEMBERS = 8;
/** Levels of nesting described before the rest is elided. */
const MOST_LEVELS = 4;

/** One line of text for people, in the field's words: `int32`, `compound {x: int32, y: float64}`; long types are elided. */
export function describeDatatype(t: Datatype): string {
  return describe(t, MOST_LEVELS);
}

function describe(t: Datatype, levels: number): string {
  if (levels === 0) return "…";
  const inner = (base: Datatype): string => describe(base, levels - 1);
  switch (t.class) {
    case "integer":
      return `${t.signed ? "int" : "uint"}${t.size * 8}${details(bits(t), order(t))}`;
    case "float":
      return describeFloat(t);
    case "time":
      return `time${t.size * 8}${details(order(t))}`;
    case "bitfield":
      return `bitfield${t.size * 8}${details(bits(t), order(t))}`;
    case "string":
      return `string${details(charset(t.charset), `${t.size} bytes`, padding(t.pad))}`;
    case "opaque":
      return `opaque${details(`${t.size} bytes`, t.tag && `tag ${JSON.stringify(t.tag)}`)}`;
    case "compound":
      return `compound ${list(t.members, ({ name, type }) => `${name}: ${inner(type)}`)}`;
    case "reference":
      return t.kind === "object" || t.kind === "region" ? `${t.kind} reference` : "reference (1.12)";
    case "enum":
      return isBool(t) ? "bool" : `enum ${inner(t.base)} ${list(t.members, ({ name, value }) => `${name}=${value}`)}`;
    case "vlen":
      return t.kind === "string" ? `string${details(charset(t.charset), "variable")}` : `vlen of ${inner(t.base)}`;
    case "array":
      return `array [${t.dims.join(", ")}] of ${inner(t.base)}`;
    case "complex":
      return `complex of ${inner(t.base)}`;
  }
}

/** The parts there are, in parentheses. */
function details(...parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part);
  return present.length === 0 ? "" : ` (${present.join(", ")})`;
}

function list<T>(members: readonly T[], text: (member: T) => string): string {
  const shown = members.slice(0, MOST_MEMBERS).map(text);
  return `{${[...shown, ...(members.length > MOST_MEMBERS ? ["…"] : [])].join(", ")}}`;
}

function order(t: { readonly order: string; readonly size: number }): string | undefined {
  if (t.size === 1 || t.order === "LE") return undefined;
  return t.order === "BE" ? "big-endian" : "VAX order";
}

function bits(t: { readonly size: number; readonly offset: number; readonly precision: number }): string | undefined {
  if (t.offset === 0 && t.precision === t.size * 8) return undefined;
  return `${t.precision} bits at ${t.offset}`;
}

function describeFloat(t: FloatDatatype): string {
  const odd = ieeeSize(t) === undefined ? `exponent ${t.exponentSize}, mantissa ${t.mantissaSize} bits` : undefined;
  return `float${t.size * 8}${details(odd, order(t))}`;
}

function charset(name: "ascii" | "utf8"): string {
  return name === "utf8" ? "utf-8" : "ascii";
}

function padding(pad: StringPad): string {
  return pad === "nullterm" ? "NUL-terminated" : pad === "nullpad" ? "NUL-padded" : "space-padded";
}
