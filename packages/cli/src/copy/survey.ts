import { leastVersion } from "@h5/datatypes";
import { atPath, NotFoundError, UnsupportedFeatureError } from "@h5/framing";
import type { Attribute, Child, Group, H5File, H5Object } from "@h5/reader";

/** An object to be copied. */
export interface Surveyed {
  readonly object: H5Object;
  /** The path by which it was found first. */
  readonly path: string;
  readonly attributes: readonly Attribute[];
}

/** A link to be copied. */
export interface SurveyedLink extends Pick<Child, "link"> {
  readonly path: string;
}

/** What is to be copied of a file. */
export interface Survey {
  /** By the address of their header, the root first. */
  readonly objects: ReadonlyMap<number, Surveyed>;
  /** All links, those of one group together and in their order; a group comes before those in it. */
  readonly links: readonly SurveyedLink[];
}

/**
 * Walks over all objects, or those at and below the paths of `only` with the groups that lead to them.
 *
 * @throws what reading an object's header, links or attributes gave, and NotFoundError for a path that leads nowhere
 */
export async function surveyFile(file: H5File, only: readonly string[] | undefined): Promise<Survey> {
  const choice = choiceOf(only);
  const objects = new Map<number, Surveyed>();
  const links: SurveyedLink[] = [];
  const add = async (object: H5Object, path: string): Promise<void> => {
    objects.set(object.address, { object, path, attributes: await object.attrs.list() });
  };
  await add(file, "/");
  // A map that grows while it is walked gives what was added too.
  for (const { object, path } of objects.values()) {
    if (object.kind !== "group") continue;
    for (const child of await childrenOf(object, path)) {
      if (!choice.wants(child.path)) continue;
      links.push(child);
      if (child.object !== undefined && !objects.has(child.object.address)) await add(child.object, child.path);
    }
  }
  choice.check();
  return { objects, links };
}

async function childrenOf(group: Group, path: string): Promise<(Child & SurveyedLink)[]> {
  return (await group.children()).map((child) => {
    const { name } = child.link;
    const full = `${path === "/" ? "" : path}/${name}`;
    if (child.error !== undefined) throw atPath(child.error, full);
    if (name === "" || name === "." || name.includes("/"))
      throw new UnsupportedFeatureError(`a link named ${JSON.stringify(name)}, which no path leads to`, { path });
    return { ...child, path: full };
  });
}

/** Tells the paths that are wanted: those chosen, those below them, and those that lead to them. */
function choiceOf(only: readonly string[] | undefined): { wants(path: string): boolean; check(): void } {
  if (only === undefined) return { wants: () => true, check: () => {} };
  const chosen = only.map(
    (path) =>
      `/${path
        .split("/")
        .filter((name) => name !== "" && name !== ".")
        .join("/")}`,
  );
  const missing = new Set(chosen.filter((path) => path !== "/"));
  return {
    wants(path) {
      missing.delete(path);
      return chosen.some((one) => one === "/" || isWithin(path, one) || isWithin(one, path));
    },
    check() {
      for (const path of missing) throw new NotFoundError("there is no link of this path to copy", { path });
    },
  };
}

function isWithin(path: string, group: string): boolean {
  return path === group || path.startsWith(`${group}/`);
}

/** The oldest library that reads all types of the objects. */
export function libraryFor({ objects }: Survey): "v110" | "v112" | "v200" {
  let version = 0;
  for (const { object, attributes } of objects.values()) {
    const typed = object.kind === "group" ? attributes : [object, ...attributes];
    for (const { datatype } of typed) version = Math.max(version, leastVersion(datatype));
  }
  return version > 4 ? "v200" : version > 3 ? "v112" : "v110";
}
