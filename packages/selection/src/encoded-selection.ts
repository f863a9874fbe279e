import { FieldReader, FieldWriter } from "@h5/framing";
import { checkSelection, hyperslabFault, rowsOf } from "./check-selection.ts";
import { MAX_RANK } from "./dataspace.ts";
import { type HyperslabBlock, isRegular, type RegularHyperslab, type Selection } from "./selection.ts";
import { chooseWire, type EncodeSelectionOptions, newestVersion, type Wire } from "./wire-form.ts";

const STRUCTURE = "selection";

/** A selection and the bytes it took. */
export interface DecodedSelection {
  readonly selection: Selection;
  readonly byteLength: number;
}

/**
 * Decodes one serialized selection at `offset`; bytes after it are allowed. A virtual dataset's mapping holds two, back
 * to back, a region reference one. `address` is the file address of `bytes[0]`, for error messages.
 *
 * Spec VIII and H5Sall.c, H5Snone.c, H5Spoint.c, H5Shyper.c; S is the encoded size, r the rank, n the count:
 *
 * | bytes   | field                                                                                          |
 * | ------- | ---------------------------------------------------------------------------------------------- |
 * | 4       | type: 0 none, 1 points, 2 hyperslabs, 3 all                                                    |
 * | 4       | version: 1; points 1 or 2; hyperslabs 1, 2 or 3                                                |
 * | 8       | none and all: reserved, and the end                                                            |
 * | 1       | hyperslabs from version 2: flags, bit 0 regular                                                |
 * | 1       | points 2, hyperslabs 3: S, 2, 4 or 8; else S is 4 in version 1 and 8 in version 2              |
 * | 4       | version 1: reserved                                                                            |
 * | 4       | where S is not stored: bytes from the rank to the end; not looked at                           |
 * | 4       | rank, 1 to 32                                                                                  |
 * | 4·S·r   | regular: for each dimension start, stride, count, block; the last two all ones where unlimited |
 * | S       | else: number of points or blocks                                                               |
 * | S·r·n   | points: their coordinates                                                                      |
 * | 2·S·r·n | blocks: for each the coordinates of its first and of its last element                          |
 *
 * @throws InvalidFieldError for what the format does not allow, overlapping blocks of a regular hyperslab, blocks that
 * end before they start, or a number above 2^53−1
 * @throws UnexpectedEofError where the bytes are too short for the structure or for the counts they claim
 */
export function decodeSelection(bytes: Uint8Array, offset: number = 0, address?: number): DecodedSelection {
  const reader: FieldReader = new FieldReader(bytes, STRUCTURE, address, offset);
  const type = reader.uint(4);
  if (type > 3) reader.fail(`expected type 0 to 3, got ${type}`, offset);
  const version = reader.uint(4);
  const newest = type === 2 ? 3 : type === 1 ? 2 : 1;
  if (version < 1 || version > newest) reader.fail(`expected version 1 to ${newest}, got ${version}`, offset + 4);
  const selection = newest === 1 ? decodeWhole(reader, type) : decodeMembers(reader, newest, version);
  return { selection, byteLength: reader.offset - offset };
}

function decodeWhole(reader: FieldReader, type: number): Selection {
  reader.skip(8);
  return { type: type === 0 ? "none" : "all" };
}

/** Decodes points (of which version 2 is the newest) and hyperslabs (3): the newest version stores its encoded size. */
function decodeMembers(reader: FieldReader, newest: number, version: number): Selection {
  const flags = newest === 3 && version > 1 ? reader.uint(1) : 0;
  if (flags > 1) reader.fail(`unknown flags ${flags}`, reader.offset - 1);
  const encodedSize = version === newest ? reader.uint(1) : 4 * version;
  if (![2, 4, 8].includes(encodedSize)) {
    reader.fail(`expected encoded size 2, 4 or 8, got ${encodedSize}`, reader.offset - 1);
  }
  if (version < newest) reader.skip(version === 1 ? 8 : 4);
  const rank = reader.uint(4);
  if (rank < 1 || rank > MAX_RANK) reader.fail(`expected a rank of 1 to ${MAX_RANK}, got ${rank}`, reader.offset - 4);
  const at = reader.offset;
  const selection = flags ? decodeRegular(reader, rank, encodedSize) : decodeList(reader, newest, rank, encodedSize);
  const fault = selection.type === "hyperslab" && hyperslabFault(selection);
  if (fault) reader.fail(fault, at);
  return { ...selection, version, encodedSize } as Selection;
}

