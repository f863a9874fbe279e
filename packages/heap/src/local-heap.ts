import {
  ByteReader,
  ByteWriter,
  checkLimit,
  decodeText,
  decodeVersion,
  type FileContext,
  need,
  type Plan,
  type Widths,
} from "@h5/framing";

const HEADER = "local heap";
const SEGMENT = "local heap data segment";
/** The free list's end (H5HL_FREE_NULL): not a multiple of 8, hence no offset of a block. */
const NO_BLOCK = 1;

/** The header of a local heap: where its data segment lies, which need not be next to it. */
export interface LocalHeapHeader {
  /** Bytes of the data segment. */
  readonly dataSize: number;
  /** Offset in the data segment of the first free block; `undefined` where there is none. */
  readonly freeList: number | undefined;
  /** Address of the data segment. */
  readonly dataAddress: number;
}

/** A hole in the data segment. */
export interface LocalHeapFreeBlock {
  readonly offset: number;
  readonly size: number;
}

/** A local heap with its data segment: names of links and external files, found by their offset. */
export interface LocalHeap extends LocalHeapHeader {
  readonly address: number;
  readonly data: Uint8Array;
  /** The free blocks, in the order of the list. */
  readonly free: readonly LocalHeapFreeBlock[];
}

/** Bytes of a local heap's header, without the padding to 8 that libhdf5 leaves behind it. */
export function sizeOfLocalHeapHeader(widths: Widths): number {
  return 8 + 2 * widths.lengthSize + widths.offsetSize;
}

/*
 * Local heap header (spec III.D)
 *
 *   0  4  "HEAP"
 *   4  1  version, 0
 *   5  3  reserved
 *   8  L  data segment size
 *      L  offset of the first free block, 1 for none
 *      O  data segment address
 */

/**
 * Decodes a local heap's header.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeLocalHeapHeader(bytes: Uint8Array, widths: Widths, address?: number): LocalHeapHeader {
  const reader = new ByteReader(bytes, HEADER, address);
  reader.signature("HEAP");
  decodeVersion(reader, 0);
  reader.skip(3);
  const dataSize = reader.lengthField(widths, "data segment size");
  const head = reader.lengthField(widths, "free list offset");
  if (head !== NO_BLOCK && head >= dataSize) reader.fail(`free list at ${head} of a segment of ${dataSize} bytes`);
  const dataAddress = reader.definedOffset(widths, "data segment address");
  return { dataSize, freeList: head === NO_BLOCK ? undefined : head, dataAddress };
}

/** Encodes a local heap's header. */
export function encodeLocalHeapHeader(header: LocalHeapHeader, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfLocalHeapHeader(widths), HEADER);
  writer.ascii("HEAP");
  writer.u32(0);
  writer.lengthField(header.dataSize, widths);
  writer.lengthField(header.freeList ?? NO_BLOCK, widths);
  writer.offsetField(header.dataAddress, widths);
  return writer.finish();
}

/**
 * The free blocks of a data segment (spec III.D, "Free List"): each begins with the next one's offset and its own size,
 * a length each.
 *
 * @throws InvalidFieldError where the list leaves the segment or comes back to a block
 */
export function decodeLocalHeapFreeList(
  data: Uint8Array,
  header: LocalHeapHeader,
  widths: Widths,
): LocalHeapFreeBlock[] {
  const blocks = new Map<number, LocalHeapFreeBlock>();
  for (let offset = header.freeList ?? NO_BLOCK; offset !== NO_BLOCK; ) {
    const reader = new ByteReader(data, SEGMENT, header.dataAddress, offset);
    if (blocks.has(offset)) reader.fail(`the free list comes back to the block at ${offset}`);
    const next = reader.lengthField(widths, "next free block");
    const size = reader.lengthField(widths, "free block size");
    if (next === 0) reader.fail("next free block 0", offset);
    if (size > data.length - offset)
      reader.fail(`free block of ${size} bytes, ${data.length - offset} are left`, offset);
    blocks.set(offset, { offset, size });
    offset = next;
  }
  return [...blocks.values()];
}

/** The data segment of a heap, its free list written over the free blocks. */
export function encodeLocalHeapSegment(heap: LocalHeap, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(heap.dataSize, SEGMENT);
  writer.put(heap.data);
  heap.free.forEach(({ offset, size }, i) => {
    writer.offset = offset;
    writer.lengthField(heap.free[i + 1]?.offset ?? NO_BLOCK, widths);
    writer.lengthField(size, widths);
  });
  writer.offset = heap.dataSize;
  return writer.finish();
}

/**
 * Reads a local heap: its header, its data segment and its free list.
 *
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`metadataBytes`)
 */
export function* readLocalHeap(context: FileContext, address: number): Plan<LocalHeap> {
  const key = `HEAP ${address}`;
  const known = context.kept?.get(key);
  if (known !== undefined) return known as LocalHeap;
  // A heap that never grew has its segment right behind the header: 512 bytes often hold both.
  const head = yield* need(HEADER, address, 512, sizeOfLocalHeapHeader(context));
  const header = decodeLocalHeapHeader(head, context, address);
  const { dataAddress, dataSize } = header;
  checkLimit(context.limits, "metadataBytes", dataSize, { structure: SEGMENT, address: dataAddress });
  const start = dataAddress - address;
  const data =
    start >= 0 && start + dataSize <= head.length
      ? head.subarray(start, start + dataSize)
      : yield* need(SEGMENT, dataAddress, dataSize);
  // A copy, for a view that is kept would keep all that was read with it.
  const own = context.kept === undefined ? data : data.slice();
  const heap = { address, ...header, data: own, free: decodeLocalHeapFreeList(own, header, context) };
  context.kept?.set(key, heap, 512 + dataSize);
  return heap;
}

/**
 * The bytes at `offset` up to a NUL, without it.
 *
 * @throws InvalidFieldError where the offset is outside the segment or no NUL follows
 */
export function localHeapBytes(heap: LocalHeap, offset: number): Uint8Array {
  const reader = new ByteReader(heap.data, SEGMENT, heap.dataAddress);
  if (offset >= heap.data.length) reader.fail(`offset ${offset} of a segment of ${heap.data.length} bytes`);
  const end = heap.data.indexOf(0, offset);
  if (end < 0) reader.fail("a string has no terminating NUL", offset);
  return heap.data.subarray(offset, end);
}

/** {@link localHeapBytes} as text; bytes that are not UTF-8 are kept apart (see `decodeText`). */
export function localHeapString(heap: LocalHeap, offset: number): string {
  return decodeText(localHeapBytes(heap, offset));
}
