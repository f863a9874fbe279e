import {
  atPath,
  attempt,
  decodeGroupInfo,
  type GroupInfo,
  type H5Error,
  InvalidFieldError,
  inAddressOrder,
  isH5Error,
  LimitExceededError,
  messageType,
  NotFoundError,
  type Plan,
  UnsupportedFeatureError,
} from "@h5/framing";
import { Dataset } from "./dataset.ts";
import { followPath } from "./destination.ts";
import { headerOf, type Link, type LinkStorage, linkStorage, readLinkNames, readLinks, tracksOrder } from "./links.ts";
import { NamedDatatype } from "./named-datatype.ts";
import { H5Node } from "./node.ts";
import { findMessage, type LoadedObject, loadObject } from "./object.ts";
import { loaded, runPlan, type Session, type SignalOptions } from "./session.ts";

/** An object of a file, opened. */
export type H5Object = Group | Dataset | NamedDatatype;

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

/** A group: links to other objects, by name. */
export class Group extends H5Node {
  readonly kind = "group" as const;

  /** How the links are stored. */
  get linkStorage(): LinkStorage {
    return linkStorage(this.session, this.object);
  }

  /** Whether the group keeps an index of the order in which its links were made, in which `links` lists them then. */
  get tracksOrder(): boolean {
    return tracksOrder(this.session, this.object);
  }

  /** What the group's creator set (spec IV.A.2.k): when links move to a heap, how many were expected; hints alone. */
  get info(): GroupInfo | undefined {
    const message = findMessage(this.object, messageType.groupInfo);
    return message && decodeGroupInfo(message.body, message.address);
  }

  /**
   * The object at a path, relative to this group or, with a leading `/`, to the root. Soft links are followed, external
   * ones where the file was opened with `external`; what they lead to has the path that it has in its own file.
   *
   * @throws NotFoundError where the path leads to nothing
   */
  async get(path: string, options: SignalOptions = {}): Promise<H5Object> {
    try {
      const found = await followPath(this.session, this, path, options);
      if (found.kind === "external") throw unresolved(found.link);
      return await openNode(found.session, found.address, found.path, options);
    } catch (error) {
      throw atPath(error, path);
    }
  }

  /** The group at a path; `NotFoundError` where there is none or it is something else. */
  async group(path: string, options: SignalOptions = {}): Promise<Group> {
    const object = await this.get(path, options);
    if (object.kind === "group") return object;
    throw new NotFoundError(`${path}: expected a group, got a ${object.kind}`);
  }

  /** The dataset at a path; `NotFoundError` where there is none or it is something else. */
  async dataset(path: string, options: SignalOptions = {}): Promise<Dataset> {
    const object = await this.get(path, options);
    if (object.kind === "dataset") return object;
    throw new NotFoundError(`${path}: expected a dataset, got a ${object.kind}`);
  }

  /** Whether a path leads to an object; without a resolver none does that leaves the file. */
  async has(path: string, options: SignalOptions = {}): Promise<boolean> {
    try {
      const found = await followPath(this.session, this, path, options);
      return found.kind === "object";
    } catch (error) {
      if (isH5Error(error, "NOT_FOUND")) return false;
      throw atPath(error, path);
    }
  }