function decodeRegular(reader: FieldReader, rank: number, encodedSize: number): RegularHyperslab {
  const slab = { start: [] as number[], stride: [] as number[], count: [] as number[], block: [] as number[] };
  for (let axis = 0; axis < rank; axis++) {
    slab.start.push(reader.uint(encodedSize));
    slab.stride.push(reader.uint(encodedSize));
    slab.count.push(reader.uintOrUndefined(encodedSize) ?? Infinity);
    slab.block.push(reader.uintOrUndefined(encodedSize) ?? Infinity);
  }
  return { type: "hyperslab", form: "regular", ...slab };
}

function decodeList(reader: FieldReader, newest: number, rank: number, encodedSize: number): Selection {
  const count = reader.uint(encodedSize, "count");
  if (count === 0) reader.fail("expected at least one member", reader.offset - encodedSize);
  const length = (newest - 1) * rank * encodedSize * count;
  // All that is claimed must be there before anything is allocated for it.
  reader.offset = reader.skip(length);
  const points: number[][] = [];
  const blocks: HyperslabBlock[] = [];
  for (let i = 0; i < count; i++) {
    const start = readCoordinate(reader, rank, encodedSize);
    if (newest === 2) points.push(start);
    else blocks.push({ start, end: readCoordinate(reader, rank, encodedSize) });
  }
  return newest === 2 ? { type: "points", points } : { type: "hyperslab", form: "blocks", blocks };
}

function readCoordinate(reader: FieldReader, rank: number, encodedSize: number): number[] {
  const coordinate: number[] = [];
  for (let axis = 0; axis < rank; axis++) coordinate.push(reader.uint(encodedSize, "coordinate"));
  return coordinate;
}

/**
 * Encodes a selection byte for byte as libhdf5 does. A decoded one keeps its version and encoded size; one made by hand
 * gets what libhdf5 gives it at the low bound, except that a block list stays one where libhdf5 might find it regular.
 *
 * @throws InvalidArgumentError for a selection that makes no sense, or does not fit its version and encoded size
 * @throws LimitExceededError where a regular hyperslab must be spelled out as more than `limits.selectionBlocks` blocks
 */
export function encodeSelection(selection: Selection, options: EncodeSelectionOptions = {}): Uint8Array<ArrayBuffer> {
  const wire = wireOrWhole(selection, options);
  const writer = new FieldWriter(wire ? sizeOfWire(wire) : 16, STRUCTURE);
  if (wire) writeMembers(writer, wire);
  else {
    writer.uint(selection.type === "all" ? 3 : 0, 4);
    writer.uint(1, 4);
    writer.skip(8);
  }
  return writer.finish();
}

/** Bytes that {@link encodeSelection} gives with the same options; throws as it does. */
export function sizeOfSelection(selection: Selection, options: EncodeSelectionOptions = {}): number {
  const wire = wireOrWhole(selection, options);
  return wire ? sizeOfWire(wire) : 16;
}

function wireOrWhole(selection: Selection, options: EncodeSelectionOptions): Wire | undefined {
  checkSelection(selection);
  return selection.type === "none" || selection.type === "all" ? undefined : chooseWire(selection, options);
}

function sizeOfWire({ selection, version, encodedSize }: Wire): number {
  const rows = rowsOf(selection);
  const counted = isRegular(selection) ? 0 : 1;
  const flagged = selection.type === "hyperslab" && version > 1 ? 1 : 0;
  const header = version === newestVersion(selection) ? 13 : version === 1 ? 20 : 16;
  return header + flagged + encodedSize * (counted + rows.length * rows[0]!.length);
}

function writeMembers(writer: FieldWriter, { selection, version, encodedSize }: Wire): void {
  const rows = rowsOf(selection);
  const regular = isRegular(selection);
  writer.uint(selection.type === "points" ? 1 : 2, 4);
  writer.uint(version, 4);
  if (selection.type === "hyperslab" && version > 1) writer.uint(regular ? 1 : 0, 1);
  if (version === 1) writer.skip(4);
  if (version === newestVersion(selection)) writer.uint(encodedSize, 1);
  else writer.uint(writer.bytes.length - writer.offset - 4, 4);
  writer.uint(regular ? rows.length : rows[0]!.length, 4);
  if (!regular) writer.uint(selection.type === "points" ? rows.length : rows.length / 2, encodedSize);
  for (const row of rows) {
    for (const x of row) writer.uintOrUndefined(x === Infinity ? undefined : x, encodedSize);
  }
}
