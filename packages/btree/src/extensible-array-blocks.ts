import { appendChecksum, ByteReader, ByteWriter, verifyChecksum, type Widths } from "@h5/framing";
import { readBlockPrefix, readFlags, writeBlockPrefix, writeFlags } from "./array-block.ts";
import { type ChunkElement, type ElementForm, readElements, writeElements } from "./chunk-element.ts";
import {
  type ExtensibleArrayGeometry,
  extensibleArrayGeometry,
  type SuperBlockGeometry,
} from "./extensible-array-geometry.ts";
import type { ExtensibleArrayHeader } from "./extensible-array-header.ts";

const INDEX_BLOCK = "extensible array index block";
const SUPER_BLOCK = "extensible array super block";
const DATA_BLOCK = "extensible array data block";

/** What the blocks of one array have in common: how they are cut, and whose they are. */
export interface ExtensibleArray {
  readonly header: ExtensibleArrayHeader;
  readonly headerAddress: number;
  readonly geometry: ExtensibleArrayGeometry;
  readonly form: ElementForm;
}

/** The index block: the first elements, and where the blocks with the others lie. */
export interface ExtensibleArrayIndexBlock {
  readonly elements: readonly ChunkElement[];
  readonly dataBlocks: readonly (number | undefined)[];
  readonly superBlocks: readonly (number | undefined)[];
}

/** A super block: where its data blocks lie. */
export interface ExtensibleArraySuperBlock {
  /** First element, counted from the end of the index block's own. */
  readonly offset: number;
  /** Whether each page of each data block is initialised, block by block; empty where data blocks are not paged. */
  readonly pages: readonly boolean[];
  readonly dataBlocks: readonly (number | undefined)[];
}

/** A data block, without its pages. */
export interface ExtensibleArrayDataBlock {
  /** First element, counted from the end of the index block's own; see {@link dataBlockOffsets}. */
  readonly offset: number;
  /** Undefined where the block is paged. */
  readonly elements?: readonly ChunkElement[] | undefined;
}

/** Brings together what decoding an array's blocks takes. */
export function extensibleArray(
  header: ExtensibleArrayHeader,
  headerAddress: number,
  form: ElementForm,
): ExtensibleArray {
  return { header, headerAddress, geometry: extensibleArrayGeometry(header, headerAddress), form };
}

function sizeOfPrefix(widths: Widths): number {
  return 6 + widths.offsetSize;
}

/** Bytes of an array's index block. */
export function sizeOfExtensibleArrayIndexBlock({ header, geometry }: ExtensibleArray, widths: Widths): number {
  const pointers = geometry.directBlocks + geometry.superBlocks.length - geometry.direct;
  return sizeOfPrefix(widths) + header.indexElements * header.elementSize + pointers * widths.offsetSize + 4;
}

/*
 * Extensible array index block (spec VII.D)
 *
 *   0  4  "EAIB"
 *   4  1  version, 0
 *   5  1  client id
 *   6  O  header address
 *         the first elements
 *         addresses of the data blocks of the small super blocks, which have no block of their own
 *         addresses of the other super blocks
 *      4  checksum
 */

/**
 * Decodes an index block.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeExtensibleArrayIndexBlock(
  bytes: Uint8Array,
  array: ExtensibleArray,
  widths: Widths,
  address?: number,
): ExtensibleArrayIndexBlock {
  const { header, headerAddress, geometry, form } = array;
  const reader = new ByteReader(bytes, INDEX_BLOCK, address);
  readBlockPrefix(reader, "EAIB", header.clientId, headerAddress, widths);
  verifyChecksum(bytes, sizeOfExtensibleArrayIndexBlock(array, widths) - 4, INDEX_BLOCK, address);
  const elements = readElements(reader, header.indexElements, form, widths);
  const dataBlocks = readAddresses(reader, geometry.directBlocks, widths);
  return {
    elements,
    dataBlocks,
    superBlocks: readAddresses(reader, geometry.superBlocks.length - geometry.direct, widths),
  };
}

function readAddresses(reader: ByteReader, count: number, widths: Widths): (number | undefined)[] {
  return Array.from({ length: count }, () => reader.offsetField(widths, "block address"));
}

function writeAddresses(writer: ByteWriter, addresses: readonly (number | undefined)[], widths: Widths): void {
  for (const address of addresses) writer.offsetField(address, widths);
}

/** Encodes an index block. */
export function encodeExtensibleArrayIndexBlock(
  block: ExtensibleArrayIndexBlock,
  array: ExtensibleArray,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExtensibleArrayIndexBlock(array, widths), INDEX_BLOCK);
  writeBlockPrefix(writer, "EAIB", array.header.clientId, array.headerAddress, widths);
  writeElements(writer, block.elements, array.form, widths);
  writeAddresses(writer, block.dataBlocks, widths);
  writeAddresses(writer, block.superBlocks, widths);
  appendChecksum(writer);
  return writer.finish();
}

/** Bytes of the page flags in a super block: for each data block, rounded up (but packed without gaps). */
function flagBytes({ blocks, pages }: SuperBlockGeometry): number {
  return blocks * Math.ceil(pages / 8);
}

