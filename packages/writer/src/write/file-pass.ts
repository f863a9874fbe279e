import {
  encodeSuperblock,
  InvalidArgumentError,
  objectHeaderFlag,
  type Superblock,
  sizeOfSuperblock,
} from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import { linkCounts } from "../model/link-counts.ts";
import type { ObjectModel } from "../model/objects.ts";
import { namedObjects, objectAt } from "../model/walk.ts";
import { attributesPart } from "./attributes.ts";
import type { WriteContext } from "./context.ts";
import { datasetPart } from "./dataset.ts";
import { FileHeaps } from "./file-heaps.ts";
import { HeaderSpace } from "./header-space.ts";
import { newGroupPart } from "./new-group.ts";
import {
  completeHeader,
  type PlacedHeader,
  type PlannedHeader,
  type PlannedMessage,
  placeHeaderV1,
  placeHeaderV2,
} from "./object-header.ts";
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
  readonly #paths: ReadonlyMap<ObjectModel, string>;
  readonly #linkCounts: ReadonlyMap<ObjectModel, number>;
  readonly #headers = new Map<ObjectModel, PlacedHeader>();
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
    this.#paths = namedObjects(model.root);
    this.#linkCounts = linkCounts(this.#paths.keys());
    this.#targets = this.#resolvedTargets();
    this.#heaps = new FileHeaps(model.heaps, space, (target) => this.objectAddress(target));
    this.#shared = model.sharing && new SharedMessages(model.sharing, space);
    space.allocate(sizeOfSuperblock({ version: model.earliest ? 0 : 3, offsetSize: 8, lengthSize: 8 }));
    this.#front = new HeaderSpace(space);
  }

  async run(): Promise<FileFront> {
    const extension = this.#placeExtension();
    let root: Part | undefined;
    for (const object of this.#paths.keys()) {
      const part = this.#placeObject(object);
      root ??= part;
    }

    this.#shared?.build(this.space);
    for (const step of this.#steps) step.build?.(this.space);
    this.#heaps.finish();
    for (const step of this.#steps) {
      if (step.writeElements === undefined) continue;
      await step.writeElements();
      await this.space.drain();
    }
    for (const step of this.#steps) step.index?.(this.space);

    for (const header of this.#headers.values()) completeHeader(header, this.#front);
    if (extension !== undefined) completeHeader(extension, this.#front);
    const superblock = encodeSuperblock(this.#superblock(root!, extension));
    return { superblock, headers: this.#front.bytes, end: this.space.end };
  }

  addressOf(object: ObjectModel): number {
    const header = this.#headers.get(object);
    if (header === undefined) throw new InvalidArgumentError(`a ${object.kind} is used that no link leads to`);
    return header.address;
  }

  pathOf(object: ObjectModel): string {
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
    const main = this.#mainPart(object);
    const parts = [main, attributesPart(object, this)];
    this.#headers.set(object, this.#placeHeader(object, parts));
    for (const { steps } of parts) if (steps !== undefined) this.#steps.push(steps);
    return main;
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

  #placeHeader(object: ObjectModel, parts: readonly Part[]): PlacedHeader {
    const messages = parts.flatMap((part) => part.messages);
    if (object.comment !== undefined) messages.push(commentMessage(object.comment));
    const referenceCount = this.#linkCounts.get(object)!;
    if (this.model.earliest) return placeHeaderV1({ messages, referenceCount }, this.#front, this.pathOf(object));
    if (referenceCount !== 1) messages.push(referenceCountMessage(referenceCount));
    return placeHeaderV2(headerOf(messages, object), this.#front, this.pathOf(object));
  }

  #placeExtension(): PlacedHeader | undefined {
    if (this.#shared === undefined) return undefined;
    const header: PlannedHeader = { messages: [this.#shared.tableMessage()], referenceCount: 1 };
    return placeHeaderV2(header, this.#front, "superblock extension");
  }

  #superblock(root: Part, extension: PlacedHeader | undefined): Superblock {
    const rootAddress = this.addressOf(this.model.root);
    const common = {
      offsetSize: 8,
      lengthSize: 8,
      baseAddress: this.model.userblock.length,
      endOfFileAddress: this.model.userblock.length + this.space.end,
      rootAddress,
      consistencyFlags: 0,
    };
    if (!this.model.earliest) return { version: 3, ...common, extensionAddress: extension?.address };
    const table = (root as OldGroupPart).table()!;
    return { version: 0, ...common, rootEntry: { nameOffset: 0, headerAddress: rootAddress, cacheType: 1, ...table } };
  }
}

function headerOf(messages: readonly PlannedMessage[], { trackAttributeOrder }: ObjectModel): PlannedHeader {
  const tracked = objectHeaderFlag.trackCreationOrder | objectHeaderFlag.indexCreationOrder;
  return { messages, referenceCount: 1, flags: trackAttributeOrder ? tracked : 0 };
}
