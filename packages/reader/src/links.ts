import { attemptGroupEntry, findGroupEntry, type GroupEntry, readGroupEntries } from "@h5/btree";
import {
  attempt,
  attemptNow,
  checkLimit,
  type DenseStorage,
  decodeLink,
  decodeLinkInfo,
  decodeLinkName,
  decodeSymbolTableMessage,
  encodeText,
  type FileContext,
  type H5Error,
  InvalidFieldError,
  isH5Error,
  messageType,
  type Plan,
  sortTexts,
  textOrder,
} from "@h5/framing";
import { type LocalHeap, localHeapBytes, localHeapString, readLocalHeap } from "@h5/heap";
import { denseCode } from "./dense-code.ts";
import { findMessage, type LoadedObject, messagesOf } from "./object.ts";
import type { Session } from "./session.ts";

/** One link of a group, not followed. */
export type Link = { readonly name: string; readonly creationOrder?: number | undefined } & (
  | {
      readonly type: "hard";
      /** Of the object's header; `undefined` where a damaged file has none, which is an error once it is followed. */
      readonly address: number | undefined;
    }
  | { readonly type: "soft"; readonly target: string }
  | { readonly type: "external"; readonly file: string; readonly target: string }
  | { readonly type: "user"; readonly class: number; readonly value: Uint8Array }
  | {
      /** What a damaged file has in place of a link. Its name is "" where that cannot be read either. */
      readonly type: "broken";
      readonly error: H5Error;
    }
);

/** How a group stores its links (spec III.A "Group", IV.A.2.c, IV.A.2.r). */
export type LinkStorage = "symtab" | "compact" | "dense";

/** Which of the three storages a group has. */
export function linkStorage(session: Session, object: LoadedObject): LinkStorage {
  const info = linkInfoOf(session, object);
  // A group that has both is one of links (H5Gobj.c).
  if (info === undefined && findMessage(object, messageType.symbolTable) !== undefined) return "symtab";
  return info?.heapAddress === undefined ? "compact" : "dense";
}

function linkInfoOf(session: Session, object: LoadedObject): DenseStorage | undefined {
  const info = findMessage(object, messageType.linkInfo);
  return info && decodeLinkInfo(info.body, session, info.address);
}

/** Every link of a group: in creation order where the group tracks and indexes it (as h5py lists), else by name. */
export function* readLinks(session: Session, object: LoadedObject): Plan<Link[]> {
  const links = yield* readStoredLinks(session, object);
  checkNames(session, object, links, ({ name }) => name);
  if (links.length < 2) return links;
  if (tracksOrder(session, object)) return links.sort((a, b) => orderOf(a) - orderOf(b));
  const compare = textOrder(links.map(({ name }) => name));
  return links.sort((a, b) => compare(a.name, b.name));
}

/** Names alone are no list of links where one has none. */
function nameOf(link: Link): string {
  if (isNameless(link)) throw link.error;
  return link.name;
}

/** As {@link nameOf}, of the body of a link message. */
function nameIn(body: Uint8Array | H5Error): string {
  if (isH5Error(body)) throw body;
  return decodeLinkName(body);
}

function isNameless(link: Link): link is Link & { readonly type: "broken" } {
  return link.type === "broken" && link.name === "";
}

/** Of a link in a group that tracks it; what has none comes last. */
function orderOf({ creationOrder = Number.MAX_SAFE_INTEGER }: Link): number {
  return creationOrder;
}

/** The names of {@link readLinks}, in its order, without the links where that makes a difference. */
export function* readLinkNames(session: Session, object: LoadedObject): Plan<string[]> {
  if (linkStorage(session, object) !== "dense" || tracksOrder(session, object)) {
    return (yield* readLinks(session, object)).map(nameOf);
  }
  const { readDenseLinks } = yield* denseCode(session);
  const names = yield* readDenseLinks(session, linkInfoOf(session, object)!, nameIn);
  checkNames(session, object, names, (name) => name);
  return sortTexts(names);
}

function checkNames<T>(
  { limits }: Session,
  { address }: LoadedObject,
  listed: readonly T[],
  nameOf: (each: T) => string,
): void {
  const place = { structure: "group", address };
  checkLimit(limits, "objects", listed.length, place);
  for (const each of listed) checkLimit(limits, "nameLength", nameOf(each).length, place);
}

/** Creation order tracked and indexed. */
export function tracksOrder(session: Session, object: LoadedObject): boolean {
  return ((linkInfoOf(session, object)?.flags ?? 0) & 3) === 3;
}

