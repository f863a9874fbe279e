import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  checkLimit,
  decodeVersion,
  type FileContext,
  InvalidFieldError,
  need,
  type Plan,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import {
  type ArrayIndex,
  checkElementForm,
  type ElementRun,
  readBlockPrefix,
  readFlags,
  readPages,
  type SlotElement,
  wantedElements,
  writeBlockPrefix,
  writeFlags,
} from "./array-block.ts";
import { type ChunkElement, type ElementForm, readElements, writeElements } from "./chunk-element.ts";

const HEADER = "fixed array header";
const BLOCK = "fixed array data block";

/** The header of a fixed array, the index of a dataset whose shape is bounded. */
export interface FixedArrayHeader {
  /** 0 unfiltered chunks, 1 filtered chunks. */
  readonly clientId: number;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** An array of more than 2^pageBits elements is cut into pages of that many. */
  readonly pageBits: number;
  /** Elements of the array. */
  readonly count: number;
  /** Address of the data block; undefined while nothing is allocated. */
  readonly blockAddress: number | undefined;
}

/** The data block of a fixed array: its elements, or, where it is paged, which of the pages behind it are there. */
export interface FixedArrayBlock {
  /** Address of the array's header. */
  readonly headerAddress: number;
  /** Not paged: the elements. */
  readonly elements?: readonly ChunkElement[] | undefined;
  /** Paged: whether each page is initialised; one that is not holds no chunk, and its bytes mean nothing. */
  readonly pages?: readonly boolean[] | undefined;
}

/** Bytes of a fixed array's header. */
export function sizeOfFixedArrayHeader(widths: Widths): number {
  return 12 + widths.lengthSize + widths.offsetSize;
}

/*
 * Fixed array header (spec VII.C)
 *
 *   0  4  "FAHD"
 *   4  1  version, 0
 *   5  1  client id
 *   6  1  element size
 *   7  1  page bits
 *   8  L  number of elements
 *      O  data block address
 *      4  checksum
 */

/**
 * Decodes a fixed array's header.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeFixedArrayHeader(bytes: Uint8Array, widths: Widths, address?: number): FixedArrayHeader {
  const reader = new ByteReader(bytes, HEADER, address);
  reader.signature("FAHD");
  verifyChecksum(bytes, sizeOfFixedArrayHeader(widths) - 4, HEADER, address);
  decodeVersion(reader, 0);
  const clientId = reader.u8();
  if (clientId > 1) reader.fail(`expected client id 0 or 1, got ${clientId}`, 5);
  const elementSize = reader.u8();
  const pageBits = reader.u8();
  if (pageBits > 52) reader.fail(`expected at most 52 page bits, got ${pageBits}`, 7);
  const count = reader.lengthField(widths, "number of elements");
  return { clientId, elementSize, pageBits, count, blockAddress: reader.offsetField(widths, "data block address") };
}

/** Encodes a fixed array's header. */
export function encodeFixedArrayHeader(header: FixedArrayHeader, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfFixedArrayHeader(widths), HEADER);
  writer.ascii("FAHD");
  writer.u8(0);
  writer.u8(header.clientId);
  writer.u8(header.elementSize);
  writer.u8(header.pageBits);
  writer.lengthField(header.count, widths);
  writer.offsetField(header.blockAddress, widths);
  appendChecksum(writer);
  return writer.finish();
}

/** Pages of the array's data block; 0 where it is not paged. */
export function fixedArrayPages({ count, pageBits }: FixedArrayHeader): number {
  const pageElements = 2 ** pageBits;
  return count > pageElements ? Math.ceil(count / pageElements) : 0;
}

/** Bytes of the data block, without the pages that follow a paged one. */
export function sizeOfFixedArrayBlock(header: FixedArrayHeader, widths: Widths): number {
  const pages = fixedArrayPages(header);
  return 10 + widths.offsetSize + (pages > 0 ? Math.ceil(pages / 8) : header.count * header.elementSize);
}

/*
 * Fixed array data block (spec VII.C)
 *
 *   0  4  "FADB"
 *   4  1  version, 0
 *   5  1  client id
 *   6  O  header address
 *         paged: a bit for each page, the first in the highest bit; else the elements
 *      4  checksum of all before it
 *         paged: the pages, each with a checksum, the last one shorter
 */

/**
 * Decodes a data block, without its pages.
 *
 * @param headerAddress - the header's own address, which the block must name
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeFixedArrayBlock(
  bytes: Uint8Array,
  header: FixedArrayHeader,
  headerAddress: number,
  form: ElementForm,
  widths: Widths,
  address?: number,
): FixedArrayBlock {
  const reader = new ByteReader(bytes, BLOCK, address);
  readBlockPrefix(reader, "FADB", header.clientId, headerAddress, widths);
  verifyChecksum(bytes, sizeOfFixedArrayBlock(header, widths) - 4, BLOCK, address);
  const pages = fixedArrayPages(header);
  if (pages > 0) return { headerAddress, pages: readFlags(reader, pages) };
  return { headerAddress, elements: readElements(reader, header.count, form, widths) };
}

/** Encodes a data block, without its pages (see `encodeElementPage`). */
export function encodeFixedArrayBlock(
  block: FixedArrayBlock,
  header: FixedArrayHeader,
  form: ElementForm,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfFixedArrayBlock(header, widths), BLOCK);
  writeBlockPrefix(writer, "FADB", header.clientId, block.headerAddress, widths);
  writeFlags(writer, block.pages ?? []);
  writeElements(writer, block.elements ?? [], form, widths);
  appendChecksum(writer);
  return writer.finish();
}

/**
 * The elements of the wanted slots; only the data block and the pages they lie in are read.
 *
 * @param total - slots of the dataset's grid, which the array must have
 */
export function* readFixedArray(context: FileContext, index: ArrayIndex, total: number): Plan<SlotElement[]> {
  const { address, form, slots } = index;
  const head = yield* need(HEADER, address, sizeOfFixedArrayHeader(context));
  const header = decodeFixedArrayHeader(head, context, address);
  checkElementForm(header, index, HEADER);
  if (header.count !== total) {
    throw new InvalidFieldError(`expected ${total} elements, got ${header.count}`, { structure: HEADER, address });
  }
  if (header.blockAddress === undefined) return [];
  const size = sizeOfFixedArrayBlock(header, context);
  checkLimit(context.limits, "metadataBytes", size, { structure: BLOCK, address: header.blockAddress });
  const bytes = yield* need(BLOCK, header.blockAddress, size);
  const block = decodeFixedArrayBlock(bytes, header, address, form, context, header.blockAddress);
  if (block.elements !== undefined) return wantedElements(block.elements, 0, slots);
  return yield* readPages(context, index, initialisedPages(block, header, header.blockAddress + size));
}

function initialisedPages(block: FixedArrayBlock, header: FixedArrayHeader, start: number): ElementRun[] {
  const pageElements = 2 ** header.pageBits;
  const stride = pageElements * header.elementSize + 4;
  const runs: ElementRun[] = [];
  block.pages?.forEach((initialised, page) => {
    const first = page * pageElements;
    const count = Math.min(pageElements, header.count - first);
    if (initialised) runs.push({ address: start + page * stride, first, count });
  });
  return runs;
}
