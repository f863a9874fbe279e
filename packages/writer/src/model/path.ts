import { InvalidArgumentError, sizeOfText } from "@h5/framing";

/**
 * The names a path is made of, from the root or from the group it is relative to. Empty names and "." are left out, and
 * ".." is a name like any other, as for libhdf5 (H5Gtraverse.c).
 *
 * @throws InvalidArgumentError for something else than a string, the empty one, a NUL, or text that has no UTF-8
 */
export function namesOf(path: string): string[] {
  checkText(path, "path");
  if (path === "") throw new InvalidArgumentError("an empty path");
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** `path` below `group`, itself such a path; one from the root stays where it is. */
export function joinPath(group: string, path: string): string {
  const names = namesOf(path);
  return [path.startsWith("/") || group === "/" ? "" : group, ...names].join("/") || "/";
}

/**
 * Refuses what no string of the format can hold: NUL, which ends it, and text that has no UTF-8.
 *
 * @throws InvalidArgumentError
 */
export function checkText(text: unknown, what: string, path?: string): asserts text is string {
  if (typeof text !== "string") throw new InvalidArgumentError(`expected a ${what}, got ${String(text)}`, { path });
  if (text.includes("\0")) throw new InvalidArgumentError(`a ${what} with NUL: ${JSON.stringify(text)}`, { path });
  sizeOfText(text);
}
