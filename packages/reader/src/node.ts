import { decodeComment, decodeModificationTime, decodeOldModificationTime, messageType } from "@h5/framing";
import { Attributes } from "./attributes.ts";
import { findMessage, type LoadedObject } from "./object.ts";
import type { Session } from "./session.ts";

/** What groups, datasets and named datatypes have in common. */
export abstract class H5Node {
  /** Path by which the object was reached; `undefined` for one reached by a reference. */
  readonly path: string | undefined;
  /** Address of the object header in its file: equal for two paths to one object. */
  readonly address: number;
  protected readonly session: Session;
  protected readonly object: LoadedObject;
  // Made when first asked for: a listing makes many nodes and asks most of them for nothing.
  #attrs: Attributes | undefined;
  #memos: Map<string, unknown> | undefined;

  /** @internal */
  constructor(session: Session, object: LoadedObject, path: string | undefined) {
    this.session = session;
    this.object = object;
    this.path = path;
    this.address = object.address;
  }

  /**
   * Name of the file the object is in, where that is not the one that was opened but one it leads to; references read in
   * it have the same `from`.
   */
  get from(): string | undefined {
    return this.session.origin;
  }

  /** The attributes; none is read until it is asked for. */
  get attrs(): Attributes {
    this.#attrs ??= new Attributes(this.session, this.object, this.name);
    return this.#attrs;
  }

  /** The path, or words for an object that has none; for messages. */
  protected get name(): string {
    return this.path ?? `object at ${this.address}`;
  }

  /** The comment of the object, if it has one. */
  get comment(): string | undefined {
    const message = findMessage(this.object, messageType.comment);
    return message && decodeComment(message.body, message.address);
  }

  /** When the object was last modified, if the file says so. */
  get modified(): Date | undefined {
    const { header } = this.object;
    if (header.times !== undefined) return new Date(header.times.modification * 1000);
    const message = findMessage(this.object, messageType.modificationTime);
    if (message !== undefined) return new Date(decodeModificationTime(message.body, message.address) * 1000);
    const old = findMessage(this.object, messageType.modificationTimeOld);
    return old && new Date(decodeOldModificationTime(old.body, old.address) * 1000);
  }

  /** How many hard links lead to the object, by its own count. */
  get linkCount(): number {
    return this.object.header.referenceCount;
  }

  /** Decodes a part of the metadata once, when it is first asked for: a broken part leaves the others readable. */
  protected memo<T>(name: string, decode: () => T): T {
    this.#memos ??= new Map();
    if (!this.#memos.has(name)) this.#memos.set(name, decode());
    return this.#memos.get(name) as T;
  }
}
