import {
  atPath,
  decodeGroupInfo,
  type GroupInfo,
  InvalidFieldError,
  isH5Error,
  messageType,
  NotFoundError,
  UnsupportedFeatureError,
} from "@h5/framing";
import type { Child, Visited } from "./children.ts";
import { Dataset } from "./dataset.ts";
import { followPath } from "./destination.ts";
import { type Link, type LinkStorage, linkStorage, readLinkNames, readLinks, tracksOrder } from "./links.ts";
import { NamedDatatype } from "./named-datatype.ts";
import { H5Node } from "./node.ts";
import { findMessage, type LoadedObject, loadObject } from "./object.ts";
import { loaded, runPlan, type Session, type SignalOptions } from "./session.ts";
import { settle } from "./settle.ts";

/** An object of a file, opened. */
export type H5Object = Group | Dataset | NamedDatatype;

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
    return await (await childrenCode(this.session, options)).readChildren(this, options);
  }

  /**
   * Everything below this group, depth first, by every path of hard links; a link back to one of its own ancestors is
   * given with `cycle` and not entered. A group whose links cannot be read is given with the error.
   */
  async *visit(options: SignalOptions = {}): AsyncGenerator<Visited> {
    yield* (await childrenCode(this.session, options)).visitBelow(this, options);
  }

  /** The node of an object of the same file. */
  protected nodeOf(object: LoadedObject, path: string | undefined): H5Object {
    return nodeOf(this.session, object, path);
  }
}

/** The code that opens what a group holds, loaded when that is asked for. */
async function childrenCode(session: Session, options: SignalOptions): Promise<typeof import("./children.ts")> {
  options.signal?.throwIfAborted();
  session.code.children ??= await loaded(() => import("./children.ts"), options);
  return session.code.children;
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
