import {
  type AttributePhaseChange,
  chunkSizeFlag,
  encodeContinuation,
  encodeContinuationV2,
  encodeObjectHeaderV1,
  encodeObjectHeaderV2,
  InvalidArgumentError,
  type MessageContent,
  messageName,
  messageType,
  objectHeaderFlag,
  sizeOfContinuation,
  type Widths,
} from "@h5/framing";
import type { ObjectModel } from "../model/objects.ts";
import type { HeaderSpace } from "./header-space.ts";

/** A message of a header to be written: its size is known before any address is, its body perhaps after. */
export interface PlannedMessage {
  readonly type: number;
  /** Bits of `messageFlag`. */
  readonly flags: number;
  /** Bytes of the body. */
  readonly size: number;
  readonly body: Uint8Array | (() => Uint8Array);
  /** What a hard link leads to: the last bytes of the body are its address, until that is known 0. */
  readonly target?: ObjectModel | undefined;
  /** Place in the order in which attributes were made, where the header tracks it. */
  readonly creationOrder?: number | undefined;
}

/** A message whose body is known already. */
export function plainMessage(type: number, body: Uint8Array, flags: number = 0): PlannedMessage {
  return { type, flags, size: body.length, body };
}

/** The body of a message, once all addresses are known. */
export function bodyOf(message: PlannedMessage): Uint8Array {
  const { type, size } = message;
  const bytes = typeof message.body === "function" ? message.body() : message.body;
  if (bytes.length !== size) {
    throw new InvalidArgumentError(`measured ${size} bytes, got ${bytes.length}`, { structure: messageName(type) });
  }
  return bytes;
}

/** An object header to be written. */
export interface PlannedHeader {
  readonly messages: readonly PlannedMessage[];
  /** Version 1: hard links to the object, of which version 2 has a message. */
  readonly referenceCount: number;
  /** Version 2: bits of `objectHeaderFlag`. */
  readonly flags?: number | undefined;
  readonly attributePhaseChange?: AttributePhaseChange | undefined;
}

/** Bytes of a checksum. */
const CHECKSUM = 4;
/** Bytes of a continuation block before its messages. */
const SIGNATURE = 4;
/** Bytes of a version 1 header before its messages, and of a message before its body. */
const PREFIX_V1 = 16;
const ENVELOPE_V1 = 8;

/** The body of a message has a size of 16 bits. */
export const LARGEST_MESSAGE = 65535;

/** What libhdf5 needs to put a continuation message in the place of others (H5O_MIN_SIZE in H5Opkg.h). */
const SMALLEST_BLOCK = 22;

/**
 * Places a version 1 header, one block with all messages, and gives its address.
 *
 * @throws InvalidArgumentError for more messages than its counter holds, or one that is too large
 */
export function placeHeaderV1(header: PlannedHeader, space: HeaderSpace): number {
  const { messages, referenceCount } = header;
  if (messages.length > 65535) {
    throw new InvalidArgumentError(`${messages.length} attributes: an old-style object header holds at most 65,000`);
  }
  checkSizes(messages);
  const bytes = encodeObjectHeaderV1({ referenceCount, messages: contents(messages) });
  const address = space.allocate(bytes.length);
  space.put(address, bytes);
  completeLater(messages, address + PREFIX_V1, ENVELOPE_V1, space, 8);
  return address;
}

/**
 * Places a version 2 header, a first block of at most 65,535 bytes of messages and, if there are more, a
 * continuation block, and gives its address.
 *
 * @throws InvalidArgumentError for a message that is too large
 */
