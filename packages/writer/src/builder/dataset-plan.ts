import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import type { FileModel } from "../model/file.ts";
import type { DatasetModel, TypeUse } from "../model/objects.ts";
import { checkShape } from "../values/infer.ts";
import { shown } from "../values/shown.ts";
import { fillOf } from "./dataset-fill.ts";
import { layoutOf, storageOf } from "./dataset-storage.ts";
import { datatypeUse, encodeData, spaceOf } from "./elements.ts";
import { checkNumbers, checkOptions } from "./option-checks.ts";
import type { DatasetOptions } from "./options.ts";
import { isStream } from "./streamed-data.ts";

/** What {@link planDataset} finds out; attributes and links are added by others. */
export type DatasetPlan = Pick<DatasetModel, "datatype" | "named" | "space" | "fill" | "storage">;

const DATASET_OPTIONS = {
  dtype: 0,
  shape: 0,
  maxShape: 0,
  chunks: 0,
  filters: 0,
  unfilteredEdges: 0,
  fillValue: 0,
  fillTime: 0,
  allocationTime: 0,
  layout: 0,
  external: 0,
  copy: 0,
  attrs: 0,
  trackOrder: 0,
  trackAttributeOrder: 0,
  comment: 0,
} as const;

/**
 * Checks data and options against one another, and encodes the data.
 *
 * @throws InvalidArgumentError for what does not go together, and for values that do not fit their type
 */
export function planDataset(model: FileModel, data: unknown, options: DatasetOptions): DatasetPlan {
  checkOptions(options, DATASET_OPTIONS);
  const stream = isStream(data) ? data : undefined;
  const encoded = stream === undefined && data !== undefined ? encodeData(model, data, options) : undefined;
  const { datatype, named } = encoded ?? typeOf(model, options);
  const shape = encoded === undefined ? shapeOf(options) : encoded.shape;
  const space = spaceOf(model, shape, maxShapeOf(shape, options));
  // No element may be beyond what a number counts, stored or not.
  elementCount([...space.shape, datatype.size]);
  const layout = layoutOf(options, space);
  const fill = fillOf(model, datatype, layout, options);
  const storage = storageOf(model, { datatype, space, fill }, layout, stream ?? encoded, options);
  return { datatype, named, space, fill, storage };
}

/**
 * The type of a dataset whose data is not at hand.
 *
 * @throws InvalidArgumentError where none is said
 */
export function typeOf(model: FileModel, { dtype }: Pick<DatasetOptions, "dtype">): TypeUse {
  if (dtype === undefined)
    throw new InvalidArgumentError("without data at hand, dtype must say the type of the elements");
  return datatypeUse(model, dtype);
}

/**
 * The shape of a dataset whose data is not at hand.
 *
 * @throws InvalidArgumentError where neither shape nor maximum shape says it
 */
export function shapeOf({ shape, maxShape }: Pick<DatasetOptions, "shape" | "maxShape">): readonly number[] {
  if (shape !== undefined) checkShape(shape);
  else if (maxShape !== undefined) checkNumbers("maxShape", maxShape, { infinite: true });
  const known = shape ?? maxShape?.map((size, axis) => (axis === 0 && size === Infinity ? 0 : size));
  if (known === undefined || known.includes(Infinity)) {
    throw new InvalidArgumentError("without data at hand, shape must say how many elements there are");
  }
  return known;
}

/**
 * The most each axis may grow to; undefined for the null dataspace.
 *
 * @throws InvalidArgumentError for less than the shape
 */
export function maxShapeOf(
  shape: readonly number[] | null,
  { maxShape }: Pick<DatasetOptions, "maxShape">,
): readonly number[] | undefined {
  if (maxShape === undefined) return shape ?? undefined;
  checkNumbers("maxShape", maxShape, { infinite: true });
  const fits = shape?.length === maxShape.length && shape.every((size, d) => size <= maxShape[d]!);
  if (!fits) throw new InvalidArgumentError(`maxShape ${shown(maxShape)} does not suit shape ${shown(shape)}`);
  return [...maxShape];
}
