import {
  atPath,
  encodeSuperblock,
  InvalidArgumentError,
  objectHeaderFlag,
  type Superblock,
  sizeOfSuperblock,
} from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import type { ObjectModel } from "../model/objects.ts";
import { typeUses } from "../model/type-uses.ts";
import { objectAt, pathsOf, reachable } from "../model/walk.ts";
import { attributesPart } from "./attributes.ts";
import type { WriteContext } from "./context.ts";
import { datasetPart } from "./dataset.ts";
import { FileHeaps } from "./file-heaps.ts";
import { HeaderSpace } from "./header-space.ts";
import { newGroupPart } from "./new-group.ts";
import { type PlannedHeader, type PlannedMessage, placeHeaderV1, placeHeaderV2 } from "./object-header.ts";
import { commentMessage, namedTypeMessage, referenceCountMessage } from "./object-messages.ts";
import { type OldGroupPart, oldGroupPart } from "./old-group.ts";
import type { Part, PartSteps } from "./part.ts";
import { SharedMessages } from "./shared-messages.ts";
import type { SinkSpace } from "./sink-space.ts";

/** What the front of the file holds, known once all the rest is written. */
export interface FileFront {
  readonly superblock: Uint8Array<ArrayBuffer>;
  /** All object headers; they lie right behind the superblock. */
  readonly headers: Uint8Array<ArrayBuffer>;
  /** End of the file, as an address. */
  readonly end: number;
}

/** What a pass is for. */
export interface PassOptions {
  /** Only to learn where everything will be: data that can be asked for but once must not be asked for. */
  readonly dry: boolean;
  readonly signal: AbortSignal | undefined;
}

/** One pass over the model of a file, which gives every structure its place and writes all but the front. */
export class FilePass implements WriteContext {
  readonly model: FileModel;
  readonly space: SinkSpace;
  readonly dry: boolean;
  readonly signal: AbortSignal | undefined;
  /** All objects, with the addresses of those that have one. */
  readonly #addresses: Map<ObjectModel, number | undefined>;
  #paths: ReadonlyMap<ObjectModel, string> | undefined;
  readonly #typeUses: ReadonlyMap<ObjectModel, number>;
  #targets: readonly ObjectModel[];
  readonly #heaps: FileHeaps;
  readonly #shared: SharedMessages | undefined;
  readonly #front: HeaderSpace;
  readonly #steps: PartSteps[] = [];

  constructor(model: FileModel, space: SinkSpace, { dry, signal }: PassOptions) {
    this.model = model;
    this.space = space;
    this.dry = dry;
    this.signal = signal;
    this.#addresses = reachable(model.root);
    this.#typeUses = typeUses(this.#addresses.keys());
    this.#targets = this.#resolvedTargets();
    this.#heaps = new FileHeaps(model.heaps, space, (target) => this.objectAddress(target));
    this.#shared = model.sharing && new SharedMessages(model.sharing, space);
    space.allocate(sizeOfSuperblock({ version: model.earliest ? 0 : 3, offsetSize: 8, lengthSize: 8 }));
    this.#front = new HeaderSpace(space);
  }

  async run(): Promise<FileFront> {
    const extension = this.#placeExtension();
    let root: Part | undefined;
    for (const object of this.#addresses.keys()) {
      const part = this.#placeObject(object);
      root ??= part;
    }

    this.#shared?.build(this.space);
    for (const step of this.#steps) step.build?.(this.space);
    this.#heaps.finish();
    for (const step of this.#steps) {
      // No promise where there is nothing to wait for: there may be very many datasets.
      const writing = step.writeElements?.();
      if (writing !== undefined) await writing;
      const draining = this.space.drain();
      if (draining !== undefined) await draining;
    }
    for (const step of this.#steps) step.index?.(this.space);

    this.#front.complete((object) => this.addressOf(object));
    const superblock = encodeSuperblock(this.#superblock(root!, extension));
    return { superblock, headers: this.#front.bytes, end: this.space.end };
  }

  addressOf(object: ObjectModel): number {
    const address = this.#addresses.get(object);
    if (address === undefined) throw new InvalidArgumentError(`a ${object.kind} is used that no link leads to`);
    return address;
  }

  pathOf(object: ObjectModel): string {
    this.#paths ??= pathsOf(this.model.root);
    return this.#paths.get(object) ?? "";
  }

  objectAddress(target: number): number {
    // Blocks that come while the file is written may refer to what nothing referred to before.
    if (target > this.#targets.length) this.#targets = this.#resolvedTargets();
    return this.addressOf(this.#targets[target - 1]!);
  }

  #resolvedTargets(): readonly ObjectModel[] {
    return this.model.targets.resolve((path) => objectAt(this.model.root, path));
  }

  collectionAddress(collection: number, referred: boolean): number {
    return this.#heaps.collectionAddress(collection, referred);
  }

  share(message: PlannedMessage): PlannedMessage {
    return this.#shared?.share(message) ?? message;
  }

  /** Gives what makes the object what it is. Of that and its attributes little more than the steps is kept. */
  #placeObject(object: ObjectModel): Part {
    try {
      const main = this.#mainPart(object);
      const parts = [main, attributesPart(object, this)];
      this.#addresses.set(object, this.#placeHeader(object, parts));
      for (const { steps } of parts) if (steps !== undefined) this.#steps.push(steps);
      return main;
    } catch (error) {
      throw atPath(error, this.pathOf(object));
    }
  }

  #mainPart(object: ObjectModel): Part {
    switch (object.kind) {
      case "group":
        return this.model.earliest ? oldGroupPart(object, this) : newGroupPart(object, this);
      case "dataset":
        return datasetPart(object, this);
      case "datatype":
        return { messages: [namedTypeMessage(object)] };
    }
  }

  #placeHeader(object: ObjectModel, parts: readonly Part[]): number {
    const messages = parts.flatMap((part) => part.messages);
    if (object.comment !== undefined) messages.push(commentMessage(object.comment));
    const referenceCount = object.linkCount + (this.#typeUses.get(object) ?? 0);
    if (this.model.earliest) return placeHeaderV1({ messages, referenceCount }, this.#front);
    if (referenceCount !== 1) messages.push(referenceCountMessage(referenceCount));
    return placeHeaderV2(headerOf(messages, object), this.#front);
  }

  /** Gives the address of the superblock's extension, where there is one. */
  #placeExtension(): number | undefined {
    if (this.#shared === undefined) return undefined;
    return placeHeaderV2({ messages: [this.#shared.tableMessage()], referenceCount: 1 }, this.#front);
  }

  #superblock(root: Part, extensionAddress: number | undefined): Superblock {
    const rootAddress = this.addressOf(this.model.root);
    const common = {
      offsetSize: 8,
      lengthSize: 8,
      baseAddress: this.model.userblock.length,
      endOfFileAddress: this.model.userblock.length + this.space.end,
      rootAddress,
      consistencyFlags: 0,
    };
    if (!this.model.earliest) return { version: 3, ...common, extensionAddress };
    const table = (root as OldGroupPart).table()!;
    return { version: 0, ...common, rootEntry: { nameOffset: 0, headerAddress: rootAddress, cacheType: 1, ...table } };
  }
}

function headerOf(messages: readonly PlannedMessage[], { trackAttributeOrder }: ObjectModel): PlannedHeader {
  const tracked = objectHeaderFlag.trackCreationOrder | objectHeaderFlag.indexCreationOrder;
  return { messages, referenceCount: 1, flags: trackAttributeOrder ? tracked : 0 };
}
