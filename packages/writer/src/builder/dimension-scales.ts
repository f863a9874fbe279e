import {
  compoundType,
  type Datatype,
  encodeValues,
  fixedStringType,
  type ObjectReference,
  referenceType,
  uint32le,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { decodeText, InvalidArgumentError, sizeOfAttribute, sizeOfText } from "@h5/framing";
import type { Dataspace } from "@h5/selection";
import { attributeContent } from "../model/attribute-content.ts";
import type { FileModel } from "../model/file.ts";
import { type AttributeModel, type DatasetModel, setAttribute } from "../model/objects.ts";
import { checkText } from "../model/path.ts";
import type { DatasetBuilder } from "./dataset-builder.ts";
import { fileDatatype, spaceOf } from "./elements.ts";
import { largestMessage } from "./option-checks.ts";

/** The value of `CLASS` that makes a dataset a scale, 16 bytes with the NUL that ends it. */
const SCALE = "DIMENSION_SCALE";
/** Other classes that libhdf5 attaches no scales to (H5DS.c, `H5DS_is_reserved`). */
const RESERVED = ["IMAGE", "PALETTE", "TABLE"];

/** An attribute whose values are added one by one; they are encoded when it is written. */
class ListAttribute<V> implements AttributeModel {
  readonly name: string;
  readonly named: undefined;
  readonly datatype: Datatype;
  readonly #file: FileModel;
  readonly #values: V[];
  #encoded: Uint8Array<ArrayBuffer> | undefined;

  constructor(file: FileModel, name: string, datatype: Datatype, values: V[]) {
    this.name = name;
    this.datatype = fileDatatype(file, datatype);
    this.#file = file;
    this.#values = values;
  }

  get values(): readonly V[] {
    return this.#values;
  }

  set(index: number, value: V): void {
    this.#values[index] = value;
    this.#encoded = undefined;
  }

  get space(): Dataspace {
    return spaceOf(this.#file, [this.#values.length]);
  }

  get elements(): Uint8Array<ArrayBuffer> {
    this.#encoded ??= encodeValues(this.datatype, this.#values, { store: this.#file.heaps.store });
    return this.#encoded;
  }
}

/** The scales of each dimension, `DIMENSION_LIST`. */
class ScaleLists extends ListAttribute<readonly ObjectReference[]> {}

/** The datasets that have a scale, and on which of their dimensions, `REFERENCE_LIST`. */
class ScaleUses extends ListAttribute<{ readonly dataset: ObjectReference; readonly dimension: number }> {}

/** `DIMENSION_LABELS`, empty where a dimension has none. */
class Labels extends ListAttribute<string> {}

/**
 * Makes a dataset a dimension scale: coordinates along dimensions of other datasets, as `H5DSset_scale` does (HDF5 Dimension
 * Scale Specification; H5DS.c).
 *
 * @returns the dataset
 * @throws InvalidArgumentError for a dataset that has scales itself, and one that has a name or another class already
 */
export function makeScale(dataset: DatasetBuilder, name?: string): DatasetBuilder {
  return dataset.changed(() => setClass(dataset, name));
}

/**
 * Attaches a scale to a dimension, after those it has already, as `H5DSattach_scale` does (H5DS.c); once is enough. A
 * dataset that is no scale yet becomes one.
 *
 * @returns the dataset that has the dimension
 * @throws InvalidArgumentError where that is a scale itself, where `scale` has scales, and for a dimension that is not there
 */
export function attachScale(dataset: DatasetBuilder, axis: number, scale: DatasetBuilder): DatasetBuilder {
  return dataset.changed(() => attach(dataset, axis, scale));
}

/**
 * Gives a dimension a label, as `H5DSset_label` does (H5DS.c).
 *
 * @returns the dataset
 * @throws InvalidArgumentError for a dimension that is not there, and a label that is no text
 */
export function labelDimension(dataset: DatasetBuilder, axis: number, label: string): DatasetBuilder {
  return dataset.changed(() => setLabel(dataset, axis, label));
}

function setClass(dataset: DatasetBuilder, name: string | undefined): void {
  if (dataset.model.attributes?.has("DIMENSION_LIST"))
    throw new InvalidArgumentError("a dataset with scales of its own cannot be one");
  if (!isScale(dataset.model)) dataset.attribute("CLASS", SCALE, { dtype: terminated(SCALE) });
  if (name === undefined) return;
  checkText(name, "scale name");
  dataset.attribute("NAME", name, { dtype: terminated(name) });
}

function attach(dataset: DatasetBuilder, axis: number, scale: DatasetBuilder): void {
  checkPair(dataset, scale);
  checkAxis(axis, Math.max(1, dataset.model.space.shape.length));
  const file = dataset.state.model;
  const lists = scaleListsOf(file, dataset.model);
  const uses = scaleUsesOf(file, scale.model);
  const address = file.targets.numberOf(scale.path);
  const attached = lists.values[axis]!;
  if (attached.some((other) => other.address === address)) return;
  checkRoom(file, uses);
  if (!isScale(scale.model)) setClass(scale, undefined);
  lists.set(axis, [...attached, { kind: "object", address }]);
  const reference = { kind: "object", address: file.targets.numberOf(dataset.path) } as const;
  uses.set(uses.values.length, { dataset: reference, dimension: axis });
  setAttribute(dataset.model, lists);
  setAttribute(scale.model, uses);
}

function setLabel(dataset: DatasetBuilder, axis: number, label: string): void {
  const { space } = dataset.model;
  checkAxis(axis, space.shape.length);
  checkText(label, "label");
  const known = ownAttribute(dataset.model, "DIMENSION_LABELS", Labels);
  const labels = known?.values.slice() ?? space.shape.map(() => "");
  labels[axis] = label;
  const datatype = vlenStringType(charsetOf(labels.join("")));
  setAttribute(dataset.model, new Labels(dataset.state.model, "DIMENSION_LABELS", datatype, labels));
}

function checkPair(dataset: DatasetBuilder, scale: DatasetBuilder): void {
  if (dataset.state !== scale.state) throw new InvalidArgumentError(`scale ${scale.path} is in another file`);
  if (dataset.model === scale.model) throw new InvalidArgumentError("a dataset cannot be a scale of itself");
  const kind = classOf(dataset.model);
  if (isScale(dataset.model)) throw new InvalidArgumentError("a dimension scale cannot have scales");
  if (kind !== undefined && RESERVED.includes(kind))
    throw new InvalidArgumentError(`a dataset of class ${kind} cannot have scales`);
  if (scale.model.attributes?.has("DIMENSION_LIST"))
    throw new InvalidArgumentError(`${scale.path} has scales of its own and cannot be one`);
}

function checkAxis(axis: number, rank: number): void {
  if (Number.isInteger(axis) && axis >= 0 && axis < rank) return;
  throw new InvalidArgumentError(`dimension ${axis} of a dataset that has ${rank}`);
}

function checkRoom(file: FileModel, { name, named, datatype, space, values }: ScaleUses): void {
  const empty = { name, named, datatype, space, elements: new Uint8Array(0) };
  const size = sizeOfAttribute(attributeContent(empty, file)) + (values.length + 1) * datatype.size;
  if (!file.earliest || size <= largestMessage(file)) return;
  throw new InvalidArgumentError(
    `a scale of ${values.length} dimensions, more than compatibility "earliest" can hold in REFERENCE_LIST`,
  );
}

function scaleListsOf(file: FileModel, model: DatasetModel): ScaleLists {
  const rank = Math.max(1, model.space.shape.length);
  const none = new Array<readonly ObjectReference[]>(rank).fill([]);
  const known = ownAttribute(model, "DIMENSION_LIST", ScaleLists);
  return known ?? new ScaleLists(file, "DIMENSION_LIST", scaleListType, none);
}

function scaleUsesOf(file: FileModel, model: DatasetModel): ScaleUses {
  const known = ownAttribute(model, "REFERENCE_LIST", ScaleUses);
  return known ?? new ScaleUses(file, "REFERENCE_LIST", scaleUseType(), []);
}

const scaleListType: Datatype = /* @__PURE__ */ vlenType(/* @__PURE__ */ referenceType());

/** libhdf5's `ds_list_t` with its padding (H5DSprivate.h). */
function scaleUseType(): Datatype {
  const packed = compoundType([
    { name: "dataset", type: referenceType() },
    { name: "dimension", type: uint32le },
  ]);
  return { ...packed, size: 16 };
}

/** An attribute that these functions made; one that was added by hand cannot be gone on with. */
function ownAttribute<A extends AttributeModel>(
  { attributes }: DatasetModel,
  name: string,
  own: abstract new (...args: never[]) => A,
): A | undefined {
  const attribute = attributes?.get(name);
  if (attribute === undefined || attribute instanceof own) return attribute;
  throw new InvalidArgumentError(`there is an attribute ${JSON.stringify(name)} already`);
}

function isScale(model: DatasetModel): boolean {
  return model.attributes?.get("CLASS")?.datatype.size === SCALE.length + 1 && classOf(model) === SCALE;
}

/** The text of `CLASS`, where that is a string as libhdf5 looks for it. */
function classOf({ attributes }: DatasetModel): string | undefined {
  const attribute = attributes?.get("CLASS");
  if (attribute?.datatype.class !== "string" || attribute.datatype.pad !== "nullterm") return undefined;
  return decodeText(attribute.elements).split("\0")[0];
}

/** A string's own type as libhdf5 makes it, with room for the NUL (H5LT.c, `H5LT_set_attribute_string`). */
function terminated(text: string): Datatype {
  return fixedStringType(sizeOfText(text) + 1, charsetOf(text), "nullterm");
}

function charsetOf(text: string): "ascii" | "utf8" {
  return sizeOfText(text) === text.length ? "ascii" : "utf8";
}
