import { ByteReader, ByteWriter, type Widths } from "@h5/framing";
import { type FractalHeapHeader, heapLengthWidth, heapOffsetWidth } from "./fractal-header.ts";

const STRUCTURE = "fractal heap id";
/** The longest tiny object whose length fits into the first byte. */
const SHORT_TINY = 16;

/** What a heap id says of its object. */
export type FractalHeapId =
  | { readonly kind: "managed"; readonly offset: number; readonly length: number }
  /** The object lies by itself in the file. `size` and `filterMask` in filtered heaps only. */
  | {
      readonly kind: "huge";
      readonly address: number;
      readonly length: number;
      readonly filterMask?: number | undefined;
      readonly size?: number | undefined;
    }
  /** The same, found by a number in the heap's B-tree of huge objects. */
  | { readonly kind: "indirect"; readonly id: number }
  | { readonly kind: "tiny"; readonly data: Uint8Array };

/*
 * Fractal heap id (spec III.G, "Fractal Heap ID"; H5HFhuge.c, H5HFtiny.c)
 *
 *   0  1  bits 6-7 version, 0; bits 4-5 kind: 0 managed, 1 huge, 2 tiny; tiny: bits 0-3 length - 1, or its high bits
 *         managed: offset and length, as wide as the heap's size and its largest block or object need
 *         huge, room for all of it: O address, L length; filtered: 4 filter mask, L size
 *         huge, else: a number, in up to 8 bytes
 *         tiny: where ids are longer than 18 bytes, 1 low bits of length - 1; then the object
 */

/**
 * Decodes an id of a heap.
 *
 * @throws InvalidFieldError for another length, version or kind, or an object that the heap cannot hold
 */
export function decodeFractalHeapId(bytes: Uint8Array, header: FractalHeapHeader, widths: Widths): FractalHeapId {
  const reader = new ByteReader(bytes, STRUCTURE);
  if (bytes.length !== header.idLength) reader.fail(`expected ${header.idLength} bytes, got ${bytes.length}`);
  return fractalHeapIdReader(header, widths)(reader);
}

/** What reads the ids of one heap from where they stand among other things, as {@link decodeFractalHeapId} does. */
export function fractalHeapIdReader(header: FractalHeapHeader, widths: Widths): (reader: ByteReader) => FractalHeapId {
  const offsetWidth = heapOffsetWidth(header);
  const lengthWidth = heapLengthWidth(header);
  const most = Math.min(header.maxManagedSize, header.table.maxDirectSize);
  const { managedSize } = header.statistics;
  const managed = (reader: ByteReader): FractalHeapId => {
    const offset = reader.uint(offsetWidth, "object offset");
    const length = reader.uint(lengthWidth, "object length");
    if (length === 0 || length > most) reader.fail(`expected a length of 1 to ${most}, got ${length}`);
    if (offset === 0 || offset >= managedSize) {
      reader.fail(`expected an offset in the heap's ${managedSize} bytes, got ${offset}`);
    }
    return { kind: "managed", offset, length };
  };
  return (reader) => {
    const end = reader.offset + header.idLength;
    const first = reader.u8();
    if (first >= 0x40) reader.fail(`expected version 0, got ${first >> 6}`);
    const kind = first >> 4;
    if (kind > 2) reader.fail("reserved kind of heap id");
    const id =
      kind === 0
        ? managed(reader)
        : kind === 1
          ? decodeHuge(reader, header, widths)
          : decodeTiny(reader, first & 15, header);
    if (reader.offset > end) reader.fail(`heap ids of ${header.idLength} bytes are too short`);
    reader.offset = end;
    return id;
  };
}

function decodeHuge(reader: ByteReader, header: FractalHeapHeader, widths: Widths): FractalHeapId {
  if (!hugeIdsAreDirect(header, widths)) {
    return { kind: "indirect", id: reader.uint(Math.min(8, header.idLength - 1), "huge object id") };
  }
  const address = reader.definedOffset(widths, "huge object address");
  const length = reader.lengthField(widths, "huge object length");
  if (header.filter === undefined) return { kind: "huge", address, length };
  return { kind: "huge", address, length, filterMask: reader.u32(), size: reader.lengthField(widths) };
}

/** Whether ids have room for all that must be known of a huge object. */
export function hugeIdsAreDirect(
  { idLength, filter }: Pick<FractalHeapHeader, "idLength" | "filter">,
  { offsetSize, lengthSize }: Widths,
): boolean {
  return idLength - 1 >= offsetSize + lengthSize + (filter === undefined ? 0 : 4 + lengthSize);
}

function decodeTiny(reader: ByteReader, bits: number, { idLength }: FractalHeapHeader): FractalHeapId {
  const length = (tinyLengthIsLong(idLength) ? bits * 256 + reader.u8() : bits) + 1;
  return { kind: "tiny", data: reader.take(length).slice() };
}

/** Whether the length of a tiny object takes a second byte. */
function tinyLengthIsLong(idLength: number): boolean {
  return idLength - 1 > SHORT_TINY + 1;
}

/** The longest object that ids hold themselves; a byte longer id would not do with the second length byte it needs. */
export function maxTinySize({ idLength }: Pick<FractalHeapHeader, "idLength">): number {
  return tinyLengthIsLong(idLength) ? idLength - 2 : Math.min(idLength - 1, SHORT_TINY);
}

/** Encodes an id of a heap. */
export function encodeFractalHeapId(
  id: FractalHeapId,
  header: FractalHeapHeader,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(header.idLength, STRUCTURE);
  writeFractalHeapId(writer, id, header, widths);
  return writer.finish();
}

/** Writes an id of a heap; what it does not need of its length is zero. */
export function writeFractalHeapId(
  writer: ByteWriter,
  id: FractalHeapId,
  header: FractalHeapHeader,
  widths: Widths,
): void {
  const end = writer.offset + header.idLength;
  switch (id.kind) {
    case "managed":
      writer.u8(0);
      writer.uint(id.offset, heapOffsetWidth(header));
      writer.uint(id.length, heapLengthWidth(header));
      break;
    case "huge":
      writer.u8(0x10);
      writer.offsetField(id.address, widths);
      writer.lengthField(id.length, widths);
      if (header.filter === undefined) break;
      writer.u32(id.filterMask ?? 0);
      writer.lengthField(id.size ?? 0, widths);
      break;
    case "indirect":
      writer.u8(0x10);
      writer.uint(id.id, Math.min(8, header.idLength - 1));
      break;
    case "tiny":
      writeTiny(writer, id.data, header);
  }
  writer.skip(end - writer.offset);
}

function writeTiny(writer: ByteWriter, data: Uint8Array, { idLength }: FractalHeapHeader): void {
  const bits = data.length - 1;
  writer.u8(0x20 | (tinyLengthIsLong(idLength) ? Math.floor(bits / 256) : bits));
  if (tinyLengthIsLong(idLength)) writer.u8(bits % 256);
  writer.put(data);
}
