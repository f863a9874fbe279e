import type { GroupModel, LinkModel, ObjectModel } from "./objects.ts";
import { namesOf } from "./path.ts";

/** All objects that hard links lead to, the root first, each with the path by which it was found. */
export function namedObjects(root: GroupModel): Map<ObjectModel, string> {
  const paths = new Map<ObjectModel, string>([[root, "/"]]);
  // A map that grows while it is walked gives what was added too.
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
