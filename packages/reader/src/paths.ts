/**
 * The components of a path: empty ones and `.` dropped, `..` folded into what stands before it (HDF5 itself has no
 * `..`). Folding is textual, before any link is followed, so that a path means the same with and without a resolver.
 */
export function pathComponents(path: string): string[] {
  const components: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") components.pop();
    else if (part !== "" && part !== ".") components.push(part);
  }
  return components;
}

/** The components of `path` seen from the group at `base`: from the root where it starts with `/`. */
export function resolvePath(base: readonly string[], path: string): string[] {
  return path.startsWith("/") ? pathComponents(path) : pathComponents([...base, path].join("/"));
}

/** The absolute path of components. */
export function joinPath(components: readonly string[]): string {
  return `/${components.join("/")}`;
}
