import {
  compareBytes,
  encodeSharedMessage,
  encodeSharedMessageTable,
  type FileSpace,
  lookup3,
  messageFlag,
  messageType,
  sizeOfSharedMessage,
  sizeOfSharedMessageTable,
  type Widths,
} from "@h5/framing";
import { buildSharedMessages, buildSharedMessageTable } from "@h5/heap";
import type { SharingOptions } from "../model/sharing.ts";
import { bodyOf, type PlannedMessage } from "./object-header.ts";

const SOHM = 1;
/** Fewer messages than this turn a B-tree back into a list; libhdf5 wants it no more than one above the list's most. */
const treeMin = (listMax: number): number => Math.max(0, listMax - 10);

/** A message that is kept once, and where. */
interface Entry {
  readonly type: number;
  readonly message: PlannedMessage;
  heapId: Uint8Array | undefined;
}

/** The messages of a file that are kept once for all objects (spec IV.A.2.p; H5SM.c). */
export class SharedMessages {
  readonly #options: SharingOptions;
  readonly #widths: Widths;
  readonly #entries: Entry[] = [];
  #tableAddress = 0;

  constructor(options: SharingOptions, widths: Widths) {
    this.#options = options;
    this.#widths = widths;
  }

  /** A pointer to the message where it is of a shared kind and large enough, else the message itself. */
  share(message: PlannedMessage): PlannedMessage {
    const { kinds, minSize } = this.#options;
    const wanted = kinds.some((kind) => messageType[kind] === message.type) && message.size >= minSize;
    // What is a pointer already, to a named datatype, stays one.
    if (!wanted || message.flags & messageFlag.shared) return message;
    const entry: Entry = { type: message.type, message, heapId: undefined };
    this.#entries.push(entry);
    return {
      type: message.type,
      creationOrder: message.creationOrder,
      flags: message.flags | messageFlag.shared,
      size: sizeOfSharedMessage(pointer(new Uint8Array(8)), this.#widths),
      body: () => encodeSharedMessage(pointer(entry.heapId!), this.#widths),
    };
  }

  /** Writes the messages, each once, with index and table. */
  build(space: FileSpace): void {
    const distinct: { type: number; body: Uint8Array; referenceCount: number }[] = [];
    const byHash = new Map<number, number[]>();
    const places = this.#entries.map(({ type, message }) => {
      const body = bodyOf(message);
      const hash = lookup3(body, type);
      const alike = byHash.get(hash) ?? [];
      byHash.set(hash, alike);
      const known = alike.find((i) => distinct[i]!.type === type && compareBytes(distinct[i]!.body, body) === 0);
      if (known !== undefined) {
        distinct[known]!.referenceCount++;
        return known;
      }
      alike.push(distinct.length);
      return distinct.push({ type, body, referenceCount: 1 }) - 1;
    });
    const { index, heapIds } = buildSharedMessages(space, this.#parameters(), distinct);
    this.#entries.forEach((entry, i) => {
      entry.heapId = heapIds[places[i]!];
    });
    this.#tableAddress = buildSharedMessageTable(space, [index]);
  }

  #parameters() {
    const { minSize, listMax } = this.#options;
    // Only the kinds that were found, so that a reader need not look for others.
    const found = new Set(this.#entries.map(({ type }) => type));
    const messageTypes = [...found].reduce((bits, type) => bits | (1 << type), 0);
    return { messageTypes, minMessageSize: minSize, listMax, btreeMin: treeMin(listMax) };
  }

  /** The message in the superblock extension that leads to the table. */
  tableMessage(): PlannedMessage {
    const table = () => ({ version: 0, address: this.#tableAddress, indexCount: 1 }) as const;
    return {
      type: messageType.sharedMessageTable,
      flags: messageFlag.dontShare,
      size: sizeOfSharedMessageTable(this.#widths),
      body: () => encodeSharedMessageTable(table(), this.#widths),
    };
  }
}

function pointer(heapId: Uint8Array) {
  return { version: 3, type: SOHM, kind: "sohm", heapId } as const;
}
