import type { GroupModel, LinkModel, ObjectModel } from "./objects.ts";
import { namesOf } from "./path.ts";

/** All objects that hard links lead to, the root first, each with room for its address. */
export function reachable(root: GroupModel): Map<ObjectModel, number | undefined> {
  const objects = new Map<ObjectModel, number | undefined>([[root, undefined]]);
  // A map that grows while it is walked gives what was added too.
  for (const object of objects.keys()) {
    if (object.kind !== "group") continue;
    for (const link of object.links.values()) if (link.type === "hard") objects.set(link.target, undefined);
  }
  return objects;
}

/** The path by which each object is found first. */
export function pathsOf(root: GroupModel): Map<ObjectModel, string> {
  const paths = new Map<ObjectModel, string>([[root, "/"]]);
  for (const [object, path] of paths) {
    if (object.kind !== "group") continue;
    for (const [name, link] of object.links) {
      if (link.type === "hard" && !paths.has(link.target))
        paths.set(link.target, `${path === "/" ? "" : path}/${name}`);
    }
  }
  return paths;
}

/** The object at a path, by hard links alone. */
export function objectAt(root: GroupModel, path: string): ObjectModel | undefined {
  let object: ObjectModel | undefined = root;
  for (const name of namesOf(path)) {
    const link: LinkModel | undefined = object?.kind === "group" ? object.links.get(name) : undefined;
    object = link?.type === "hard" ? link.target : undefined;
  }
  return object;
}
