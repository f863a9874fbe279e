import type { ByteReader, ByteWriter, Widths } from "@h5/framing";
import { compareCoordinates } from "./chunk-location.ts";

/** How the records of one kind of version 2 B-tree look (spec III.A.2, one kind for each type 1 to 11). */
export interface V2RecordCodec<R> {
  /** The type in the tree's header and nodes. */
  readonly type: number;
  /** Bytes of a record. */
  readonly size: number;
  decode(reader: ByteReader): R;
  encode(writer: ByteWriter, record: R): void;
  /**
   * The tree's order as far as the records tell it: negative, 0 or positive. Records of equal hash are ordered by what
   * they point at.
   */
  compare(a: R, b: R): number;
}

/** What a walk needs of a codec. */
export type V2RecordDecoder<R> = Omit<V2RecordCodec<R>, "encode">;

/** Types 1 to 4: a huge object of a fractal heap. Some members stand in some of the types only. */
export interface HugeObjectRecord {
  readonly address: number;
  /** Stored bytes: after the heap's filters, where it has any. */
  readonly length: number;
  /** Types 2 and 4: filters left out, a bit for each. */
  readonly filterMask?: number | undefined;
  /** Types 2 and 4: bytes of the object. */
  readonly size?: number | undefined;
}

/** Types 1 and 2: the same with the number by which a heap id names the object. */
export interface NumberedHugeObjectRecord extends HugeObjectRecord {
  readonly id: number;
}

/** Types 1 (plain) and 2 (filtered): huge objects found by a number, in order of it. */
export function hugeIndirectRecords(filtered: boolean, widths: Widths): V2RecordCodec<NumberedHugeObjectRecord> {
  return {
    type: filtered ? 2 : 1,
    size: sizeOfHugeRecord(filtered, widths) + widths.lengthSize,
    decode(reader) {
      const object = readHugeObject(reader, filtered, widths);
      return { ...object, id: reader.lengthField(widths, "huge object id") };
    },
    encode(writer, record) {
      writeHugeObject(writer, record, filtered, widths);
      writer.lengthField(record.id, widths);
    },
    compare: (a, b) => a.id - b.id,
  };
}

/** Types 3 (plain) and 4 (filtered): huge objects whose heap ids hold their address, in order of it. */
export function hugeDirectRecords(filtered: boolean, widths: Widths): V2RecordCodec<HugeObjectRecord> {
  return {
    type: filtered ? 4 : 3,
    size: sizeOfHugeRecord(filtered, widths),
    decode: (reader) => readHugeObject(reader, filtered, widths),
    encode: (writer, record) => writeHugeObject(writer, record, filtered, widths),
    compare: (a, b) => a.address - b.address || a.length - b.length,
  };
}

function sizeOfHugeRecord(filtered: boolean, { offsetSize, lengthSize }: Widths): number {
  return offsetSize + lengthSize + (filtered ? 4 + lengthSize : 0);
}

function readHugeObject(reader: ByteReader, filtered: boolean, widths: Widths): HugeObjectRecord {
  const address = reader.definedOffset(widths, "huge object address");
  const length = reader.lengthField(widths, "huge object length");
  if (!filtered) return { address, length };
  return { address, length, filterMask: reader.u32(), size: reader.lengthField(widths, "huge object size") };
}

function writeHugeObject(writer: ByteWriter, record: HugeObjectRecord, filtered: boolean, widths: Widths): void {
  writer.offsetField(record.address, widths);
  writer.lengthField(record.length, widths);
  if (!filtered) return;
  writer.u32(record.filterMask ?? 0);
  writer.lengthField(record.size, widths);
}

/** Type 5: a link by the hash of its name. */
export interface LinkNameRecord {
  /** Lookup3 of the name's bytes. */
  readonly hash: number;
  /** Id in the group's fractal heap, 7 bytes. */
  readonly heapId: Uint8Array;
}

/** Type 5: u32 hash, 7 bytes of heap id (H5Gbtree2.c). */
export function linkNameRecords(): V2RecordCodec<LinkNameRecord> {
  return {
    type: 5,
    size: 11,
    decode: (reader) => ({ hash: reader.u32(), heapId: reader.take(7) }),
    encode(writer, { hash, heapId }) {
      writer.u32(hash);
      writer.put(heapId);
    },
    compare: (a, b) => a.hash - b.hash,
  };
}

/** Type 6: a link by its creation order. */
export interface LinkOrderRecord {
  readonly creationOrder: number;
  /** Id in the group's fractal heap, 7 bytes. */
  readonly heapId: Uint8Array;
}

/** Type 6: u64 creation order, 7 bytes of heap id (H5Gbtree2.c). */
export function linkOrderRecords(): V2RecordCodec<LinkOrderRecord> {
  return {
    type: 6,
    size: 15,
    decode: (reader) => ({ creationOrder: reader.u64("creation order"), heapId: reader.take(7) }),
    encode(writer, { creationOrder, heapId }) {
      writer.u64(creationOrder);
      writer.put(heapId);
    },
    compare: (a, b) => a.creationOrder - b.creationOrder,
  };
}

/** Type 7: a shared object header message, in the index's heap or in the header of an object. */
export type SharedMessageRecord =
  | {
      readonly location: "heap";
      readonly hash: number;
      readonly referenceCount: number;
      /** Id in the index's fractal heap, 8 bytes. */
      readonly heapId: Uint8Array;
    }
  | {
      readonly location: "header";
      readonly hash: number;
      readonly messageType: number;
      /** Creation index of the message in its object header. */
      readonly index: number;
      readonly headerAddress: number;
    };

