import type { ObjectModel } from "./objects.ts";

/**
 * What headers count as links: hard links to an object, and of a named datatype each use by a dataset or attribute too,
 * so that it outlives its names (H5Oshared.c, `H5O__shared_link_adj`).
 */
export function linkCounts(objects: Iterable<ObjectModel>): Map<ObjectModel, number> {
  const counts = new Map<ObjectModel, number>();
  const add = (object: ObjectModel, count: number): void => void counts.set(object, (counts.get(object) ?? 0) + count);
  for (const object of objects) {
    add(object, object.linkCount);
    if (object.kind === "dataset" && object.named !== undefined) add(object.named, 1);
    for (const { named } of object.attributes.values()) if (named !== undefined) add(named, 1);
  }
  return counts;
}
