import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** A piece of a dataset's raw data in another file. */
export interface ExternalFileSlot {
  /** Offset of the file's name in the local heap. */
  readonly nameOffset: number;
  /** First byte of the piece in that file. */
  readonly offset: number;
  /** Bytes of the piece; undefined for the unlimited last one. */
  readonly size?: number | undefined;
}

/** Where a contiguous dataset's raw data is when it is in other files: the pieces, in order. */
export interface ExternalFiles {
  /** Address of the local heap with the files' names. */
  readonly heapAddress: number;
  readonly slots: readonly ExternalFileSlot[];
  /** Slots the message says it has room for, at least as many as are used. */
  readonly allocatedSlots: number;
}

const STRUCTURE = "external data files message";

/** Bytes of the message, up to its last used slot. */
export function sizeOfExternalFiles(files: Pick<ExternalFiles, "slots">, widths: Widths): number {
  return 8 + widths.offsetSize + 3 * widths.lengthSize * files.slots.length;
}

/**
 * Message 0x07 (spec IV.A.2.h); that the last size may be all ones is in `H5Oprivate.h` only.
 *
 *     1  version (1)
 *     3  reserved
 *     2  allocated slots
 *     2  used slots
 *     O  local heap address
 *        each used slot:  L  name offset, L  offset in the file, L  size
 *
 * @throws UnsupportedFeatureError for another version; InvalidFieldError for no slots, or more used than allocated;
 *   UnexpectedEofError
 */
export function decodeExternalFiles(body: Uint8Array, widths: Widths, address?: number): ExternalFiles {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 1);
  reader.skip(3);
  const allocatedSlots = reader.u16();
  const used = reader.u16();
  if (allocatedSlots === 0 || used > allocatedSlots) reader.fail(`${used} of ${allocatedSlots} slots used`, 4);
  const heapAddress = reader.definedOffset(widths, "local heap address");
  const slots: ExternalFileSlot[] = [];
  for (let i = 0; i < used; i++) {
    slots.push({
      nameOffset: reader.lengthField(widths, "name offset"),
      offset: reader.lengthField(widths, "offset in the file"),
      size: reader.lengthOrUndefined(widths, "size"),
    });
  }
  return { heapAddress, slots, allocatedSlots };
}

/** The inverse of {@link decodeExternalFiles}. */
export function encodeExternalFiles(files: ExternalFiles, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExternalFiles(files, widths), STRUCTURE);
  writer.u8(1);
  writer.skip(3);
  writer.u16(files.allocatedSlots);
  writer.u16(files.slots.length);
  writer.offsetField(files.heapAddress, widths);
  for (const { nameOffset, offset, size } of files.slots) {
    writer.uint(nameOffset, widths.lengthSize);
    writer.uint(offset, widths.lengthSize);
    writer.lengthField(size, widths);
  }
  return writer.finish();
}