  /**
   * The names of the links: in creation order where the group tracks it, else in byte order.
   *
   * @throws the error of a broken link whose name cannot be read, beside which `links` and `children` list the others
   */
  async keys(options: SignalOptions = {}): Promise<string[]> {
    try {
      return await runPlan(this.session, readLinkNames(this.session, this.object), options);
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /** The links, none of them followed, in the order of `keys`. A broken one carries its error. */
  async links(options: SignalOptions = {}): Promise<readonly Link[]> {
    try {
      return await runPlan(this.session, readLinks(this.session, this.object), options);
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /** The links with the objects of hard ones, their headers read together. A child that does not open carries its error. */
  async children(options: SignalOptions = {}): Promise<readonly Child[]> {
    return (await this.#readChildren(this.#begin(Infinity), options)).children;
  }

  /**
   * Everything below this group, depth first, by every path of hard links; a link back to one of its own ancestors is
   * given with `cycle` and not entered. A group whose links cannot be read is given with the error.
   */
  async *visit(options: SignalOptions = {}): AsyncGenerator<Visited> {
    const { objects } = this.session.limits;
    let left = objects;
    // One generator: an object given through one for each group above it takes as many turns of the event loop.
    const levels = [await this.#enter([], options)];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      options.signal?.throwIfAborted();
      const child = level.children[level.next++];
      if (child === undefined) {
        levels.pop();
        if (level.rest.length > 0) levels.push(await level.group.#goOn(level, options));
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
      const { below, error } = await object.#attemptEnter(level.ancestors, options);
      yield { link, path, object, error, cycle };
      if (below) levels.push(below);
    }
  }

  async #enter(above: readonly number[], options: SignalOptions): Promise<Level> {
    const loaded = await this.#readChildren(this.#begin(VISITED_TOGETHER), options);
    return { group: this, next: 0, ancestors: [...above, this.address], ...loaded };
  }

  async #goOn(level: Level, options: SignalOptions): Promise<Level> {
    return { ...level, ...(await this.#readChildren(this.#load(level), options)), next: 0 };
  }

  async #attemptEnter(above: readonly number[], options: SignalOptions): Promise<{ below?: Level; error?: H5Error }> {
    try {
      return { below: await this.#enter(above, options) };
    } catch (error) {
      if (!isH5Error(error) || isH5Error(error, "SOURCE")) throw error;
      return { error };
    }
  }

  /** Runs what loads children, and looks at the sources of those that are virtual. */
  async #readChildren(plan: Plan<Loaded>, options: SignalOptions): Promise<Loaded> {
    try {
      const found = await runPlan(this.session, plan, options);
      for (const object of found.objects) {
        // Most are no virtual datasets, and each wait takes a turn.
        if (object.mappings?.value !== undefined) await settle(this.session, object, options);
      }
      return found;
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /** The first children, at least `least` of them. */
  *#begin(least: number): Plan<Loaded> {
    const rest = yield* readLinks(this.session, this.object);
    return yield* this.#load({ rest, size: Math.max(least, Math.ceil(rest.length / MOST_PARTS)) });
  }

  *#load({ rest, size }: Pick<Loaded, "rest" | "size">): Plan<Loaded> {
    const links = rest.slice(0, size);
    const objects: LoadedObject[] = [];
    const loaded = yield* inAddressOrder(links, addressOf, (link) => attempt(this.#child(link, objects)));
    const children = links.map((link, i) => {
      return { link, path: this.#pathOf(link), object: loaded[i]!.value, error: loaded[i]!.error };
    });
    return { children, objects, rest: rest.slice(size), size };
  }

  *#child(link: Link, objects: LoadedObject[]): Plan<H5Object | undefined> {
    if (link.type === "broken") throw link.error;
    if (link.type !== "hard") return undefined;
    const object = yield* loadObject(this.session, headerOf(link));
    objects.push(object);
    return nodeOf(this.session, object, this.#pathOf(link));
  }

  #pathOf({ name }: Link): string | undefined {
    if (this.path === undefined) return undefined;
    return this.path === "/" ? `/${name}` : `${this.path}/${name}`;
  }
}

/** Links are followed in the order their objects lie in the file. */
function addressOf(link: Link): number {
  return (link.type === "hard" ? link.address : undefined) ?? 0;
}

function unresolved({ target, file }: Link & { type: "external" }): UnsupportedFeatureError {
  return new UnsupportedFeatureError(`external link to ${target} of file ${file}, which needs a resolver`);
}

/** Loads an object and makes its node. */
export async function openNode(
  session: Session,
  address: number,
  path: string | undefined,
  options: SignalOptions,
): Promise<H5Object> {
  const object = await runPlan(session, loadObject(session, address), options);
  await settle(session, object, options);
  return nodeOf(session, object, path);
}

/** Looks at the sources of a virtual dataset, which alone may tell how large it is. */
async function settle(session: Session, object: LoadedObject, options: SignalOptions): Promise<void> {
  if (object.mappings?.value === undefined) return;
  const { settleExtent } = await loaded(() => import("./virtual-extent.ts"), options);
  await settleExtent(session, object, options);
}

/** The node for a loaded object. */
function nodeOf(session: Session, object: LoadedObject, path: string | undefined): H5Object {
  switch (object.kind) {
    case "group":
      return new Group(session, object, path);
    case "dataset":
      return new Dataset(session, object, path);
    case "datatype":
      return new NamedDatatype(session, object, path);
    case "unknown":
      throw new InvalidFieldError("neither a group, a dataset nor a datatype", {
        structure: "object header",
        address: object.address,
      });
  }
}
