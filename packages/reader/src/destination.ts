import type { Link } from "./links.ts";
import { pathComponents } from "./paths.ts";
import { loaded, runPlan, type Session, type SignalOptions } from "./session.ts";
import { noteLink, type Origin, walkPath } from "./walk.ts";

/** What a path leads to: an object, perhaps of another file, or a link to another file that nothing resolves. */
export type Destination =
  | {
      readonly kind: "object";
      readonly session: Session;
      readonly address: number;
      /** In the file that has the object. */
      readonly path: string | undefined;
    }
  | { readonly kind: "external"; readonly link: Link & { type: "external" } };

/**
 * Follows `path` from a group through links of every kind. An external link goes on from the root of the file it names.
 *
 * @throws NotFoundError where a component or a file is missing, LimitExceededError after `limits.linkDepth` links,
 *   InvalidFieldError on a cycle of links
 */
export async function followPath(
  session: Session,
  origin: Origin,
  path: string,
  options: SignalOptions,
): Promise<Destination> {
  const trail: string[] = [];
  let [file, from, left] = [session, origin, path];
  for (;;) {
    const found = await runPlan(file, walkPath(file, from, left, trail), options);
    if (found.kind === "object") return { session: file, ...found };
    if (file.files.sources === undefined) return found;
    const { link, rest } = found;
    const { openLinked } = await loaded(() => import("./other-session.ts"), options);
    const next = await openLinked(file, link.file, "which an external link names", options);
    from = { address: next.rootAddress, path: "/" };
    left = [link.target, ...rest].join("/");
    noteLink(trail, next, { start: from, components: pathComponents(left) }, "external link");
    file = next;
  }
}
