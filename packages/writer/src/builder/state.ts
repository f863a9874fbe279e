import { atPath, InvalidArgumentError, sizeOfComment } from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import type { GroupModel, LinkModel, ObjectCommon, ObjectModel } from "../model/objects.ts";
import { checkText, namesOf } from "../model/path.ts";
import { checkMessageSize } from "./option-checks.ts";
import type { ObjectOptions } from "./options.ts";

/** What the builders of one file share. */
export interface BuilderState {
  readonly model: FileModel;
  /** Whether order is tracked where an object does not say. */
  readonly trackOrder: boolean;
}

/**
 * Makes a change to the file. One that fails leaves nothing behind of what it had encoded until then.
 *
 * @throws InvalidArgumentError while the file is being written
 */
export function change<T>({ model: { targets, heaps, writes } }: BuilderState, path: string, work: () => T): T {
  if (writes > 0) throw new InvalidArgumentError("the file cannot be changed while it is being written", { path });
  const undos = [targets.undo(), heaps.values.undo(), heaps.references.undo()];
  try {
    return work();
  } catch (error) {
    for (const undo of undos) undo();
    throw atPath(error, path);
  }
}

/** The options of an object, with the file's own where it does not say. */
export interface SettledOptions extends Pick<ObjectOptions, "trackAttributeOrder" | "comment"> {
  readonly trackOrder: boolean;
}

/**
 * Checks the options that all objects have. Who makes an object writes out its fields: one that begins with what is spread
 * gets a hidden class of its own, which takes more than the object does.
 */
export function commonOptions(
  file: Pick<FileModel, "earliest">,
  options: SettledOptions,
  path: string,
): Pick<ObjectCommon, "trackAttributeOrder" | "comment"> {
  const { trackOrder, trackAttributeOrder = trackOrder, comment } = options;
  if (comment !== undefined) {
    checkText(comment, "comment", path);
    checkMessageSize(file, "a comment", sizeOfComment(comment));
  }
  return { trackAttributeOrder, comment };
}

/** A group without links. */
export function newGroup(file: Pick<FileModel, "earliest">, options: SettledOptions, path: string): GroupModel {
  const { trackAttributeOrder, comment } = commonOptions(file, options, path);
  return {
    kind: "group",
    links: new Map(),
    trackOrder: options.trackOrder,
    attributes: undefined,
    trackAttributeOrder,
    comment,
    linkCount: 1,
  };
}

/** The group that is to hold the last name of `path`, with those before it, which are made where they are not there. */
export function parentOf(state: BuilderState, path: string): { group: GroupModel; name: string } {
  const names = namesOf(path);
  const name = names.pop();
  if (name === undefined) throw new InvalidArgumentError("the root group is there already", { path });
  let group = state.model.root;
  for (const step of names) {
    const link = group.links.get(step);
    const next: ObjectModel =
      link === undefined ? newGroup(state.model, { trackOrder: state.trackOrder }, path) : targetOf(link, step, path);
    if (next.kind !== "group")
      throw new InvalidArgumentError(`${JSON.stringify(step)} is a ${next.kind}, not a group`, { path });
    if (link === undefined) group.links.set(step, { type: "hard", target: next });
    group = next;
  }
  return { group, name };
}

function targetOf(link: LinkModel, name: string, path: string): ObjectModel {
  if (link.type === "hard") return link.target;
  throw new InvalidArgumentError(`${JSON.stringify(name)} is a ${link.type} link, which is not followed`, { path });
}

/** Adds a link; a name that is taken is an error. */
export function addLink(state: BuilderState, path: string, link: LinkModel): void {
  const { group, name } = parentOf(state, path);
  if (group.links.has(name)) throw new InvalidArgumentError("there is something of this name already", { path });
  group.links.set(name, link);
}
