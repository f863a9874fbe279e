import { type Datatype, type EncodableValues, float64le, isComplexPair } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { type DtypeOption, datatypeOf } from "./dtype.ts";
import { type InferenceOptions, inferDatatype } from "./inferred-datatype.ts";
import { deepestOf, type FlatValues, flatten, innermost, isList, isReaderList, levelsOf } from "./nesting.ts";
import { checkSequences, storedDatatype } from "./stored-datatype.ts";

/** What may be said about data. */
export interface PlanDataOptions extends InferenceOptions {
  /** Elements along each axis, `[]` for one element; without it, as the lists of the data are nested. */
  readonly shape?: readonly number[] | undefined;
  /** Type of the elements; without it, the one the data suggests. */
  readonly dtype?: DtypeOption | undefined;
}

/** Data as the file will have it. */
export interface DataPlan {
  /** Type of an element, as the file has it (see `storedDatatype`). */
  readonly datatype: Datatype;
  /** Elements along each axis: none for a scalar, `null` for a null dataspace. */
  readonly shape: readonly number[] | null;
  /** What to encode `values` as: `datatype`, or the base of an array datatype, whose elements are such values in a row. */
  readonly valueType: Datatype;
  /** The values in row-major order. They may be the caller's own. */
  readonly values: EncodableValues;
}

/** Most dimensions of a dataspace (H5S_MAX_RANK). */
const MAX_RANK = 32;

/**
 * Finds datatype, shape and a flat list of values in data: numbers, bigints, booleans and strings; lists of them, in lists
 * to any depth; typed arrays; rows, columns and `StructArray`s of a compound; pairs, columns and `ComplexArray`s of complex
 * numbers; lists of sequences; what a reader gives, with its shape. `null` is the null dataspace. Values are not
 * looked at one by one: `encodeValues(valueType, values)` refuses those that do not fit.
 *
 * @throws InvalidArgumentError for data without a datatype, one the file cannot hold, lists of different lengths, and a
 * shape for another number of values
 */
export function planData(data: unknown, options: PlanDataOptions = {}): DataPlan {
  const { shape: asked } = options;
  if (asked !== undefined) checkShape(asked);
  if (data === undefined) throw new InvalidArgumentError("no data");
  const isNull = data === null && asked === undefined;
  const wanted = typeOf(data, options);
  const datatype = options.types?.stored(wanted) ?? storedDatatype(wanted, options.libver);
  checkSequences(datatype);
  if (isNull) return { datatype, shape: null, valueType: datatype, values: [] };
  const { dims, base } = withoutArrays(datatype);
  const found = isColumns(base, data) ? columns(base, data) : flatten(data, axesOf(base, data, dims, asked));
  return { datatype, shape: shapeOf(found.shape, dims, asked), valueType: base, values: found.values };
}

function typeOf(data: unknown, options: PlanDataOptions): Datatype {
  const { dtype, types } = options;
  if (dtype !== undefined) return types?.of(dtype) ?? datatypeOf(dtype, options);
  return data === null ? float64le : inferDatatype(data, options);
}

/**
 * Checks the shape of a dataspace.
 *
 * @throws InvalidArgumentError for more than 32 dimensions and for lengths that are no whole numbers
 */
export function checkShape(shape: readonly number[]): void {
  if (!Array.isArray(shape) || shape.length > MAX_RANK) {
    throw new InvalidArgumentError(`shape ${String(shape)}, expected a list of at most ${MAX_RANK} lengths`);
  }
  for (const length of shape) {
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new InvalidArgumentError(`shape [${shape.join(", ")}], expected whole numbers`);
    }
  }
}

/** An array datatype, and arrays of those, as dimensions of the base. */
function withoutArrays(t: Datatype): { readonly dims: readonly number[]; readonly base: Datatype } {
  if (t.class !== "array") return { dims: [], base: t };
  const { dims, base } = withoutArrays(t.base);
  return { dims: [...t.dims, ...dims], base };
}

/** Levels of lists in data that are axes: those that are not part of a value. */
function axesOf(base: Datatype, data: unknown, dims: readonly number[], asked: readonly number[] | undefined): number {
  const sequences = base.class === "vlen" && base.kind === "sequence" && isList(data);
  const sample = sequences ? deepestOf(data) : data;
  const levels = levelsOf(sample) - levelsInside(base, sample);
  if (!sequences) return Math.max(0, levels);
  // A list of sequences may be empty, so that only a shape can say that it is a sequence.
  return asked?.length === 0 ? dims.length : Math.max(1, levels);
}

/** Levels of lists in one value of a type. */
function levelsInside(t: Datatype, data: unknown): number {
  switch (t.class) {
    case "vlen":
      return t.kind === "string" ? 0 : 1 + levelsInside(t.base, data);
    case "array":
      return t.dims.length + levelsInside(t.base, data);
    case "opaque":
      return 1;
    case "complex":
    case "compound":
      return isComplex(t) && typeof innermost(data) === "number" ? 1 : 0;
    default:
      return 0;
  }
}

function isComplex(t: Datatype): boolean {
  return t.class === "complex" || isComplexPair(t);
}

type Columns = Readonly<Record<string, unknown>>;

/** Whether data is an object of columns: one where a member has more lists around it than one value of its type. */
function isColumns(t: Datatype, data: unknown): data is Columns {
  if (data === null || typeof data !== "object" || isList(data)) return false;
  if (isComplex(t) && "re" in data) return isList(data.re);
  return t.class === "compound" && t.members.some(({ name, type }) => isColumn(type, (data as Columns)[name]));
}

function isColumn(t: Datatype, value: unknown): boolean {
  if (isReaderList(value)) return true;
  return isList(value) ? levelsOf(value) > levelsInside(t, value) : isColumns(t, value);
}

function columns(t: Datatype, data: Columns): { shape: readonly number[]; values: EncodableValues } {
  return { shape: [lengthOf(t, data)], values: data };
}

/** Number of values in a column, which for a compound member may be columns again. */
function lengthOf(t: Datatype, column: unknown): number {
  if (isList(column)) return column.length;
  if (column !== null && typeof column === "object") {
    if (isComplex(t) && "re" in column) return lengthOf(t, column.re);
    const [first] = t.class === "compound" ? t.members : [];
    if (first !== undefined) return lengthOf(first.type, (column as Columns)[first.name]);
  }
  throw new InvalidArgumentError(`expected columns, got ${String(column)}`);
}

/** The shape of elements of which each has `dims` values, from that of the values. */
function shapeOf(
  found: FlatValues["shape"],
  dims: readonly number[],
  asked: readonly number[] | undefined,
): readonly number[] {
  const count = product(found);
  const rest = found.length - dims.length;
  if (asked === undefined) {
    if (rest >= 0 && dims.every((dim, i) => dim === found[rest + i])) return found.slice(0, rest);
    throw new InvalidArgumentError(`values of shape [${found.join(", ")}] for arrays of [${dims.join(", ")}]`);
  }
  if (count === product(asked) * product(dims)) return [...asked];
  // What a reader gives has the arrays' dimensions in its shape.
  const own = asked.length - dims.length;
  if (count === product(asked) && own >= 0 && dims.every((dim, i) => dim === asked[own + i]))
    return asked.slice(0, own);
  const each = dims.length === 0 ? "" : ` of [${dims.join(", ")}] each`;
  throw new InvalidArgumentError(`${count} values for ${product(asked)} elements${each}, shape [${asked.join(", ")}]`);
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((count, length) => count * length, 1);
}
