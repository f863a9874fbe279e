import {
  type AttributePhaseChange,
  chunkSizeFlag,
  encodeContinuation,
  encodeContinuationV2,
  encodeObjectHeaderV1,
  encodeObjectHeaderV2,
  type FileSpace,
  InvalidArgumentError,
  type MessageContent,
  messageName,
  messageType,
  objectHeaderFlag,
  sizeOfContinuation,
  type Widths,
} from "@h5/framing";

/** A message of a header to be written: its size is known before any address is, its body after. */
export interface PlannedMessage {
  readonly type: number;
  /** Bits of `messageFlag`. */
  readonly flags: number;
  /** Bytes of the body. */
  readonly size: number;
  body(): Uint8Array;
  /** Place in the order in which attributes were made, where the header tracks it. */
  readonly creationOrder?: number | undefined;
}

/** A message whose body is known already. */
export function plainMessage(type: number, body: Uint8Array, flags: number = 0): PlannedMessage {
  return { type, flags, size: body.length, body: () => body };
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

/** A header with its place in the file. */
export interface PlacedHeader {
  readonly address: number;
  /** Encodes and writes the header; to be called when all its messages know their bodies. */
  write(): void;
}

/** The body of a message has a size of 16 bits. */
export const LARGEST_MESSAGE = 65535;

/** What libhdf5 needs to put a continuation message in the place of others (H5O_MIN_SIZE in H5Opkg.h). */
const SMALLEST_BLOCK = 22;

/**
 * Gives a version 1 header its room: one block with all messages.
 *
 * @throws InvalidArgumentError for more messages than its counter holds, or one that is too large
 */
export function placeHeaderV1(header: PlannedHeader, space: FileSpace, path: string): PlacedHeader {
  const { messages, referenceCount } = header;
  if (messages.length > 65535) {
    throw new InvalidArgumentError(`${messages.length} attributes: an old-style object header holds at most 65,000`, {
      path,
    });
  }
  checkSizes(messages, path);
  const size = messages.reduce((sum, message) => sum + 8 + Math.ceil(message.size / 8) * 8, 16);
  const address = space.allocate(size);
  const write = (): void => space.put(address, encodeObjectHeaderV1({ referenceCount, messages: encoded(messages) }));
  return { address, write };
}

/**
 * Gives a version 2 header its room: a first block of at most 65,535 bytes of messages and, if there are more, a
 * continuation block.
 *
 * @throws InvalidArgumentError for a message that is too large
 */
export function placeHeaderV2(header: PlannedHeader, space: FileSpace, path: string): PlacedHeader {
  checkSizes(header.messages, path);
  const flags = header.flags ?? 0;
  const envelope = flags & objectHeaderFlag.trackCreationOrder ? 6 : 4;
  const [first, rest] = splitMessages(padded(header.messages, envelope), envelope, space);
  const firstSize = sizeOf(first, envelope) + (rest.length > 0 ? envelope + sizeOfContinuation(space) : 0);
  const sized = { ...header, flags: flags | chunkSizeFlag(firstSize) };
  const times = header.attributePhaseChange === undefined ? 0 : 4;
  const length = 6 + times + 2 ** chunkSizeFlag(firstSize) + firstSize + 4;
  const address = space.allocate(length);
  const restLength = 8 + sizeOf(rest, envelope);
  const restAddress = rest.length > 0 ? space.allocate(restLength) : undefined;
  const write = (): void => {
    const messages = [...first];
    if (restAddress !== undefined) {
      messages.push(continuation({ address: restAddress, length: restLength }, space));
      space.put(restAddress, encodeContinuationV2({ flags: sized.flags, messages: encoded(rest) }));
    }
    space.put(address, encodeObjectHeaderV2({ ...sized, messages: encoded(messages) }));
  };
  return { address, write };
}

/** Messages of a header that libhdf5 can add to: one that is too small gets an empty message. */
function padded(messages: readonly PlannedMessage[], envelope: number): readonly PlannedMessage[] {
  const missing = SMALLEST_BLOCK - sizeOf(messages, envelope);
  if (missing <= 0) return messages;
  return [...messages, plainMessage(messageType.nil, new Uint8Array(Math.max(0, missing - envelope)))];
}

function checkSizes(messages: readonly PlannedMessage[], path: string): void {
  for (const { type, size } of messages) {
    if (size > LARGEST_MESSAGE) {
      const limit = `at most ${LARGEST_MESSAGE} bytes fit an object header`;
      throw new InvalidArgumentError(`a ${messageName(type)} message of ${size} bytes: ${limit}`, { path });
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

function continuation(next: { address: number; length: number }, widths: Widths): PlannedMessage {
  return plainMessage(messageType.continuation, encodeContinuation(next, widths));
}

function encoded(messages: readonly PlannedMessage[]): MessageContent[] {
  return messages.map(({ type, flags, size, body, creationOrder }) => {
    const bytes = body();
    if (bytes.length !== size) {
      throw new InvalidArgumentError(`measured ${size} bytes, got ${bytes.length}`, { structure: messageName(type) });
    }
    return { type, flags, body: bytes, creationOrder };
  });
}
