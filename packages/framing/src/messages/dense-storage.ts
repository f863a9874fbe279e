import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeFlags, decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/**
 * Where a group keeps its links, or an object its attributes, when they are too many for its header: a fractal heap and
 * version 2 B-trees over it.
 */
export interface DenseStorage {
  /** 0x01 creation order is tracked, 0x02 it is indexed too. */
  readonly flags: number;
  /** The creation order the next member gets, where tracked. */
  readonly maxCreationOrder?: number | undefined;
  /** Address of the fractal heap; undefined where all members are in the header. */
  readonly heapAddress?: number | undefined;
  /** Address of the B-tree by name. */
  readonly nameIndexAddress?: number | undefined;
  /** Address of the B-tree by creation order. */
  readonly orderIndexAddress?: number | undefined;
}

const TRACKED = 0x01;
const INDEXED = 0x02;
const LINK_INFO = "link info message";
const ATTRIBUTE_INFO = "attribute info message";
const LINK_ORDER = 8;
const ATTRIBUTE_ORDER = 2;

/**
 * Message 0x02 (spec IV.A.2.c).
 *
 *     1  version (0)
 *     1  flags
 *     8  maximum creation order            (flag 0x01)
 *     O  fractal heap address
 *     O  name index address
 *     O  creation order index address      (flag 0x02)
 *
 * @throws UnsupportedFeatureError for another version, InvalidFieldError for unknown flags, UnexpectedEofError
 */
export function decodeLinkInfo(body: Uint8Array, widths: Widths, address?: number): DenseStorage {
  return decode(new ByteReader(body, LINK_INFO, address), widths, LINK_ORDER);
}

/** The inverse of {@link decodeLinkInfo}. */
export function encodeLinkInfo(info: DenseStorage, widths: Widths): Uint8Array<ArrayBuffer> {
  return encode(new ByteWriter(sizeOfLinkInfo(info, widths), LINK_INFO), info, widths, LINK_ORDER);
}

/** Bytes of the link info message. */
export function sizeOfLinkInfo(info: Pick<DenseStorage, "flags">, widths: Widths): number {
  return sizeOf(info, widths, LINK_ORDER);
}

/**
 * Message 0x15 (spec IV.A.2.v): as the link info message, with a maximum creation order of 2 bytes.
 *
 * @throws UnsupportedFeatureError for another version, InvalidFieldError for unknown flags, UnexpectedEofError
 */
export function decodeAttributeInfo(body: Uint8Array, widths: Widths, address?: number): DenseStorage {
  return decode(new ByteReader(body, ATTRIBUTE_INFO, address), widths, ATTRIBUTE_ORDER);
}

/** The inverse of {@link decodeAttributeInfo}. */
export function encodeAttributeInfo(info: DenseStorage, widths: Widths): Uint8Array<ArrayBuffer> {
  return encode(new ByteWriter(sizeOfAttributeInfo(info, widths), ATTRIBUTE_INFO), info, widths, ATTRIBUTE_ORDER);
}

/** Bytes of the attribute info message. */
export function sizeOfAttributeInfo(info: Pick<DenseStorage, "flags">, widths: Widths): number {
  return sizeOf(info, widths, ATTRIBUTE_ORDER);
}

function decode(reader: ByteReader, widths: Widths, orderWidth: number): DenseStorage {
  decodeVersion(reader, 0);
  const flags = decodeFlags(reader, TRACKED | INDEXED);
  return {
    flags,
    maxCreationOrder: flags & TRACKED ? reader.uint(orderWidth, "maximum creation order") : undefined,
    heapAddress: reader.offsetField(widths, "fractal heap address"),
    nameIndexAddress: reader.offsetField(widths, "name index address"),
    orderIndexAddress: flags & INDEXED ? reader.offsetField(widths, "creation order index address") : undefined,
  };
}

function encode(writer: ByteWriter, info: DenseStorage, widths: Widths, orderWidth: number): Uint8Array<ArrayBuffer> {
  writer.u8(0);
  writer.u8(info.flags);
  if (info.flags & TRACKED) writer.uint(info.maxCreationOrder ?? 0, orderWidth);
  writer.offsetField(info.heapAddress, widths);
  writer.offsetField(info.nameIndexAddress, widths);
  if (info.flags & INDEXED) writer.offsetField(info.orderIndexAddress, widths);
  return writer.finish();
}

function sizeOf({ flags }: Pick<DenseStorage, "flags">, widths: Widths, orderWidth: number): number {
  return 2 + (flags & TRACKED ? orderWidth : 0) + (flags & INDEXED ? 3 : 2) * widths.offsetSize;
}
