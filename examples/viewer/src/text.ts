import {
  ComplexArray,
  type Datatype,
  describeDatatype,
  isBool,
  type Reference,
  StructArray,
  scalarOf,
  type Values,
} from "@h5/datatypes";
import { filterName } from "@h5/filters";
import type { Dataset } from "@h5/reader";

/** Elements of a list, and characters of a text, before the rest is left out. */
const LONG_LIST = 20;
const LONG_TEXT = 300;

/** One value for people: numbers as they are, members of enumerations by name, bytes in hexadecimal. */
export function textOf(type: Datatype, value: unknown): string {
  if (value === null || value === undefined) return "null";
  switch (type.class) {
    case "enum":
      if (isBool(type)) break;
      return type.members.find((member) => String(member.value) === String(value))?.name ?? String(value);
    case "float":
      // The shortest text of a single-precision number, not that of the double it is in JavaScript.
      return type.size === 4 && Number.isFinite(value)
        ? String(Number((value as number).toPrecision(7)))
        : String(value);
    case "compound":
      return `{${type.members.map((member) => `${member.name}: ${textOf(member.type, (value as Record<string, unknown>)[member.name])}`).join(", ")}}`;
    case "complex": {
      const [re, im] = value as [number, number];
      return `${re}${im < 0 || Object.is(im, -0) ? "" : "+"}${im}i`;
    }
    case "array":
      return listText(type.base, value as Values);
    case "vlen":
      return type.kind === "string" ? shortened(String(value)) : listText(type.base, value as Values);
    case "opaque":
      return `0x${Array.from((value as Uint8Array).subarray(0, LONG_LIST), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    case "reference":
      return `→ ${(value as Reference).kind} at ${(value as Reference).address}`;
  }
  return shortened(String(value));
}

/** Values in brackets, the first few of many. */
export function listText(type: Datatype, values: Values, start: number = 0, count: number = lengthOf(values)): string {
  const shown = Array.from({ length: Math.min(count, LONG_LIST) }, (_, i) =>
    textOf(type, scalarOf(type, values, start + i)),
  );
  return `[${shown.join(", ")}${count > LONG_LIST ? `, … ${count - LONG_LIST} more` : ""}]`;
}

function lengthOf(values: Values): number {
  return values instanceof StructArray || values instanceof ComplexArray
    ? values.length
    : (values as ArrayLike<unknown>).length;
}

function shortened(text: string): string {
  return text.length <= LONG_TEXT ? text : `${text.slice(0, LONG_TEXT)}… ${text.length - LONG_TEXT} more characters`;
}

/** What the elements of an array datatype are of, after all its dimensions, as `get` gives them. */
export function elementType(type: Datatype): Datatype {
  return type.class === "array" ? elementType(type.base) : type;
}

/** Whether a datatype's elements are real numbers. */
export function isNumeric(type: Datatype): boolean {
  return type.class === "integer" || type.class === "float" || type.class === "bitfield" || isBool(type);
}

/** Facts about a dataset, as pairs of a word and what it is; of a fact that cannot be read, why. */
export function factsOf(dataset: Dataset): readonly (readonly [string, string])[] {
  return [
    ["type", attempt(() => describeDatatype(dataset.datatype))],
    ["shape", attempt(() => shapeOf(dataset))],
    ["storage", attempt(() => storageOf(dataset))],
  ];
}

function shapeOf({ spaceClass, shape, maxShape }: Dataset): string {
  if (spaceClass !== "simple") return spaceClass;
  const most = maxShape.map((length) => (length === Number.POSITIVE_INFINITY ? "unlimited" : length)).join(" × ");
  return most === shape.join(" × ") ? most : `${shape.join(" × ")} of ${most}`;
}

function storageOf({ layout, chunkShape, filters }: Dataset): string {
  const chunks = chunkShape === undefined ? "" : ` of ${chunkShape.join(" × ")}`;
  return [layout.class + chunks, ...filters.map(({ id, name }) => filterName(id) ?? name ?? `filter ${id}`)].join(", ");
}

function attempt(describe: () => string): string {
  try {
    return describe();
  } catch (error) {
    return (error as Error).message;
  }
}
