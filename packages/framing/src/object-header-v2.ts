import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { HeaderMessage, MessageContent } from "./header-message.ts";
import { appendChecksum, verifyChecksum } from "./lookup3.ts";
import { checkMessageFlags, messageType } from "./message-type.ts";
import { decodeFlags, decodeVersion } from "./version-and-flags.ts";

/** When an object was used and changed, in seconds since 1970. */
export interface ObjectTimes {
  readonly access: number;
  readonly modification: number;
  readonly change: number;
  readonly birth: number;
}

/** When attributes move from the header to dense storage and back. */
export interface AttributePhaseChange {
  /** The most attributes kept in the header. */
  readonly maxCompact: number;
  /** The fewest kept densely. */
  readonly minDense: number;
}

/** The fields of a version 2 header that are neither sizes nor messages. */
export interface ObjectHeaderV2Fields {
  /** Bits of {@link objectHeaderFlag}; the low two are the width of the first block's size, as a power of two. */
  readonly flags: number;
  /** Present when the flags say so. */
  readonly times?: ObjectTimes | undefined;
  /** Present when the flags say so; else 8 and 6. */
  readonly attributePhaseChange?: AttributePhaseChange | undefined;
}

/** Prefix of a version 2 object header. */
export interface ObjectHeaderV2Prefix extends ObjectHeaderV2Fields {
  readonly version: 2;
  /** Bytes of messages and gap that follow the prefix, without the checksum. */
  readonly chunkSize: number;
  /** Bytes of the prefix itself. */
  readonly byteLength: number;
}

/** Bits of a version 2 object header's flags (`H5Opublic.h`). */
export const objectHeaderFlag = {
  chunkSizeWidth: 0x03,
  trackCreationOrder: 0x04,
  indexCreationOrder: 0x08,
  storePhaseChange: 0x10,
  storeTimes: 0x20,
} as const;

/** Messages of one block of a version 2 header, and the zero bytes behind them, too few to hold a NIL message. */
export interface MessageBlock<M extends MessageContent = HeaderMessage> {
  readonly messages: readonly M[];
  readonly gap: number;
}

const STRUCTURE = "object header";
const CONTINUATION = "object header continuation";
const SIGNATURE = "OHDR";
const CONTINUATION_SIGNATURE = "OCHK";
/** Bytes of a continuation block besides its messages: signature and checksum. */
const CONTINUATION_FRAME = 8;

/**
 * Spec IV.A.1.b, Version 2 Data Object Header Prefix.
 *
 *     4  signature "OHDR"
 *     1  version (2)
 *     1  flags
 *     4  access time         (flag 0x20)
 *     4  modification time   (flag 0x20)
 *     4  change time         (flag 0x20)
 *     4  birth time          (flag 0x20)
 *     2  maximum compact     (flag 0x10)
 *     2  minimum dense       (flag 0x10)
 *     1, 2, 4, 8  size of the first block
 *
 * @throws UnsupportedFeatureError for another version, InvalidFieldError, UnexpectedEofError
 */
export function decodeObjectHeaderV2Prefix(bytes: Uint8Array, address?: number): ObjectHeaderV2Prefix {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  reader.signature(SIGNATURE);
  decodeVersion(reader, 2);
  const flags = decodeFlags(reader, 0x3f);
  const times = flags & objectHeaderFlag.storeTimes ? decodeTimes(reader) : undefined;
  const attributePhaseChange = flags & objectHeaderFlag.storePhaseChange ? decodePhaseChange(reader) : undefined;
  const sizeAt = reader.offset;
  const chunkSize = reader.uint(chunkSizeWidth(flags), "size of the first block");
  if (chunkSize > 0 && chunkSize < envelopeSize(flags)) reader.fail(`${chunkSize} bytes hold no message`, sizeAt);
  return { version: 2, flags, times, attributePhaseChange, chunkSize, byteLength: reader.offset };
}

function decodeTimes(reader: ByteReader): ObjectTimes {
  return { access: reader.u32(), modification: reader.u32(), change: reader.u32(), birth: reader.u32() };
}

function decodePhaseChange(reader: ByteReader): AttributePhaseChange {
  const at = reader.offset;
  const maxCompact = reader.u16();
  const minDense = reader.u16();
  if (maxCompact < minDense) reader.fail(`maximum compact ${maxCompact} is below minimum dense ${minDense}`, at);
  return { maxCompact, minDense };
}

function chunkSizeWidth(flags: number): number {
  return 2 ** (flags & objectHeaderFlag.chunkSizeWidth);
}

/** The low two bits of a header's flags that make room for `size` bytes of messages. */
export function chunkSizeFlag(size: number): number {
  return size < 256 ? 0 : size < 65536 ? 1 : size < 4294967296 ? 2 : 3;
}

/** Bytes before a message's body. */
function envelopeSize(flags: number): number {
  return flags & objectHeaderFlag.trackCreationOrder ? 6 : 4;
}

