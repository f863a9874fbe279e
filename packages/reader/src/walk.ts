import { InvalidFieldError, LimitExceededError, NotFoundError, type Plan } from "@h5/framing";
import { findLink, headerOf, type Link } from "./links.ts";
import { loadObject } from "./object.ts";
import { joinPath, pathComponents, resolvePath } from "./paths.ts";
import type { Session } from "./session.ts";

/** Where a walk starts: a group, with its path where that is known (it is not for a dereferenced object). */
export interface Origin {
  readonly address: number;
  readonly path: string | undefined;
}

/** What a path leads to: an object of this file, or the link at which it leaves the file. */
export type Destination =
  | { readonly kind: "object"; readonly address: number; readonly path: string | undefined }
  | { readonly kind: "external"; readonly link: Link & { type: "external" }; readonly rest: readonly string[] };

/** A group and the components still to follow from it. */
export interface Walk {
  readonly start: Origin;
  readonly components: readonly string[];
}

/**
 * Follows `path` from a group through hard and soft links. `trail` has the links followed on the way there and back in
 * other files, to which those of this walk are added.
 *
 * @throws NotFoundError where a component is missing or is no group, LimitExceededError after `limits.linkDepth` soft
 *   links, InvalidFieldError on a cycle of soft links
 */
export function* walkPath(session: Session, origin: Origin, path: string, trail: string[] = []): Plan<Destination> {
  let walk = beginWalk(session, origin, path);
  for (;;) {
    const step: Destination | Walk = yield* followComponents(session, walk);
    if ("kind" in step) return step;
    noteLink(trail, session, step, "soft link");
    walk = step;
  }
}

/**
 * Adds to a trail that a link led on to `to`.
 *
 * @throws InvalidFieldError where it has been there, LimitExceededError (`linkDepth`)
 */
export function noteLink(trail: string[], session: Session, to: Walk, structure: "soft link" | "external link"): void {
  const path = joinPath(to.components);
  const key = `${session.name ?? ""}\0${to.start.address}:${path}`;
  if (trail.includes(key)) throw new InvalidFieldError(`links lead back to ${path}`, { structure });
  if (trail.push(key) > session.limits.linkDepth) {
    throw new LimitExceededError("linkDepth", session.limits.linkDepth, `${trail.length} links`, { structure });
  }
}

function beginWalk(session: Session, origin: Origin, path: string): Walk {
  const root = { address: session.rootAddress, path: "/" };
  if (path.startsWith("/")) return { start: root, components: pathComponents(path) };
  if (origin.path === undefined) return { start: origin, components: pathComponents(path) };
  const base = pathComponents(origin.path);
  const full = resolvePath(base, path);
  const inside = base.every((component, i) => full[i] === component);
  return inside ? { start: origin, components: full.slice(base.length) } : { start: root, components: full };
}

/** Follows hard links to the end, or to the first soft link, whose target becomes a new walk. */
function* followComponents(session: Session, { start, components }: Walk): Plan<Destination | Walk> {
  let address = start.address;
  for (const [i, name] of components.entries()) {
    const here = pathBelow(start, components.slice(0, i));
    const group = yield* loadObject(session, address);
    if (group.kind !== "group") throw new NotFoundError(`${here ?? "object"} is a ${group.kind}, not a group`);
    const link = yield* findLink(session, group, name);
    if (link === undefined) throw new NotFoundError(`no ${JSON.stringify(name)} in ${here ?? "the group"}`);
    const rest = components.slice(i + 1);
    switch (link.type) {
      case "hard":
        address = headerOf(link);
        break;
      case "soft":
        return redirect(session, start, components.slice(0, i), link.target, rest);
      case "external":
        return { kind: "external", link, rest };
      case "broken":
        throw link.error;
      case "user":
        throw new NotFoundError(`${JSON.stringify(name)} is a user-defined link of class ${link.class}`);
    }
  }
  return { kind: "object", address, path: pathBelow(start, components) };
}

/** A soft link's target is seen from the group that holds the link; `..` is folded before anything is followed. */
function redirect(
  session: Session,
  start: Origin,
  group: readonly string[],
  target: string,
  rest: readonly string[],
): Walk {
  const tail = [target, ...rest].join("/");
  if (target.startsWith("/")) return beginWalk(session, start, tail);
  return beginWalk(session, start, [...group, tail].join("/"));
}

function pathBelow(start: Origin, components: readonly string[]): string | undefined {
  return start.path === undefined ? undefined : joinPath([...pathComponents(start.path), ...components]);
}
