import { buildV2Tree, type SharedMessageRecord, sharedMessageRecords } from "@h5/btree";
import { compareBytes, type FileSpace, InvalidArgumentError, lookup3, place } from "@h5/framing";
import { buildFractalHeap, sharedMessageHeap } from "./fractal-build.ts";
import {
  encodeSharedMessageList,
  encodeSharedMessageTable,
  type SharedMessageIndex,
  sharesType,
} from "./shared-messages.ts";

/** What an index of shared messages takes in, and when it changes its form. */
export interface SharedMessageOptions {
  /** Bit i set: messages of type i are shared here. */
  readonly messageTypes: number;
  /** Bytes of the smallest message that libhdf5 is to share. */
  readonly minMessageSize: number;
  /** Messages above which a list becomes a B-tree; 0 for a B-tree always. Default 50. */
  readonly listMax?: number | undefined;
  /** Messages below which a B-tree becomes a list; at most `listMax + 1`. Default 40, or that. */
  readonly btreeMin?: number | undefined;
}

/** A message to share. */
export interface MessageToShare {
  /** Type of the message. */
  readonly type: number;
  /** The message itself. */
  readonly body: Uint8Array;
  /** Headers and shared messages that point to it, at least 1. */
  readonly referenceCount: number;
}

/** An index of shared messages that has been written. */
export interface BuiltSharedMessages {
  /** The index's entry of the file's table. */
  readonly index: SharedMessageIndex;
  /** Ids of the messages, in their order. */
  readonly heapIds: readonly Uint8Array<ArrayBuffer>[];
}

const STRUCTURE = "shared message index";
/** Messages that an entry of the table can count. */
const MOST_MESSAGES = 65535;
/** The longest list libhdf5 allows (H5Opublic.h, `H5O_SHMESG_MAX_LIST_SIZE`). */
const LONGEST_LIST = 5000;

/**
 * Writes an index of shared messages (spec IV.A.2.p): all of them in a fractal heap, and a list of them or a B-tree by
 * their hash. As in libhdf5 an index has neither before its first message (H5SM.c).
 *
 * @param messages - no two with the same type and body
 * @throws InvalidArgumentError for messages that the index does not take, equal ones, more than its table can count, or
 *   options that contradict each other
 */
export function buildSharedMessages(
  space: FileSpace,
  options: SharedMessageOptions,
  messages: readonly MessageToShare[],
): BuiltSharedMessages {
  const { messageTypes, minMessageSize, listMax = 50 } = options;
  const { btreeMin = Math.min(40, listMax + 1) } = options;
  if (listMax > LONGEST_LIST || btreeMin > listMax + 1)
    refuse(`a list of up to ${listMax}, a B-tree from ${btreeMin} on`);
  if (messages.length > MOST_MESSAGES) refuse(`expected at most ${MOST_MESSAGES} messages, got ${messages.length}`);
  for (const message of messages) checkMessage(message, options);
  const kind = messages.length <= listMax && listMax > 0 ? "list" : "btree";
  const index = { kind, messageTypes, minMessageSize, listMax, btreeMin, count: messages.length } as const;
  if (messages.length === 0)
    return { index: { ...index, indexAddress: undefined, heapAddress: undefined }, heapIds: [] };
  const bodies = messages.map(({ body }) => body);
  const { address: heapAddress, ids: heapIds } = buildFractalHeap(space, bodies, sharedMessageHeap);
  const records = messages.map(({ type, body, referenceCount }, i): SharedMessageRecord => {
    return { location: "heap", hash: lookup3(body, type), referenceCount, heapId: heapIds[i]! };
  });
  const sorted = inTreeOrder(records, bodies);
  const indexAddress =
    kind === "list"
      ? place(space, encodeSharedMessageList(records, space, listMax))
      : buildV2Tree(space, sharedMessageRecords(space), sorted);
  return { index: { ...index, indexAddress, heapAddress }, heapIds };
}

/** Writes the file's table of indexes and gives its address, which the shared message table message holds. */
export function buildSharedMessageTable(space: FileSpace, indexes: readonly SharedMessageIndex[]): number {
  return place(space, encodeSharedMessageTable(indexes, space));
}

function checkMessage({ type, body, referenceCount }: MessageToShare, options: SharedMessageOptions): void {
  const { messageTypes, minMessageSize } = options;
  if (!sharesType(messageTypes, type)) refuse(`it does not take messages of type ${type}`);
  if (body.length < minMessageSize) refuse(`expected messages of ${minMessageSize} bytes, got one of ${body.length}`);
  if (!(referenceCount >= 1)) refuse(`expected a reference count of at least 1, got ${referenceCount}`);
}

/**
 * Records by hash, and where that is the same by length and bytes of the message (H5SMmessage.c
 * `H5SM__message_compare`), which tells equal messages.
 */
function inTreeOrder(records: readonly SharedMessageRecord[], bodies: readonly Uint8Array[]): SharedMessageRecord[] {
  const compare = (a: number, b: number): number =>
    records[a]!.hash - records[b]!.hash ||
    bodies[a]!.length - bodies[b]!.length ||
    compareBytes(bodies[a]!, bodies[b]!);
  const order = records.map((_, i) => i).sort(compare);
  order.forEach((at, i) => {
    if (i > 0 && compare(order[i - 1]!, at) === 0) refuse(`messages ${order[i - 1]} and ${at} are the same`);
  });
  return order.map((at) => records[at]!);
}

function refuse(message: string): never {
  throw new InvalidArgumentError(message, { structure: STRUCTURE });
}
