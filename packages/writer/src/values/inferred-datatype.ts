import {
  arrayType,
  bool,
  compoundType,
  type Datatype,
  datatypeOfArray,
  float32le,
  float64le,
  int64le,
  type ReferenceKind,
  referenceType,
  vlenStringType,
} from "@h5/datatypes";
import { defaultLimits, InvalidArgumentError } from "@h5/framing";
import type { FileTypes } from "../model/file-types.ts";
import { complexOf, type DtypeOptions } from "./dtype.ts";
import { innermost, isList, isReaderList, isTypedArray, type List, levelsOf } from "./nesting.ts";
import { shown } from "./shown.ts";

/** What inference has to be told. */
export interface InferenceOptions extends DtypeOptions {
  /** The types of the file the data is for. */
  readonly types?: FileTypes | undefined;
  /** The kind of reference that a value of the writer's own stands for, where it stands for one. */
  readonly referenceKind?: ((value: unknown) => "object" | "region" | undefined) | undefined;
  /** Objects around the one looked at. */
  readonly depth?: number | undefined;
}

/**
 * The datatype of data that comes without one: of typed arrays their own; numbers are float64, bigints int64, strings
 * UTF-8 of any length, booleans h5py's enumeration, objects compounds, lists inside those arrays. Goes by the first
 * value; one that does not fit what that says is refused when it is encoded. An empty list is one of float64.
 *
 * @throws InvalidArgumentError for what has no datatype
 */
export function inferDatatype(data: unknown, options: InferenceOptions): Datatype {
  if (isList(data)) return typeInside(data, options);
  if (isColumns(data, options)) {
    const columns = Object.entries(data).map(([name, column]) => ({ name, type: columnType(column, options) }));
    return compoundType(columns);
  }
  return typeOfValue(data, options);
}

/** Type of the values inside all lists. */
function typeInside(list: List, options: InferenceOptions): Datatype {
  let inner: List = list;
  for (let level = levelsOf(list); level > 1; level--) inner = (inner as readonly List[])[0]!;
  if (isTypedArray(inner)) return datatypeOfArray(inner);
  if (isReaderList(inner)) {
    if ("re" in inner) return complexOf(inner.re instanceof Float32Array ? float32le : float64le, options);
    return compoundType(inner.fields.map(({ name, datatype }) => ({ name, type: datatype })));
  }
  return inner.length === 0 ? float64le : typeOfValue(innermost(inner), options);
}

/** Type of the values in one list: lists in it are arrays. */
function columnType(column: List, options: InferenceOptions): Datatype {
  return Array.isArray(column) && isList(column[0]) ? typeOfValue(column[0], options) : typeInside(column, options);
}

function typeOfValue(value: unknown, options: InferenceOptions): Datatype {
  switch (typeof value) {
    case "number":
      return float64le;
    case "bigint":
      return int64le;
    case "string":
      return options.types?.text ?? vlenStringType();
    case "boolean":
      return bool;
    case "object":
      return value === null ? noType(value) : typeOfObject(value, options);
    default:
      return noType(value);
  }
}

function typeOfObject(value: object, options: InferenceOptions): Datatype {
  const kind = kindOfReference(value, options);
  if (kind === "object" || kind === "region") return referenceType(kind);
  if (isList(value)) return arrayType(dimensionsOf(value), typeInside(value, options));
  if (kind !== undefined || !isRecord(value)) return noType(value);
  const depth = (options.depth ?? 0) + 1;
  if (depth > defaultLimits.datatypeDepth) throw new InvalidArgumentError(`over ${depth - 1} objects in one another`);
  const inside = { ...options, depth };
  const members = Object.entries(value).map(([name, member]) => ({ name, type: typeOfValue(member, inside) }));
  return members.length === 0 ? noType(value) : compoundType(members);
}

function kindOfReference(value: object, options: InferenceOptions): ReferenceKind | undefined {
  const kind = options.referenceKind?.(value);
  if (kind !== undefined) return kind;
  return "kind" in value && "address" in value ? (value.kind as ReferenceKind) : undefined;
}

/** Lengths of lists in lists, going by the first in each; that the others are alike shows when they are encoded. */
function dimensionsOf(list: List): number[] {
  const dimensions: number[] = [];
  let inner: unknown = list;
  for (let level = levelsOf(list); level > 0; level--) {
    dimensions.push((inner as List).length);
    inner = (inner as readonly unknown[])[0];
  }
  if (dimensions.includes(0)) throw new InvalidArgumentError("an empty list in an element needs a dtype");
  return dimensions;
}

/** An object as literals and `JSON.parse` make them, or one that inherits nothing. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether data without a datatype is an object of columns: one with nothing but lists in it. */
function isColumns(data: unknown, options: InferenceOptions): data is Readonly<Record<string, List>> {
  if (data === null || typeof data !== "object" || !isRecord(data) || kindOfReference(data, options)) return false;
  const columns = Object.values(data);
  return columns.length > 0 && columns.every(isList);
}

function noType(value: unknown): never {
  throw new InvalidArgumentError(`no datatype for ${shown(value)}`);
}
