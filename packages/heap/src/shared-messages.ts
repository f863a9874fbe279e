import { readV2Records, type SharedMessageRecord, sharedMessageRecords } from "@h5/btree";
import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  checkLimit,
  type FileContext,
  InvalidFieldError,
  need,
  type Plan,
  UnexpectedEofError,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { type FractalHeap, fractalHeapObject, readFractalHeap } from "./fractal-lookup.ts";

const TABLE = "shared message table";
const LIST = "shared message list";

/** One index of shared messages. */
export interface SharedMessageIndex {
  readonly kind: "list" | "btree";
  /** Bit i set: messages of type i are shared here. */
  readonly messageTypes: number;
  /** Bytes of the smallest message that is shared. */
  readonly minMessageSize: number;
  /** Messages above which a list becomes a B-tree. */
  readonly listMax: number;
  /** Messages below which a B-tree becomes a list. */
  readonly btreeMin: number;
  readonly count: number;
  /** Address of the list or B-tree. */
  readonly indexAddress: number | undefined;
  /** Address of the fractal heap with the messages. */
  readonly heapAddress: number | undefined;
}

/** Bytes of a table of `count` indexes. */
export function sizeOfSharedMessageTable(count: number, widths: Widths): number {
  return 8 + count * (14 + 2 * widths.offsetSize);
}

/*
 * Shared message table (spec IV.A.2.p, "Shared Object Header Message Table")
 *
 *   0  4  "SMTB"
 *         for each index: 1 version, 0;  1 kind, 0 list or 1 B-tree;  2 message types;  4 minimum message size;
 *         2 list maximum;  2 B-tree minimum;  2 messages;  O index address;  O heap address
 *      4  checksum
 */

/**
 * Decodes a table, whose number of indexes stands in the message that leads to it.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeSharedMessageTable(
  bytes: Uint8Array,
  count: number,
  widths: Widths,
  address?: number,
): SharedMessageIndex[] {
  const reader = new ByteReader(bytes, TABLE, address);
  reader.signature("SMTB");
  verifyChecksum(bytes, sizeOfSharedMessageTable(count, widths) - 4, TABLE, address);
  return Array.from({ length: count }, () => readIndex(reader, widths));
}

function readIndex(reader: ByteReader, widths: Widths): SharedMessageIndex {
  const version = reader.u8();
  if (version !== 0) reader.fail(`expected index version 0, got ${version}`, reader.offset - 1);
  const kind = reader.u8();
  if (kind > 1) reader.fail(`expected index kind 0 or 1, got ${kind}`, reader.offset - 1);
  const index: SharedMessageIndex = {
    kind: kind === 0 ? "list" : "btree",
    messageTypes: reader.u16(),
    minMessageSize: reader.u32(),
    listMax: reader.u16(),
    btreeMin: reader.u16(),
    count: reader.u16(),
    indexAddress: reader.offsetField(widths, "index address"),
    heapAddress: reader.offsetField(widths, "heap address"),
  };
  const complete = index.indexAddress !== undefined && index.heapAddress !== undefined;
  if (index.count > 0 && !complete) reader.fail(`${index.count} messages, but no index or no heap`);
  return index;
}

/** Encodes a table. */
export function encodeSharedMessageTable(
  indexes: readonly SharedMessageIndex[],
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSharedMessageTable(indexes.length, widths), TABLE);
  writer.ascii("SMTB");
  for (const index of indexes) {
    writer.u8(0);
    writer.u8(index.kind === "list" ? 0 : 1);
    writer.u16(index.messageTypes);
    writer.u32(index.minMessageSize);
    writer.u16(index.listMax);
    writer.u16(index.btreeMin);
    writer.u16(index.count);
    writer.offsetField(index.indexAddress, widths);
    writer.offsetField(index.heapAddress, widths);
  }
  appendChecksum(writer);
  return writer.finish();
}

