import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** Where the file's shared message table is. */
export interface SharedMessageTable {
  readonly version: 0;
  /** Address of the table, signature "SMTB". */
  readonly address: number;
  /** Indexes in it. */
  readonly indexCount: number;
}

const STRUCTURE = "shared message table message";

/** Bytes of the message. */
export function sizeOfSharedMessageTable(widths: Widths): number {
  return 2 + widths.offsetSize;
}

/**
 * Message 0x0F (spec IV.A.2.p), of the superblock extension.
 *
 *     1  version (0)
 *     O  address of the table
 *     1  number of indexes
 *
 * @throws UnsupportedFeatureError for another version, InvalidFieldError for an undefined address, UnexpectedEofError
 */
export function decodeSharedMessageTable(body: Uint8Array, widths: Widths, address?: number): SharedMessageTable {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 0);
  return { version: 0, address: reader.definedOffset(widths), indexCount: reader.u8() };
}

/** The inverse of {@link decodeSharedMessageTable}. */
export function encodeSharedMessageTable(table: SharedMessageTable, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSharedMessageTable(widths), STRUCTURE);
  writer.u8(table.version);
  writer.offsetField(table.address, widths);
  writer.u8(table.indexCount);
  return writer.finish();
}