function* readStoredLinks(session: Session, object: LoadedObject): Plan<Link[]> {
  switch (linkStorage(session, object)) {
    case "symtab": {
      const { heap, btreeAddress } = yield* symbolTable(session, object);
      const entries = yield* readGroupEntries(session, btreeAddress, attemptGroupEntry);
      let characters = 0;
      return entries.map((entry) => {
        const link = linkOfEntry(heap, entry);
        // Any number of entries may have one name in the heap, which by rights is no longer than all of it.
        characters += link.name.length + (link.type === "soft" ? link.target.length : 0);
        checkLimit(session.limits, "metadataBytes", characters, { structure: "group", address: object.address });
        return link;
      });
    }
    case "compact":
      return compactLinks(session, object);
    case "dense": {
      const { readDenseLinks } = yield* denseCode(session);
      return yield* readDenseLinks(session, linkInfoOf(session, object)!, (body) => linkOf(session, body));
    }
  }
}

/**
 * The link called `name`, `undefined` where there is none; reads only what leads to it. A broken link without a name may be
 * the one, where no other is.
 */
export function* findLink(session: Session, object: LoadedObject, name: string): Plan<Link | undefined> {
  switch (linkStorage(session, object)) {
    case "symtab": {
      const { heap, btreeAddress } = yield* symbolTable(session, object, session.lookUps);
      const nameAt = (offset: number): Uint8Array => localHeapBytes(heap, offset);
      const { value, error } = yield* attempt(
        findGroupEntry(session, btreeAddress, encodeText(name), nameAt, attemptGroupEntry),
      );
      if (error === undefined) return value && linkOfEntry(heap, value);
      // One of the names that the search goes by is broken, or the tree, of which listing the group tells.
      return named(name, yield* readStoredLinks(session, object));
    }
    case "compact":
      return named(name, compactLinks(session, object));
    case "dense": {
      const { findDenseLinks } = yield* denseCode(session);
      const use = (body: Uint8Array | H5Error): Link => linkOf(session, body);
      return named(name, yield* findDenseLinks(session, linkInfoOf(session, object)!, name, use));
    }
  }
}

function named(name: string, links: readonly Link[]): Link | undefined {
  return links.find((link) => link.name === name) ?? links.find(isNameless);
}

function* symbolTable(
  session: Session,
  object: LoadedObject,
  context: FileContext = session,
): Plan<{ heap: LocalHeap; btreeAddress: number }> {
  const message = findMessage(object, messageType.symbolTable)!;
  const { btreeAddress, heapAddress } = decodeSymbolTableMessage(message.body, session, message.address);
  return { heap: yield* readLocalHeap(context, heapAddress), btreeAddress };
}

function linkOfEntry(heap: LocalHeap, { nameOffset, linkOffset, headerAddress, error }: GroupEntry): Link {
  const { value: name = "", error: ofName } = attemptNow(() => localHeapString(heap, nameOffset));
  const broken = error ?? ofName;
  return orBroken(
    () => {
      if (broken !== undefined) throw broken;
      if (linkOffset === undefined) return { name, type: "hard", address: headerAddress };
      return { name, type: "soft", target: localHeapString(heap, linkOffset) };
    },
    () => name,
  );
}

/** The link that `read` gives, or a broken one of that name. */
function orBroken(read: () => Link, name: () => string): Link {
  const { value, error } = attemptNow(read);
  return value ?? { name: name(), type: "broken", error: error! };
}

/**
 * Where a hard link leads.
 *
 * @throws InvalidFieldError where that is nowhere
 */
export function headerOf({ name, address }: Link & { readonly type: "hard" }): number {
  if (address !== undefined) return address;
  throw new InvalidFieldError(`link ${JSON.stringify(name)} has no object header`, { structure: "link" });
}

function compactLinks(session: Session, object: LoadedObject): Link[] {
  return messagesOf(object, messageType.link).map(({ error, body, address }) =>
    linkOf(session, error ?? body, address),
  );
}

/** The link in the body of a message; a broken one where that, or what is in it, cannot be read. */
function linkOf(session: Session, body: Uint8Array | H5Error, address?: number): Link {
  // What is no fault of the file, and may be mended by the caller, keeps the whole group from being listed.
  if (isH5Error(body, "MISSING_FILTER", "LIMIT_EXCEEDED")) throw body;
  if (isH5Error(body)) return { name: "", type: "broken", error: body };
  return orBroken(
    () => {
      const message = decodeLink(body, session, address);
      const { name, creationOrder, type } = message;
      // Most are, and taking the rest of an object is slow.
      if (type === "hard") return { name, creationOrder, type, address: message.address };
      const { version, flags, charset, ...link } = message;
      return link;
    },
    () => attemptNow(() => decodeLinkName(body)).value ?? "",
  );
}