/** Reads a table of `count` indexes. */
export function* readSharedMessageTable(
  context: FileContext,
  address: number,
  count: number,
): Plan<SharedMessageIndex[]> {
  const bytes = yield* need(TABLE, address, sizeOfSharedMessageTable(count, context));
  return decodeSharedMessageTable(bytes, count, context, address);
}

/** Bytes of a list with room for `capacity` messages. */
export function sizeOfSharedMessageList(capacity: number, widths: Widths): number {
  return 8 + capacity * sharedMessageRecords(widths).size;
}

/*
 * Shared message list (spec IV.A.2.p, "Shared Message Record List")
 *
 *   0  4  "SMLI"
 *         the messages in use, as in a B-tree of type 7
 *      4  checksum, right behind them; then room up to the list maximum
 */

/**
 * Decodes a list of `count` messages.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeSharedMessageList(
  bytes: Uint8Array,
  count: number,
  widths: Widths,
  address?: number,
): SharedMessageRecord[] {
  const size = sizeOfSharedMessageList(count, widths);
  if (bytes.length < size) throw new UnexpectedEofError(LIST, address, size, bytes.length);
  const codec = sharedMessageRecords(widths);
  const reader = new ByteReader(bytes, LIST, address);
  reader.signature("SMLI");
  verifyChecksum(bytes, size - 4, LIST, address);
  return Array.from({ length: count }, () => codec.decode(reader));
}

/** Encodes a list with room for `capacity` messages (default: those it has); the room left over is zero. */
export function encodeSharedMessageList(
  records: readonly SharedMessageRecord[],
  widths: Widths,
  capacity: number = records.length,
): Uint8Array<ArrayBuffer> {
  const codec = sharedMessageRecords(widths);
  const writer = new ByteWriter(sizeOfSharedMessageList(capacity, widths), LIST);
  writer.ascii("SMLI");
  for (const record of records) codec.encode(writer, record);
  appendChecksum(writer);
  writer.skip(writer.bytes.length - writer.offset);
  return writer.finish();
}

/** The records of an index, of a list in its order, of a B-tree in order of their hash. */
export function* readSharedMessageRecords(
  context: FileContext,
  { kind, count, indexAddress }: SharedMessageIndex,
): Plan<SharedMessageRecord[]> {
  if (indexAddress === undefined) return [];
  if (kind === "btree") return yield* readV2Records(context, indexAddress, sharedMessageRecords(context));
  const size = sizeOfSharedMessageList(count, context);
  checkLimit(context.limits, "metadataBytes", size, { structure: LIST, address: indexAddress });
  return decodeSharedMessageList(yield* need(LIST, indexAddress, size), count, context, indexAddress);
}

/** Whether an index with these `messageTypes` shares messages of a type. */
export function sharesType(messageTypes: number, messageType: number): boolean {
  // The old fill value message is shared as if it were the new one (H5SM.c).
  const type = messageType === 4 ? 5 : messageType;
  return Math.floor(messageTypes / 2 ** type) % 2 === 1;
}

/**
 * The heap with the shared messages of one type.
 *
 * @throws InvalidFieldError where no index shares the type, or its index has no heap
 */
export function* readSharedMessageHeap(
  context: FileContext,
  indexes: readonly SharedMessageIndex[],
  messageType: number,
): Plan<FractalHeap> {
  const heapAddress = indexes.find(({ messageTypes }) => sharesType(messageTypes, messageType))?.heapAddress;
  if (heapAddress === undefined) {
    throw new InvalidFieldError(`no messages of type ${messageType} are shared`, { structure: TABLE });
  }
  return yield* readFractalHeap(context, heapAddress);
}

/**
 * The body of a shared message.
 *
 * @param indexes - of the file's table
 * @param messageType - type of the message whose body is a pointer to the shared one
 * @param heapId - the pointer's heap id
 */
export function* findSharedMessage(
  context: FileContext,
  indexes: readonly SharedMessageIndex[],
  messageType: number,
  heapId: Uint8Array,
): Plan<Uint8Array> {
  return yield* fractalHeapObject(yield* readSharedMessageHeap(context, indexes, messageType), heapId);
}
