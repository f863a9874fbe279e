import type { HeapId } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { encodeVirtualMappings, type VirtualMapping } from "@h5/selection";
import { WIDTHS } from "../data/heap-pair.ts";
import type { FileModel } from "../model/file.ts";
import { objectAt } from "../model/walk.ts";
import { widelyRead } from "../values/selection-form.ts";
import type { DatasetBuilder } from "./dataset-builder.ts";
import { fillOf } from "./dataset-fill.ts";
import { type DatasetPlan, maxShapeOf, shapeOf, typeOf } from "./dataset-plan.ts";
import { spaceOf } from "./elements.ts";
import type { GroupBuilder } from "./group-builder.ts";
import { checkEarliest, checkOptions } from "./option-checks.ts";
import type { VirtualDatasetOptions } from "./options.ts";
import { mappingOf, type VirtualSource } from "./virtual-source.ts";

const VIRTUAL_OPTIONS = {
  shape: 0,
  dtype: 0,
  maxShape: 0,
  fillValue: 0,
  attrs: 0,
  trackOrder: 0,
  trackAttributeOrder: 0,
  comment: 0,
} as const;

/**
 * Adds a virtual dataset to a group, whose elements are those of other datasets, in this file or others. Nothing of them is
 * looked at; where they are not there when the dataset is read, it holds the fill value.
 *
 * @param sources - the later one holds where two have the same element as target
 * @throws InvalidArgumentError for a name that is taken, and for sources that libhdf5 refuses: other numbers of elements
 *   in source and target, lists of points, unlimited sources of limited targets, `%b` that counts nothing, and targets
 *   that are not within the shape
 */
export function virtualDataset(
  group: GroupBuilder,
  path: string,
  sources: readonly VirtualSource[],
  options: VirtualDatasetOptions,
): DatasetBuilder {
  return group.addDataset(path, options, () => planVirtualDataset(group.state.model, sources, options));
}

function planVirtualDataset(
  model: FileModel,
  sources: readonly VirtualSource[],
  options: VirtualDatasetOptions,
): DatasetPlan {
  checkOptions(options, VIRTUAL_OPTIONS);
  checkEarliest(model, "a virtual dataset");
  if (!Array.isArray(sources)) throw new InvalidArgumentError(`expected a list of sources, got ${String(sources)}`);
  const use = typeOf(model, options);
  const shape = shapeOf(options);
  const space = spaceOf(model, shape, maxShapeOf(shape, options));
  const fill = fillOf(model, use.datatype, "virtual", options);
  const mappings = sources.map((source, i) => checkedMapping(model, source, shape, i));
  return { ...use, space, fill, storage: { class: "virtual", mappings: storedMappings(model, mappings) } };
}

function checkedMapping(
  model: FileModel,
  source: VirtualSource,
  shape: readonly number[],
  index: number,
): VirtualMapping {
  try {
    return mappingOf(source, shape, source.sourceShape ?? shapeInFile(model, source));
  } catch (cause) {
    throw new InvalidArgumentError(`source ${index}: ${(cause as Error).message}`, { cause });
  }
}

function shapeInFile(model: FileModel, { file, dataset }: VirtualSource): readonly number[] | undefined {
  if (file !== "." || typeof dataset !== "string") return undefined;
  const object = objectAt(model.root, dataset);
  return object?.kind === "dataset" && object.space.class !== "null" ? object.space.shape : undefined;
}

function inWideForm(mapping: VirtualMapping): VirtualMapping {
  return { ...mapping, source: widelyRead(mapping.source), virtual: widelyRead(mapping.virtual) };
}

/** Block version 0, which HDF5 1.10 reads, with its selections. */
function storedMappings(model: FileModel, mappings: readonly VirtualMapping[]): HeapId | undefined {
  if (mappings.length === 0) return undefined;
  const bytes = encodeVirtualMappings({ version: 0, mappings: mappings.map(inWideForm) }, WIDTHS, { low: "v110" });
  return model.heaps.values.store({ bytes, base: undefined, reference: undefined });
}
