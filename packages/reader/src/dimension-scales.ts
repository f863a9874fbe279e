import type { Reference } from "@h5/datatypes";
import { NotFoundError } from "@h5/framing";
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
 * @throws NotFoundError where a reference leads to no dataset
 */
export async function dimensionScales(
  file: H5File,
  dataset: Dataset,
  options: SignalOptions = {},
): Promise<Dimension[]> {
  const labels = ((await attributeOf(dataset, "DIMENSION_LABELS", options)) ?? []) as readonly string[];
  const lists = ((await attributeOf(dataset, "DIMENSION_LIST", options)) ?? []) as readonly (Reference | null)[][];
  const dimensions = dataset.shape.map(async (size, axis) => {
    const references = (lists[axis] ?? []).filter((reference) => reference !== null);
    const scales = await Promise.all(references.map((reference) => scaleOf(file, reference, options)));
    return { size, label: labels[axis] || undefined, scales };
  });
  return await Promise.all(dimensions);
}

async function attributeOf({ attrs }: Dataset, name: string, options: SignalOptions): Promise<unknown> {
  return (await attrs.has(name, options)) ? await attrs.get(name, options) : undefined;
}

async function scaleOf(file: H5File, reference: Reference, options: SignalOptions): Promise<DimensionScale> {
  const dataset = await file.dereference(reference, options);
  if (dataset.kind !== "dataset") throw new NotFoundError(`a dimension scale is a dataset, got a ${dataset.kind}`);
  const name = await attributeOf(dataset, "NAME", options);
  return { dataset, name: typeof name === "string" ? name : undefined };
}
