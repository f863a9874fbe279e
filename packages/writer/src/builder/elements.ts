import { bytesAsStored, type Datatype, type EncodableValues, encodeValues } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { type Dataspace, elementCount } from "@h5/selection";
import type { HeapPair } from "../data/heap-pair.ts";
import type { FileModel } from "../model/file.ts";
import type { DatatypeModel, TypeUse } from "../model/objects.ts";
import type { DtypeOption } from "../values/dtype.ts";
import { checkShape, type PlanDataOptions, planData } from "../values/infer.ts";
import { checkMessageSize } from "./option-checks.ts";
import { referenceKind } from "./references.ts";
import { isStoredElements, type StoredElements } from "./stored-elements.ts";

/** Elements with their type and space, ready for the file but for the addresses in them. */
export interface EncodedData extends TypeUse {
  /** Elements along each axis; null for the null dataspace. */
  readonly shape: readonly number[] | null;
  readonly elements: Uint8Array<ArrayBuffer>;
}

/** A named datatype as its builder has it. */
export interface NamedType {
  /** @internal */
  readonly model: DatatypeModel;
  /** @internal */
  readonly state: { readonly model: FileModel };
}

/** What may be said of data. */
export interface DataOptions {
  readonly dtype?: DtypeOption | NamedType | undefined;
  readonly shape?: readonly number[] | undefined;
  readonly copy?: boolean | undefined;
}

/** Encodes data; every value is checked against its type here. */
export function encodeData(model: FileModel, data: unknown, options: DataOptions): EncodedData {
  if (isStoredElements(data)) return encodeStored(model, data, options);
  const { dtype, shape, copy = true } = options;
  const named = namedOf(model, dtype);
  const plan = planData(data, planOptions(model, named?.datatype ?? (dtype as DtypeOption | undefined), shape));
  const datatype = fileDatatype(model, plan.datatype);
  if (plan.shape === null) return { datatype, named, shape: null, elements: new Uint8Array(0) };
  const stored = copy ? undefined : bytesAsStored(plan.valueType, plan.values);
  const elements = isPlain(stored) ? stored : encodeElements(model, plan.valueType, plan.values, model.heaps);
  return { datatype, named, shape: plan.shape, elements };
}

function encodeStored(model: FileModel, data: StoredElements, { dtype, shape }: DataOptions): EncodedData {
  const { datatype, count } = data.values;
  const own = fileDatatype(model, datatype);
  const use = dtype === undefined ? { datatype: own, named: undefined } : datatypeUse(model, dtype);
  const found = shape ?? [count];
  checkShape(found);
  if (elementCount(found) !== count) {
    throw new InvalidArgumentError(`${count} stored elements for shape [${found.join(", ")}]`);
  }
  return { ...use, shape: found, elements: data.transfer(model, data, use.datatype, own, model.heaps) };
}

/** Whether there are bytes, and nobody else can change them: those of shared memory are copied after all. */
function isPlain(bytes: Uint8Array | undefined): bytes is Uint8Array<ArrayBuffer> {
  return bytes?.buffer instanceof ArrayBuffer;
}

/** Encodes a block of data as elements of a type, however the block's lists are nested. */
export function encodeBlock(
  model: FileModel,
  data: unknown,
  datatype: Datatype,
  heaps: HeapPair,
): Uint8Array<ArrayBuffer> {
  if (isStoredElements(data)) {
    return data.transfer(model, data, datatype, fileDatatype(model, data.values.datatype), heaps);
  }
  const plan = planData(data, planOptions(model, datatype));
  return encodeElements(model, plan.valueType, plan.values, heaps);
}

function planOptions(
  { types }: FileModel,
  dtype: DtypeOption | undefined,
  shape?: readonly number[] | undefined,
): PlanDataOptions {
  return { dtype, shape, types, libver: types.low, referenceKind };
}

/** Encodes values that are in one list, or columns. */
export function encodeElements(
  model: FileModel,
  valueType: Datatype,
  values: EncodableValues,
  heaps: HeapPair,
): Uint8Array<ArrayBuffer> {
  const { store, storeCopy } = heaps;
  return encodeValues(valueType, values, { store, storeCopy, reference: model.reference });
}

/** A datatype as this file holds it. */
export function fileDatatype(model: FileModel, datatype: Datatype): Datatype {
  const stored = model.types.stored(datatype);
  checkMessageSize(model, "a datatype", model.types.encoded(stored).length);
  return stored;
}

/** The datatype an option stands for, and the named one it is. */
export function datatypeUse(model: FileModel, dtype: DtypeOption | NamedType): TypeUse {
  const named = namedOf(model, dtype);
  if (named !== undefined) return { datatype: named.datatype, named };
  return { datatype: fileDatatype(model, model.types.of(dtype as DtypeOption)), named: undefined };
}

// The spaces of most attributes, of which there are very many.
const oldScalar: Dataspace = { class: "scalar", version: 1, shape: [], maxShape: [] };
const scalar: Dataspace = { class: "scalar", version: 2, shape: [], maxShape: [] };

/** The space of elements that were given without more said. */
export function spaceOf(model: FileModel, shape: readonly number[] | null, maxShape?: readonly number[]): Dataspace {
  if (shape === null) return { class: "null", version: 2, shape: [], maxShape: [] };
  const version = model.earliest ? 1 : 2;
  if (shape.length === 0) return version === 1 ? oldScalar : scalar;
  const { lastSpace } = model;
  if (lastSpace && isSame(lastSpace.shape, shape) && isSame(lastSpace.maxShape, maxShape ?? shape)) return lastSpace;
  // Copies: the caller may use his lists again.
  model.lastSpace = { class: "simple", version, shape: [...shape], maxShape: [...(maxShape ?? shape)] };
  return model.lastSpace;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, d) => size === b[d]);
}

/** The named datatype that a dtype is; undefined where it is none. */
function namedOf(model: FileModel, dtype: DataOptions["dtype"]): DatatypeModel | undefined {
  if (typeof dtype !== "object" || dtype === null || !isNamed(dtype)) return undefined;
  if (dtype.state.model !== model) throw new InvalidArgumentError("dtype is a named datatype of another file");
  return dtype.model;
}

/** Members of a compound are dtypes, so that none are like this. */
function isNamed(dtype: DtypeOption | NamedType): dtype is NamedType {
  const { model, state } = dtype as Partial<NamedType>;
  return model?.kind === "datatype" && state !== undefined;
}
