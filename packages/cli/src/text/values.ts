import type { Datatype } from "@h5/datatypes";

/**
 * A value for people, from its JSON form: strings quoted, enumeration members by name, references by path, bytes as
 * `0x…`.
 *
 * @param longest - characters after which the text is cut, with a count of what is left out
 */
export function textOf(type: Datatype, value: unknown, longest: number = Number.POSITIVE_INFINITY): string {
  return elided(wholeText(type, value), longest);
}

/** Characters of one value that are shown unless all is asked for. */
export const LONG = 500;

function elided(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}… ${text.length - longest} more characters`;
}

function wholeText(type: Datatype, value: unknown): string {
  if (value === null) return "null";
  switch (type.class) {
    case "enum":
      return type.members.find((member) => String(member.value) === String(value))?.name ?? String(value);
    case "float":
      return typeof value === "number" ? shortest(value, type.size) : String(value);
    case "string":
      return quoted(value);
    case "opaque":
    case "time":
      return hex(value);
    case "compound": {
      const record = value as Record<string, unknown>;
      return `{${type.members.map(({ name, type: member }) => `${name}: ${wholeText(member, record[name])}`).join(", ")}}`;
    }
    case "vlen":
      if (type.kind === "string") return quoted(value);
      return `[${(value as unknown[]).map((item) => wholeText(type.base, item)).join(", ")}]`;
    case "array":
      return nestedText(type.base, value, type.dims.length);
    case "complex": {
      const [re, im] = value as [unknown, unknown];
      return `${re}${String(im).startsWith("-") ? "" : "+"}${im}i`;
    }
    case "reference":
      return referenceText(value as Record<string, unknown>);
    default:
      return String(value);
  }
}

/** The fewest digits that tell a number from all others of its size, as people expect of a float32. */
function shortest(value: number, size: number): string {
  if (Object.is(value, -0)) return "-0";
  if (size !== 4) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}

function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : hex(value);
}

function hex(value: unknown): string {
  return `0x${(value as { hex: string }).hex}`;
}

function nestedText(base: Datatype, value: unknown, depth: number): string {
  if (depth === 0) return wholeText(base, value);
  return `[${(value as unknown[]).map((item) => nestedText(base, item, depth - 1)).join(", ")}]`;
}

/** `-> /path`, with what a region or attribute reference adds. */
function referenceText(reference: Record<string, unknown>): string {
  const path = reference["ref"] ?? reference["regionref"] ?? reference["attrref"] ?? "(unknown)";
  if ("attrref" in reference) return `-> ${path}@${reference["attr"]}`;
  if (!("regionref" in reference)) return `-> ${path}`;
  const { regionref, std, ...region } = reference;
  return `-> ${path} ${JSON.stringify(region)}`;
}
