import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeText, encodeText } from "../text.ts";
import { decodeVersion } from "../version-and-flags.ts";

/** What the file driver that wrote a file must be told to open it: that it is one of a family, or split. */
export interface DriverInfo {
  /** Up to 8 bytes: "NCSAfami", "NCSAmult". */
  readonly name: string;
  /** What the driver wrote. */
  readonly data: Uint8Array;
}

const MESSAGE = "driver info message";
const BLOCK = "driver information block";
const NAME = 8;
const BLOCK_PREFIX = 16;

/** Bytes of the message. */
export function sizeOfDriverInfo(info: DriverInfo): number {
  return 3 + NAME + info.data.length;
}

/**
 * Message 0x14 (spec IV.A.2.u), of the superblock extension.
 *
 *     1  version (0)
 *     8  driver name
 *     2  size
 *     n  driver data
 *
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeDriverInfo(body: Uint8Array, address?: number): DriverInfo {
  const reader = new ByteReader(body, MESSAGE, address);
  decodeVersion(reader, 0);
  const name = decodeName(reader);
  return { name, data: reader.take(reader.u16()) };
}

/** The inverse of {@link decodeDriverInfo}. */
export function encodeDriverInfo(info: DriverInfo): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfDriverInfo(info), MESSAGE);
  writer.u8(0);
  putName(writer, info.name);
  writer.u16(info.data.length);
  writer.put(info.data);
  return writer.finish();
}

/** Bytes of the block. */
export function sizeOfDriverInfoBlock(info: DriverInfo): number {
  return BLOCK_PREFIX + info.data.length;
}

/**
 * The block superblocks 0 and 1 point to (spec II.B).
 *
 *     1  version (0)
 *     3  reserved
 *     4  size of the driver data
 *     8  driver name
 *     n  driver data
 *
 * @param bytes from the block on; more may follow
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeDriverInfoBlock(bytes: Uint8Array, address?: number): DriverInfo {
  const reader = new ByteReader(bytes, BLOCK, address);
  decodeVersion(reader, 0);
  reader.skip(3);
  const size = reader.u32();
  const name = decodeName(reader);
  return { name, data: reader.take(size) };
}

/** The inverse of {@link decodeDriverInfoBlock}. */
export function encodeDriverInfoBlock(info: DriverInfo): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfDriverInfoBlock(info), BLOCK);
  writer.skip(4);
  writer.u32(info.data.length);
  putName(writer, info.name);
  writer.put(info.data);
  return writer.finish();
}

function decodeName(reader: ByteReader): string {
  return decodeText(reader.take(NAME)).replace(/\0+$/, "");
}

function putName(writer: ByteWriter, name: string): void {
  const bytes = encodeText(name);
  writer.put(bytes);
  writer.skip(Math.max(0, NAME - bytes.length));
}
