import { type Datatype, dtypeOf, type Reference } from "@h5/datatypes";
import { InvalidFieldError, NotFoundError } from "@h5/framing";
import type { Dataset } from "./dataset.ts";
import type { H5File } from "./file.ts";
import type { SignalOptions } from "./session.ts";

/** A dataset that holds the coordinates along a dimension. */
export interface DimensionScale {
  readonly dataset: Dataset;
  /** Its `NAME` attribute, where it has one. */
  readonly name: string | undefined;
}

/** A dimension of a dataset as the dimension scales convention describes it. */
export interface Dimension {
  readonly size: number;
  readonly label: string | undefined;
  readonly scales: readonly DimensionScale[];
}

/**
 * The scales attached to each dimension of a dataset (HDF5 Dimension Scale Specification, which netCDF-4 builds on): its
 * `DIMENSION_LABELS` and `DIMENSION_LIST` attributes, with the references followed. A dimension without any has none.
 *
 * @throws NotFoundError where a reference leads to no dataset, InvalidFieldError for attributes of other types than these have
 */
export async function dimensionScales(
  file: H5File,
  dataset: Dataset,
  options: SignalOptions = {},
): Promise<Dimension[]> {
  const labels = await elementsOf<string>(dataset, "DIMENSION_LABELS", { named: "strings", is: isString }, options);
  const ofLists = { named: "sequences of references", is: isReferenceList };
  const lists = await elementsOf<(Reference | null)[]>(dataset, "DIMENSION_LIST", ofLists, options);
  const dimensions = dataset.shape.map(async (size, axis) => {
    const references = (lists[axis] ?? []).filter((reference) => reference !== null);
    const scales = await Promise.all(references.map((reference) => scaleOf(file, reference, options)));
    return { size, label: labels[axis] || undefined, scales };
  });
  return await Promise.all(dimensions);
}

function isString(datatype: Datatype): boolean {
  return dtypeOf(datatype) === "string";
}

function isReferenceList(datatype: Datatype): boolean {
  return datatype.class === "vlen" && datatype.kind === "sequence" && datatype.base.class === "reference";
}

/** The elements of an attribute that is to be of a type; none where there is no such attribute. */
async function elementsOf<T>(
  { attrs, path }: Dataset,
  name: string,
  expected: { readonly named: string; readonly is: (datatype: Datatype) => boolean },
  options: SignalOptions,
): Promise<readonly T[]> {
  if (!(await attrs.has(name, options))) return [];
  const attribute = await attrs.attribute(name, options);
  if (!expected.is(attribute.datatype)) {
    const structure = `attribute ${name}`;
    throw new InvalidFieldError(`expected ${expected.named}, got ${attribute.dtype}`, { structure, path });
  }
  return (await attribute.get(options)).data as readonly T[];
}

async function scaleOf(file: H5File, reference: Reference, options: SignalOptions): Promise<DimensionScale> {
  const dataset = await file.dereference(reference, options);
  if (dataset.kind !== "dataset") throw new NotFoundError(`a dimension scale is a dataset, got a ${dataset.kind}`);
  const name = (await dataset.attrs.has("NAME", options)) ? await dataset.attrs.get("NAME", options) : undefined;
  return { dataset, name: typeof name === "string" ? name : undefined };
}
