import type { DatatypeModel, ObjectModel } from "./objects.ts";

/**
 * How often datasets and attributes use each named datatype: headers count that among the links to it, so that it outlives
 * its names (H5Oshared.c, `H5O__shared_link_adj`).
 */
export function typeUses(objects: Iterable<ObjectModel>): Map<ObjectModel, number> {
  const uses = new Map<ObjectModel, number>();
  const add = (named: DatatypeModel | undefined): void => {
    if (named !== undefined) uses.set(named, (uses.get(named) ?? 0) + 1);
  };
  for (const object of objects) {
    if (object.kind === "dataset") add(object.named);
    for (const { named } of object.attributes?.values() ?? []) add(named);
  }
  return uses;
}