/**
 * The messages of one block, NIL among them.
 *
 *     1  type
 *     2  size of the body
 *     1  flags
 *     2  creation order   (header flag 0x04)
 *     n  body
 *
 * @param bytes the block without signature, prefix and checksum
 * @param flags the header's
 * @throws InvalidFieldError for contradictory flags, or a gap beside a NIL message (`H5Ocache.c`); UnexpectedEofError
 */
export function decodeMessagesV2(bytes: Uint8Array, flags: number, address: number): MessageBlock {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const messages: HeaderMessage[] = [];
  while (reader.remaining >= envelopeSize(flags)) messages.push(decodeMessageV2(reader, flags, address));
  const gap = reader.remaining;
  if (gap > 0 && messages.some(({ type }) => type === messageType.nil)) {
    reader.fail(`gap of ${gap} bytes in a block with NIL messages`);
  }
  return { messages, gap };
}

function decodeMessageV2(reader: ByteReader, headerFlags: number, address: number): HeaderMessage {
  const type = reader.u8();
  const size = reader.u16();
  const flags = reader.u8();
  checkMessageFlags(flags, reader.here);
  const creationOrder = headerFlags & objectHeaderFlag.trackCreationOrder ? reader.u16() : undefined;
  const bodyAddress = address + reader.offset;
  return { type, flags, body: reader.take(size), address: bodyAddress, creationOrder };
}

/**
 * A whole continuation block (spec IV.A.2.q): signature "OCHK", messages and gap, checksum.
 *
 * @param flags the header's
 * @throws InvalidFieldError for a wrong signature or checksum, and what {@link decodeMessagesV2} throws
 */
export function decodeContinuationV2(bytes: Uint8Array, flags: number, address: number): MessageBlock {
  const reader = new ByteReader(bytes, CONTINUATION, address);
  reader.signature(CONTINUATION_SIGNATURE);
  const length = Math.max(0, reader.remaining - 4);
  verifyChecksum(bytes, reader.offset + length, CONTINUATION, address);
  return decodeMessagesV2(reader.take(length), flags, address + 4);
}

/** A version 2 object header's first block, to be encoded. */
export interface ObjectHeaderV2 extends ObjectHeaderV2Fields {
  readonly messages: readonly MessageContent[];
  /** Zero bytes behind the messages, fewer than a message's envelope. */
  readonly gap?: number | undefined;
}

/** Bytes of {@link encodeObjectHeaderV2}, checksum included. */
export function sizeOfObjectHeaderV2(header: ObjectHeaderV2): number {
  return prefixSize(header.flags) + sizeOfBlock(header) + 4;
}

function prefixSize(flags: number): number {
  const times = flags & objectHeaderFlag.storeTimes ? 16 : 0;
  const phaseChange = flags & objectHeaderFlag.storePhaseChange ? 4 : 0;
  return 6 + times + phaseChange + chunkSizeWidth(flags);
}

/** A version 2 object header's prefix, first block and checksum; the flags must leave room for its size. */
export function encodeObjectHeaderV2(header: ObjectHeaderV2): Uint8Array<ArrayBuffer> {
  const { flags, times, attributePhaseChange: phaseChange } = header;
  const writer = new ByteWriter(sizeOfObjectHeaderV2(header), STRUCTURE);
  writer.ascii(SIGNATURE);
  writer.u8(2);
  writer.u8(flags);
  if (times) for (const time of [times.access, times.modification, times.change, times.birth]) writer.u32(time);
  if (phaseChange) {
    writer.u16(phaseChange.maxCompact);
    writer.u16(phaseChange.minDense);
  }
  writer.uint(sizeOfBlock(header), chunkSizeWidth(flags));
  putBlock(writer, header);
  return writer.finish();
}

/** Bytes of {@link encodeContinuationV2}. */
export function sizeOfContinuationV2(block: Pick<ObjectHeaderV2, "messages" | "flags" | "gap">): number {
  return CONTINUATION_FRAME + sizeOfBlock(block);
}

/** The inverse of {@link decodeContinuationV2}; `flags` are the header's. */
export function encodeContinuationV2(
  block: Pick<ObjectHeaderV2, "messages" | "flags" | "gap">,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfContinuationV2(block), CONTINUATION);
  writer.ascii(CONTINUATION_SIGNATURE);
  putBlock(writer, block);
  return writer.finish();
}

function sizeOfBlock({ messages, flags, gap = 0 }: Pick<ObjectHeaderV2, "messages" | "flags" | "gap">): number {
  return messages.reduce((sum, { body }) => sum + envelopeSize(flags) + body.length, gap);
}

/** Messages, gap, and the checksum over everything written so far. */
function putBlock(writer: ByteWriter, block: Pick<ObjectHeaderV2, "messages" | "flags" | "gap">): void {
  for (const { type, flags, body, creationOrder } of block.messages) {
    writer.u8(type);
    writer.u16(body.length);
    writer.u8(flags);
    if (block.flags & objectHeaderFlag.trackCreationOrder) writer.u16(creationOrder ?? 0);
    writer.put(body);
  }
  writer.skip(block.gap ?? 0);
  appendChecksum(writer);
}