export function placeHeaderV2(header: PlannedHeader, space: HeaderSpace): number {
  checkSizes(header.messages);
  const flags = header.flags ?? 0;
  const envelope = flags & objectHeaderFlag.trackCreationOrder ? 6 : 4;
  const [first, rest] = splitMessages(padded(header.messages, envelope), envelope, space);
  const firstSize = sizeOf(first, envelope) + (rest.length > 0 ? envelope + sizeOfContinuation(space) : 0);
  const sized = { ...header, flags: flags | chunkSizeFlag(firstSize) };
  const times = header.attributePhaseChange === undefined ? 0 : 4;
  const length = 6 + times + 2 ** chunkSizeFlag(firstSize) + firstSize + CHECKSUM;
  const address = space.allocate(length);
  const messages = rest.length === 0 ? first : [...first, continuation(rest, sized.flags, envelope, space)];
  space.put(address, encodeObjectHeaderV2({ ...sized, messages: contents(messages) }));
  const isLate = completeLater(first, address + length - CHECKSUM - firstSize, envelope, space);
  if (isLate) space.sealLater(address, length - CHECKSUM);
  return address;
}

/** Places a continuation block, and gives the message that leads to it. */
function continuation(
  rest: readonly PlannedMessage[],
  flags: number,
  envelope: number,
  space: HeaderSpace,
): PlannedMessage {
  const bytes = encodeContinuationV2({ flags, messages: contents(rest) });
  const { length } = bytes;
  const address = space.allocate(length);
  space.put(address, bytes);
  const isLate = completeLater(rest, address + SIGNATURE, envelope, space);
  if (isLate) space.sealLater(address, length - CHECKSUM);
  return plainMessage(messageType.continuation, encodeContinuation({ address, length }, space));
}

/** Messages of a header that libhdf5 can add to: one that is too small gets an empty message. */
function padded(messages: readonly PlannedMessage[], envelope: number): readonly PlannedMessage[] {
  const missing = SMALLEST_BLOCK - sizeOf(messages, envelope);
  if (missing <= 0) return messages;
  return [...messages, plainMessage(messageType.nil, new Uint8Array(Math.max(0, missing - envelope)))];
}

function checkSizes(messages: readonly PlannedMessage[]): void {
  for (const { type, size } of messages) {
    if (size > LARGEST_MESSAGE) {
      const limit = `at most ${LARGEST_MESSAGE} bytes fit an object header`;
      throw new InvalidArgumentError(`a ${messageName(type)} message of ${size} bytes: ${limit}`);
    }
  }
}

/** The messages for the first block, with room for a continuation message if need be, and those for the next. */
function splitMessages(
  messages: readonly PlannedMessage[],
  envelope: number,
  widths: Widths,
): [readonly PlannedMessage[], readonly PlannedMessage[]] {
  if (sizeOf(messages, envelope) <= LARGEST_MESSAGE) return [messages, []];
  let room = LARGEST_MESSAGE - envelope - sizeOfContinuation(widths);
  const stop = messages.findIndex(({ size }) => {
    room -= envelope + size;
    return room < 0;
  });
  return [messages.slice(0, stop), messages.slice(stop)];
}

function sizeOf(messages: readonly PlannedMessage[], envelope: number): number {
  return messages.reduce((sum, { size }) => sum + envelope + size, 0);
}

/** The messages as far as they are known, zeros in the place of other bodies. */
function contents(messages: readonly PlannedMessage[]): MessageContent[] {
  return messages.map((message) => ({
    type: message.type,
    flags: message.flags,
    body: typeof message.body === "function" ? new Uint8Array(message.size) : bodyOf(message),
    creationOrder: message.creationOrder,
  }));
}

/**
 * Has the messages of a block that are not known yet written once they are; the first message begins at `start`. Tells
 * whether there are any.
 */
function completeLater(
  messages: readonly PlannedMessage[],
  start: number,
  envelope: number,
  space: HeaderSpace,
  multiple: number = 1,
): boolean {
  let at = start;
  for (const message of messages) {
    const { size, body, target } = message;
    if (typeof body === "function") space.putLater(at + envelope, message);
    if (target !== undefined) space.putAddressLater(at + envelope + size - space.offsetSize, target);
    at += envelope + Math.ceil(size / multiple) * multiple;
  }
  return messages.some(({ body, target }) => typeof body === "function" || target !== undefined);
}