/**
 * Type 7, also an entry of a shared message list: u8 location; u32 hash; then in the heap (0) u32 reference count and
 * 8 bytes of heap id, in a header (1) a reserved byte, u8 message type, u16 creation index, the header's address
 * (H5SMmessage.c).
 */
export function sharedMessageRecords(widths: Widths): V2RecordCodec<SharedMessageRecord> {
  const body = Math.max(12, 4 + widths.offsetSize);
  return {
    type: 7,
    size: 5 + body,
    decode(reader) {
      const end = reader.offset + 5 + body;
      const record = readSharedMessage(reader, widths);
      reader.skip(end - reader.offset);
      return record;
    },
    encode(writer, record) {
      const end = writer.offset + 5 + body;
      writeSharedMessage(writer, record, widths);
      writer.skip(end - writer.offset);
    },
    compare: (a, b) => a.hash - b.hash,
  };
}

function readSharedMessage(reader: ByteReader, widths: Widths): SharedMessageRecord {
  const location = reader.u8();
  const hash = reader.u32();
  if (location === 0) {
    return { location: "heap", hash, referenceCount: reader.u32(), heapId: reader.take(8) };
  }
  if (location !== 1) reader.fail(`expected message location 0 or 1, got ${location}`, reader.offset - 5);
  reader.skip(1);
  const messageType = reader.u8();
  const index = reader.u16();
  return { location: "header", hash, messageType, index, headerAddress: reader.definedOffset(widths) };
}

function writeSharedMessage(writer: ByteWriter, record: SharedMessageRecord, widths: Widths): void {
  writer.u8(record.location === "heap" ? 0 : 1);
  writer.u32(record.hash);
  if (record.location === "heap") {
    writer.u32(record.referenceCount);
    writer.put(record.heapId);
    return;
  }
  writer.u8(0);
  writer.u8(record.messageType);
  writer.u16(record.index);
  writer.offsetField(record.headerAddress, widths);
}

/** Types 8 and 9: an attribute by the hash of its name or by its creation order. */
export interface AttributeRecord {
  /** Id of the message, 8 bytes: in the object's fractal heap, or of a shared message where the flags say so. */
  readonly heapId: Uint8Array;
  /** Flags of the attribute's message; bit 1: shared. */
  readonly flags: number;
  readonly creationOrder: number;
  /** Type 8: lookup3 of the name's bytes. */
  readonly hash?: number | undefined;
}

/** Type 8: 8 bytes of heap id, u8 message flags, u32 creation order, u32 hash (H5Abtree2.c). */
export function attributeNameRecords(): V2RecordCodec<AttributeRecord> {
  return {
    type: 8,
    size: 17,
    decode(reader) {
      const record = readAttribute(reader);
      return { hash: reader.u32(), ...record };
    },
    encode(writer, record) {
      writeAttribute(writer, record);
      writer.u32(record.hash ?? 0);
    },
    compare: (a, b) => (a.hash ?? 0) - (b.hash ?? 0),
  };
}

/** Type 9: 8 bytes of heap id, u8 message flags, u32 creation order (H5Abtree2.c). */
export function attributeOrderRecords(): V2RecordCodec<AttributeRecord> {
  return {
    type: 9,
    size: 13,
    decode: readAttribute,
    encode: writeAttribute,
    compare: (a, b) => a.creationOrder - b.creationOrder,
  };
}

function readAttribute(reader: ByteReader): AttributeRecord {
  return { heapId: reader.take(8), flags: reader.u8(), creationOrder: reader.u32() };
}

function writeAttribute(writer: ByteWriter, { heapId, flags, creationOrder }: AttributeRecord): void {
  writer.put(heapId);
  writer.u8(flags);
  writer.u32(creationOrder);
}

/** Types 10 and 11: a chunk of a dataset. */
export interface ChunkRecord {
  readonly address: number;
  /** Type 11: stored bytes. */
  readonly size?: number | undefined;
  /** Type 11: filters left out, a bit for each. */
  readonly filterMask?: number | undefined;
  /** Position in the grid of chunks. */
  readonly scaled: readonly number[];
}

/**
 * Types 10 (unfiltered: address, then a u64 for each dimension) and 11 (filtered: address, stored size, u32 filter mask,
 * then the same). The records hold no rank; the positions are in chunks (H5Dbtree2.c).
 *
 * @param sizeWidth - bytes of the stored size (see `storedSizeWidth`); 0 for unfiltered chunks
 */
export function chunkRecords(rank: number, sizeWidth: number, widths: Widths): V2RecordCodec<ChunkRecord> {
  const filtered = sizeWidth > 0;
  return {
    type: filtered ? 11 : 10,
    size: widths.offsetSize + (filtered ? sizeWidth + 4 : 0) + 8 * rank,
    decode(reader) {
      const address = reader.definedOffset(widths, "chunk address");
      const stored = filtered ? { size: reader.uint(sizeWidth, "chunk size"), filterMask: reader.u32() } : {};
      return { address, ...stored, scaled: Array.from({ length: rank }, () => reader.u64("chunk position")) };
    },
    encode(writer, record) {
      writer.offsetField(record.address, widths);
      if (filtered) {
        writer.uint(record.size ?? 0, sizeWidth);
        writer.u32(record.filterMask ?? 0);
      }
      for (const at of record.scaled) writer.u64(at);
    },
    compare: (a, b) => compareCoordinates(a.scaled, b.scaled),
  };
}
