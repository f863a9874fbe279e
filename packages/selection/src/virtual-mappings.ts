import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  encodeText,
  InvalidArgumentError,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { type DecodedSelection, decodeSelection, encodeSelection } from "./encoded-selection.ts";
import type { Selection } from "./selection.ts";
import type { EncodeSelectionOptions } from "./wire-form.ts";

/** One mapping of a virtual dataset: the elements of `source`, in its order, are those of `virtual`, in its. */
export interface VirtualMapping {
  /** Name of the file the source is in, `"."` for the virtual dataset's own; may hold printf-style `%b`. */
  readonly file: string;
  /** Path of the source dataset; may hold `%b`. */
  readonly dataset: string;
  /** Of the source dataset. */
  readonly source: Selection;
  /** Of the virtual dataset. */
  readonly virtual: Selection;
  /** Block version 1: bits of {@link mappingFlag}. */
  readonly flags?: number | undefined;
}

/** Mappings as a global heap object holds them. */
export interface VirtualMappings {
  readonly version: 0 | 1;
  readonly mappings: readonly VirtualMapping[];
}

/** Flags of a mapping in block version 1, which HDF5 2.0 writes. */
export const mappingFlag = {
  /** The file name is that of an earlier mapping, whose index stands in its place. */
  sharedFile: 0x01,
  /** Likewise the dataset's name. */
  sharedDataset: 0x02,
  /** The source is in the virtual dataset's own file; no file name is stored. */
  sameFile: 0x04,
} as const;

const STRUCTURE = "virtual dataset mappings";
/** The shortest mapping: two empty names and two selections of all. */
const SHORTEST = 34;

/**
 * Decodes the global heap object that a virtual layout leads to (spec IV.A.2.i "Virtual Storage", VII "Virtual Dataset
 * Global Heap Block"; H5Dvirtual.c).
 *
 *     1  version, 0 or 1
 *     L  mappings
 *        for each mapping:
 *        1  flags (version 1)
 *        n  source file name NUL, or the L-byte index of the mapping that has it, or nothing, as the flags say
 *        n  source dataset name NUL, or an index likewise
 *        n  source selection
 *        n  virtual selection
 *     4  checksum
 *
 * @throws InvalidFieldError, UnexpectedEofError, UnsupportedFeatureError
 */
export function decodeVirtualMappings(object: Uint8Array, widths: Widths): VirtualMappings {
  const reader = new ByteReader(object, STRUCTURE);
  const version = reader.u8();
  if (version !== 0 && version !== 1) return reader.fail(`expected version 0 or 1, got ${version}`, 0);
  const count = reader.lengthField(widths, "number of mappings");
  if (count * SHORTEST > object.length) reader.fail(`${count} mappings do not fit ${object.length} bytes`, 1);
  const mappings: VirtualMapping[] = [];
  for (let i = 0; i < count; i++) mappings.push(readMapping(reader, version, mappings, widths));
  verifyChecksum(object, reader.offset, STRUCTURE);
  return { version, mappings };
}

function readMapping(
  reader: ByteReader,
  version: 0 | 1,
  earlier: readonly VirtualMapping[],
  widths: Widths,
): VirtualMapping {
  const flags = version === 0 ? 0 : reader.u8();
  if (flags > 7) reader.fail(`unknown flags ${flags}`, reader.offset - 1);
  const shared = (): VirtualMapping => {
    const index = reader.lengthField(widths, "mapping index");
    return earlier[index] ?? reader.fail(`expected the index of an earlier mapping, got ${index}`);
  };
  const file =
    (flags & mappingFlag.sameFile) !== 0
      ? "."
      : (flags & mappingFlag.sharedFile) !== 0
        ? shared().file
        : reader.nulTerminated("source file name");
  const dataset =
    (flags & mappingFlag.sharedDataset) !== 0 ? shared().dataset : reader.nulTerminated("source dataset name");
  const source = readSelection(reader);
  const mapping = { file, dataset, source, virtual: readSelection(reader) };
  return version === 0 ? mapping : { ...mapping, flags };
}

function readSelection(reader: ByteReader): Selection {
  const { selection, byteLength }: DecodedSelection = decodeSelection(reader.bytes, reader.offset);
  reader.skip(byteLength);
  return selection;
}

/**
 * Encodes the mappings; the inverse of {@link decodeVirtualMappings}.
 *
 * @param options - how selections made by hand are written
 * @throws InvalidArgumentError as `encodeSelection` does, and for a shared name that no earlier mapping has
 */
export function encodeVirtualMappings(
  { version, mappings }: VirtualMappings,
  widths: Widths,
  options: EncodeSelectionOptions = {},
): Uint8Array<ArrayBuffer> {
  const parts = mappings.flatMap((mapping, i) => [
    ...nameParts(mapping, version, (member) => indexOfEarlier(mappings, i, member, widths)),
    encodeSelection(mapping.source, options),
    encodeSelection(mapping.virtual, options),
  ]);
  const length = parts.reduce((sum, part) => sum + part.length, 5 + widths.lengthSize);
  const writer = new ByteWriter(length, STRUCTURE);
  writer.u8(version);
  writer.lengthField(mappings.length, widths);
  for (const part of parts) writer.put(part);
  appendChecksum(writer);
  return writer.finish();
}

function nameParts(
  mapping: VirtualMapping,
  version: 0 | 1,
  indexOf: (member: "file" | "dataset") => Uint8Array,
): Uint8Array[] {
  const flags = version === 0 ? 0 : (mapping.flags ?? 0);
  const parts: Uint8Array[] = version === 0 ? [] : [Uint8Array.of(flags)];
  if ((flags & mappingFlag.sameFile) === 0) {
    parts.push((flags & mappingFlag.sharedFile) === 0 ? encodeText(`${mapping.file}\0`) : indexOf("file"));
  }
  parts.push((flags & mappingFlag.sharedDataset) === 0 ? encodeText(`${mapping.dataset}\0`) : indexOf("dataset"));
  return parts;
}

function indexOfEarlier(
  mappings: readonly VirtualMapping[],
  i: number,
  member: "file" | "dataset",
  widths: Widths,
): Uint8Array {
  const name = mappings[i]![member];
  const index = mappings.findIndex((other) => other[member] === name);
  if (index === i) throw new InvalidArgumentError(`no earlier mapping has the ${member} ${name}`);
  const writer = new ByteWriter(widths.lengthSize, STRUCTURE);
  writer.lengthField(index, widths);
  return writer.finish();
}
