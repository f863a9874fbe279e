import { atPath, attempt, type H5Error, inAddressOrder, isH5Error, LimitExceededError, type Plan } from "@h5/framing";
import type { Group, H5Object } from "./group.ts";
import { headerOf, type Link, readLinks } from "./links.ts";
import { type LoadedObject, loadObject } from "./object.ts";
import { runPlan, type SignalOptions } from "./session.ts";
import { settle } from "./settle.ts";

// What these need of a group is protected there, since few others do.

/** A link of a group and, for a hard link, the object it names or the error that opening it gave; for a broken one its error. */
export interface Child {
  readonly link: Link;
  readonly path: string | undefined;
  readonly object?: H5Object | undefined;
  readonly error?: H5Error | undefined;
}

/** What {@link Group.visit} gives: a child, and whether it is one of its own ancestors. */
export interface Visited extends Child {
  readonly cycle: boolean;
}

/** Children of a group that a walk loads together at least, and into how many parts it cuts those of a group of very many. */
const VISITED_TOGETHER = 1024;
const MOST_PARTS = 16;

/** Some of a group's children. */
interface Loaded {
  readonly children: readonly Child[];
  readonly objects: readonly LoadedObject[];
  /** The links of those yet to be loaded, of which so many are next. */
  readonly rest: readonly Link[];
  readonly size: number;
}

/** A group that a walk is in. */
interface Level extends Loaded {
  readonly group: Group;
  /** The child that comes next. */
  next: number;
  readonly ancestors: readonly number[];
}

/** All children of a group, their headers read together. */
export async function readChildren(group: Group, options: SignalOptions): Promise<readonly Child[]> {
  return (await load(group, firstChildren(group, Infinity), options)).children;
}

/** Everything below a group; see {@link Group.visit}. */
export async function* visitBelow(root: Group, options: SignalOptions): AsyncGenerator<Visited> {
  const { objects } = root["session"].limits;
  let left = objects;
  // One generator: an object given through one for each group above it takes as many turns of the event loop.
  const levels = [await enter(root, [], options)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    options.signal?.throwIfAborted();
    const child = level.children[level.next++];
    if (child === undefined) {
      levels.pop();
      if (level.rest.length > 0) levels.push(await goOn(level, options));
      continue;
    }
    if (left-- <= 0) {
      throw new LimitExceededError("objects", objects, `more than ${objects} objects`, { structure: "walk" });
    }
    const { link, path, object } = child;
    const cycle = object !== undefined && level.ancestors.includes(object.address);
    if (cycle || object?.kind !== "group") {
      yield { link, path, object, error: child.error, cycle };
      continue;
    }
    const { below, error } = await attemptEnter(object, level.ancestors, options);
    yield { link, path, object, error, cycle };
    if (below) levels.push(below);
  }
}

async function enter(group: Group, above: readonly number[], options: SignalOptions): Promise<Level> {
  const loaded = await load(group, firstChildren(group, VISITED_TOGETHER), options);
  return { group, next: 0, ancestors: [...above, group.address], ...loaded };
}

async function attemptEnter(
  group: Group,
  above: readonly number[],
  options: SignalOptions,
): Promise<{ below?: Level; error?: H5Error }> {
  try {
    return { below: await enter(group, above, options) };
  } catch (error) {
    if (!isH5Error(error) || isH5Error(error, "SOURCE")) throw error;
    return { error };
  }
}

/** A level with its next children. */
async function goOn(level: Level, options: SignalOptions): Promise<Level> {
  const { group } = level;
  return { ...level, ...(await load(group, nextChildren(group, level), options)), next: 0 };
}

/** Runs what loads children, and looks at the sources of those that are virtual. */
async function load(group: Group, plan: Plan<Loaded>, options: SignalOptions): Promise<Loaded> {
  const session = group["session"];
  try {
    const found = await runPlan(session, plan, options);
    for (const object of found.objects) {
      // Most are no virtual datasets, and each wait takes a turn.
      if (object.mappings?.value !== undefined) await settle(session, object, options);
    }
    return found;
  } catch (error) {
    throw atPath(error, group["name"]);
  }
}

/** The first children, at least `least` of them. */
function* firstChildren(group: Group, least: number): Plan<Loaded> {
  const rest = yield* readLinks(group["session"], group["object"]);
  return yield* nextChildren(group, { rest, size: Math.max(least, Math.ceil(rest.length / MOST_PARTS)) });
}

function* nextChildren(group: Group, { rest, size }: Pick<Loaded, "rest" | "size">): Plan<Loaded> {
  const links = rest.slice(0, size);
  const objects: LoadedObject[] = [];
  const loaded = yield* inAddressOrder(links, addressOf, (link) => attempt(childOf(group, link, objects)));
  const children = links.map((link, i) => {
    return { link, path: pathBelow(group, link), object: loaded[i]!.value, error: loaded[i]!.error };
  });
  return { children, objects, rest: rest.slice(size), size };
}

function* childOf(group: Group, link: Link, objects: LoadedObject[]): Plan<H5Object | undefined> {
  if (link.type === "broken") throw link.error;
  if (link.type !== "hard") return undefined;
  const object = yield* loadObject(group["session"], headerOf(link));
  objects.push(object);
  return group["nodeOf"](object, pathBelow(group, link));
}

function pathBelow({ path }: Group, { name }: Link): string | undefined {
  if (path === undefined) return undefined;
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

/** Links are followed in the order their objects lie in the file. */
function addressOf(link: Link): number {
  return (link.type === "hard" ? link.address : undefined) ?? 0;
}