/** Bytes of a super block. */
export function sizeOfExtensibleArraySuperBlock(
  { geometry }: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  widths: Widths,
): number {
  const addresses = superBlock.blocks * widths.offsetSize;
  return sizeOfPrefix(widths) + geometry.offsetWidth + flagBytes(superBlock) + addresses + 4;
}

/*
 * Extensible array super block (spec VII.D)
 *
 *   0  4  "EASB"
 *   4  1  version, 0
 *   5  1  client id
 *   6  O  header address
 *         block offset, as wide as the maximum number of elements needs
 *         paged: a bit for each page of each data block, in (pages + 7) / 8 bytes for each data block
 *         addresses of the data blocks
 *      4  checksum
 */

/**
 * Decodes a super block.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeExtensibleArraySuperBlock(
  bytes: Uint8Array,
  array: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  widths: Widths,
  address?: number,
): ExtensibleArraySuperBlock {
  const { header, headerAddress, geometry } = array;
  const reader = new ByteReader(bytes, SUPER_BLOCK, address);
  readBlockPrefix(reader, "EASB", header.clientId, headerAddress, widths);
  verifyChecksum(bytes, sizeOfExtensibleArraySuperBlock(array, superBlock, widths) - 4, SUPER_BLOCK, address);
  const offset = readOffset(reader, geometry, [superBlock.firstElement]);
  // libhdf5 rounds the room up for each data block, yet counts the bits through all of them.
  const pages = readFlags(reader, superBlock.blocks * superBlock.pages, flagBytes(superBlock));
  return { offset, pages, dataBlocks: readAddresses(reader, superBlock.blocks, widths) };
}

function readOffset(reader: ByteReader, { offsetWidth }: ExtensibleArrayGeometry, expected: readonly number[]): number {
  const at = reader.offset;
  const offset = reader.uint(offsetWidth, "block offset");
  if (!expected.includes(offset)) reader.fail(`expected block offset ${expected.join(" or ")}, got ${offset}`, at);
  return offset;
}

/** Encodes a super block. */
export function encodeExtensibleArraySuperBlock(
  block: ExtensibleArraySuperBlock,
  array: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExtensibleArraySuperBlock(array, superBlock, widths), SUPER_BLOCK);
  writeBlockPrefix(writer, "EASB", array.header.clientId, array.headerAddress, widths);
  writer.uint(block.offset, array.geometry.offsetWidth);
  writeFlags(writer, block.pages, flagBytes(superBlock));
  writeAddresses(writer, block.dataBlocks, widths);
  appendChecksum(writer);
  return writer.finish();
}

/** Bytes of a data block, without the pages that follow a paged one. */
export function sizeOfExtensibleArrayDataBlock(
  { header, geometry }: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  widths: Widths,
): number {
  const elements = superBlock.pages > 0 ? 0 : superBlock.blockElements * header.elementSize;
  return sizeOfPrefix(widths) + geometry.offsetWidth + elements + 4;
}

/**
 * The block offsets that data block `block` of super block `index` may store: its first element; and, where the index
 * block points at it, what libhdf5 writes there, having counted the blocks from the first super block's on (H5EA.c
 * `H5EA__lookup_elmt`). Nothing reads the field back but checks.
 */
export function dataBlockOffsets(
  { superBlocks, direct }: ExtensibleArrayGeometry,
  index: number,
  block: number,
): number[] {
  const { firstElement, firstBlock, blockElements } = superBlocks[index]!;
  const offset = firstElement + block * blockElements;
  return index < direct ? [offset, offset + firstBlock * blockElements] : [offset];
}

/*
 * Extensible array data block (spec VII.D)
 *
 *   0  4  "EADB"
 *   4  1  version, 0
 *   5  1  client id
 *   6  O  header address
 *         block offset, as wide as the maximum number of elements needs
 *         not paged: the elements
 *      4  checksum of all before it
 *         paged: the pages, each with a checksum
 */

/**
 * Decodes a data block, without its pages.
 *
 * @param offsets - the block offsets allowed, from {@link dataBlockOffsets}
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeExtensibleArrayDataBlock(
  bytes: Uint8Array,
  array: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  offsets: readonly number[],
  widths: Widths,
  address?: number,
): ExtensibleArrayDataBlock {
  const { header, headerAddress, geometry, form } = array;
  const reader = new ByteReader(bytes, DATA_BLOCK, address);
  readBlockPrefix(reader, "EADB", header.clientId, headerAddress, widths);
  verifyChecksum(bytes, sizeOfExtensibleArrayDataBlock(array, superBlock, widths) - 4, DATA_BLOCK, address);
  const offset = readOffset(reader, geometry, offsets);
  if (superBlock.pages > 0) return { offset };
  return { offset, elements: readElements(reader, superBlock.blockElements, form, widths) };
}

/** Encodes a data block, without its pages (see `encodeElementPage`). */
export function encodeExtensibleArrayDataBlock(
  block: ExtensibleArrayDataBlock,
  array: ExtensibleArray,
  superBlock: SuperBlockGeometry,
  widths: Widths,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExtensibleArrayDataBlock(array, superBlock, widths), DATA_BLOCK);
  writeBlockPrefix(writer, "EADB", array.header.clientId, array.headerAddress, widths);
  writer.uint(block.offset, array.geometry.offsetWidth);
  writeElements(writer, block.elements ?? [], array.form, widths);
  appendChecksum(writer);
  return writer.finish();
}
