import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { HeaderMessage, MessageContent } from "./header-message.ts";
import { checkMessageFlags } from "./message-type.ts";

/** Prefix of a version 1 object header. */
export interface ObjectHeaderV1Prefix {
  readonly version: 1;
  /** Messages over all blocks, NIL and continuations included; releases up to 1.8 could miscount it. */
  readonly messageCount: number;
  /** Hard links to the object. */
  readonly referenceCount: number;
  /** Bytes of messages that follow the prefix. */
  readonly chunkSize: number;
  /** Bytes of the prefix itself. */
  readonly byteLength: number;
}

const STRUCTURE = "object header";
const PREFIX = 16;
const ENVELOPE = 8;

/**
 * Spec IV.A.1.a, Version 1 Data Object Header Prefix; the padding to 16 bytes is in `H5Opkg.h` only.
 *
 *     1  version (1)
 *     1  reserved
 *     2  number of messages
 *     4  reference count
 *     4  header size: bytes of messages in the first block
 *     4  padding
 *
 * @throws InvalidFieldError for another version, or a size that contradicts the number of messages
 */
export function decodeObjectHeaderV1Prefix(bytes: Uint8Array, address?: number): ObjectHeaderV1Prefix {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const version = reader.u8();
  if (version !== 1) reader.fail(`expected version 1 or signature "OHDR", got first byte ${version}`, 0);
  reader.skip(1);
  const messageCount = reader.u16();
  const referenceCount = reader.u32();
  const sizeAt = reader.offset;
  const chunkSize = reader.u32();
  reader.skip(4);
  if (messageCount > 0 ? chunkSize < ENVELOPE : chunkSize > 0) {
    reader.fail(`header size ${chunkSize} contradicts ${messageCount} messages`, sizeAt);
  }
  return { version: 1, messageCount, referenceCount, chunkSize, byteLength: PREFIX };
}

/**
 * The messages of one block: what follows the prefix, or a whole continuation block. NIL messages are among them.
 *
 *     2  type
 *     2  size of the body, a multiple of 8
 *     1  flags
 *     3  reserved
 *     n  body
 *
 * @throws InvalidFieldError for an unaligned size, contradictory flags or bytes left over; UnexpectedEofError
 */
export function decodeMessagesV1(bytes: Uint8Array, address: number): HeaderMessage[] {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const messages: HeaderMessage[] = [];
  while (reader.remaining > 0) {
    const type = reader.u16();
    const size = reader.u16();
    if (size % 8 !== 0) reader.fail(`message size ${size} is not a multiple of 8`, reader.offset - 2);
    const flags = reader.u8();
    checkMessageFlags(flags, reader.here);
    reader.skip(3);
    const bodyAddress = address + reader.offset;
    messages.push({ type, flags, body: reader.take(size), address: bodyAddress });
  }
  return messages;
}

/** A version 1 object header's first block, to be encoded. */
export interface ObjectHeaderV1 {
  readonly referenceCount: number;
  readonly messages: readonly MessageContent[];
  /** Messages over all blocks, where continuations hold more than this block. */
  readonly messageCount?: number | undefined;
}

/** Bytes of {@link encodeObjectHeaderV1}. */
export function sizeOfObjectHeaderV1(header: ObjectHeaderV1): number {
  return PREFIX + sizeOfMessagesV1(header.messages);
}

/** A version 1 object header's prefix and first block. */
export function encodeObjectHeaderV1(header: ObjectHeaderV1): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfObjectHeaderV1(header), STRUCTURE);
  writer.u8(1);
  writer.skip(1);
  writer.u16(header.messageCount ?? header.messages.length);
  writer.u32(header.referenceCount);
  writer.u32(sizeOfMessagesV1(header.messages));
  writer.skip(4);
  writer.put(encodeMessagesV1(header.messages));
  return writer.finish();
}

/** Bytes of {@link encodeMessagesV1}. */
export function sizeOfMessagesV1(messages: readonly MessageContent[]): number {
  return messages.reduce((sum, { body }) => sum + ENVELOPE + padded(body), 0);
}

/** The inverse of {@link decodeMessagesV1}, which is a whole continuation block too; bodies are padded to 8. */
export function encodeMessagesV1(messages: readonly MessageContent[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfMessagesV1(messages), STRUCTURE);
  for (const { type, flags, body } of messages) {
    writer.u16(type);
    writer.u16(padded(body));
    writer.u8(flags);
    writer.skip(3);
    writer.put(body);
    writer.align(8);
  }
  return writer.finish();
}

function padded(body: Uint8Array): number {
  return Math.ceil(body.length / 8) * 8;
}
