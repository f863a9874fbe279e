import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  log2Floor,
  UnexpectedEofError,
  verifyChecksum,
  type Widths,
} from "@h5/framing";

/** One element of an array index: where a chunk lies. An undefined address stands for a chunk not allocated. */
export interface ChunkElement {
  readonly address: number | undefined;
  /** Filtered datasets only: stored bytes. */
  readonly size?: number | undefined;
  /** Filtered datasets only. */
  readonly filterMask?: number | undefined;
}

/** How the elements of one index are written. */
export interface ElementForm {
  /** Client of the array: 0 unfiltered chunks (an address), 1 filtered ones (address, stored size, filter mask). */
  readonly clientId: 0 | 1;
  /** Bytes of an element. */
  readonly size: number;
  /** Bytes of the stored size; 0 where there is none. */
  readonly sizeWidth: number;
}

/**
 * Width of the field that holds a filtered chunk's stored size: one byte more than the unfiltered size needs, since a
 * filter may enlarge it, up to 8 (H5Dfarray.c, H5Dearray.c, H5Dbtree2.c); since layout version 5 that of the file's lengths.
 */
export function storedSizeWidth(chunkBytes: number, layoutVersion: number, { lengthSize }: Widths): number {
  if (layoutVersion >= 5) return lengthSize;
  return Math.min(8, 1 + Math.floor((log2Floor(Math.max(1, chunkBytes)) + 8) / 8));
}

/** The form of the elements of a dataset's index. */
export function elementForm(filtered: boolean, chunkBytes: number, layoutVersion: number, widths: Widths): ElementForm {
  if (!filtered) return { clientId: 0, size: widths.offsetSize, sizeWidth: 0 };
  const sizeWidth = storedSizeWidth(chunkBytes, layoutVersion, widths);
  return { clientId: 1, size: widths.offsetSize + sizeWidth + 4, sizeWidth };
}

/** Reads `count` elements, having checked that their bytes are there. */
export function readElements(reader: ByteReader, count: number, form: ElementForm, widths: Widths): ChunkElement[] {
  const bytes = count * form.size;
  if (!(bytes <= reader.remaining)) {
    throw new UnexpectedEofError(reader.structure, reader.here, bytes, reader.remaining);
  }
  const elements: ChunkElement[] = [];
  for (let i = 0; i < count; i++) elements.push(readElement(reader, form, widths));
  return elements;
}

/** Reads one element. */
export function readElement(reader: ByteReader, form: ElementForm, widths: Widths): ChunkElement {
  const address = reader.offsetField(widths, "chunk address");
  if (form.clientId === 0) return { address };
  return { address, size: reader.uint(form.sizeWidth, "chunk size"), filterMask: reader.u32() };
}

/** The inverse of {@link readElements}. */
export function writeElements(
  writer: ByteWriter,
  elements: readonly ChunkElement[],
  form: ElementForm,
  widths: Widths,
): void {
  for (const { address, size, filterMask } of elements) {
    writer.offsetField(address, widths);
    if (form.clientId === 0) continue;
    writer.uint(size ?? 0, form.sizeWidth);
    writer.u32(filterMask ?? 0);
  }
}

/** What errors call a page. */
export const PAGE = "data block page";

/** Bytes of a page of `count` elements. */
export function sizeOfElementPage(count: number, form: ElementForm): number {
  return count * form.size + 4;
}

/**
 * Decodes a page of a fixed or extensible array's data block (spec VII.C and VII.D, "Data Block Page"): the elements
 * and a checksum, nothing else.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeElementPage(
  bytes: Uint8Array,
  count: number,
  form: ElementForm,
  widths: Widths,
  address?: number,
): ChunkElement[] {
  verifyChecksum(bytes, count * form.size, PAGE, address);
  return readElements(new ByteReader(bytes, PAGE, address), count, form, widths);
}

/** Encodes a page with its checksum. */
export function encodeElementPage(
  elements: readonly ChunkElement[],
  form: ElementForm,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfElementPage(elements.length, form), PAGE);
  writeElements(writer, elements, form, widths);
  appendChecksum(writer);
  return writer.finish();
}
