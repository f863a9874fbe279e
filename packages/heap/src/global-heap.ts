import {
  ByteReader,
  ByteWriter,
  type FileContext,
  InvalidFieldError,
  needSized,
  type Plan,
  UnexpectedEofError,
  type Widths,
} from "@h5/framing";

const STRUCTURE = "global heap collection";

/** One object of a collection. */
export interface GlobalHeapObject {
  /** Reference count, as stored; libhdf5 leaves it at 0 or 1 and never acts on it when it reads. */
  readonly references: number;
  readonly data: Uint8Array;
}

/** A global heap collection: variable-length values, region references and virtual mappings, found by their index. */
export interface GlobalHeapCollection {
  readonly address: number | undefined;
  /** Bytes of the collection. */
  readonly size: number;
  /** Objects by index, 1 to 65535, in the order they lie in. */
  readonly objects: ReadonlyMap<number, GlobalHeapObject>;
}

/** Bytes of a collection's header: signature, version, reserved, size, rounded up to 8. */
export function sizeOfGlobalHeapHeader(widths: Widths): number {
  return align8(8 + widths.lengthSize);
}

/** Bytes an object of `length` bytes takes in a collection: its header and its data, each rounded up to 8. */
export function sizeOfGlobalHeapObject(length: number, widths: Widths): number {
  return align8(8 + widths.lengthSize) + align8(length);
}

function align8(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/*
 * Global heap collection (spec III.E; H5HGcache.c for the roundings)
 *
 *   0  4  "GCOL"
 *   4  1  version, 1
 *   5  3  reserved
 *   8  L  collection size, with this header; up to the next multiple of 8
 *
 * then objects, each at a multiple of 8 from the start of the collection:
 *
 *   0  2  index; 0 is the free space
 *   2  2  reference count
 *   4  4  reserved
 *   8  L  size of the data (of the free space: with this header); up to the next multiple of 8
 *      n  data, up to the next multiple of 8
 *
 * The free space has no header of its own where too few bytes are left for one.
 */

/**
 * Decodes a whole collection. The objects are views of `bytes`. libhdf5 writes no collection below 4096 bytes and
 * refuses them; other writers make them, and nothing in them is unclear, so they are read.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeGlobalHeapCollection(bytes: Uint8Array, widths: Widths, address?: number): GlobalHeapCollection {
  const objects = new Map<number, GlobalHeapObject>();
  const size = walkObjects(bytes, widths, address, (index, references, start, end) => {
    if (objects.has(index)) return false;
    objects.set(index, { references, data: bytes.subarray(start, end) });
    return true;
  });
  return { address, size, objects };
}

/** Where the objects of a collection lie: what it takes to look many of them up, without an object for each. */
export interface GlobalHeapSpans {
  readonly address: number | undefined;
  /** All of the collection. */
  readonly bytes: Uint8Array;
  /** Where each object's data begins and ends in `bytes`, in the order they lie in. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Places in `starts` and `ends` by index; `undefined` where the indexes are 1, 2, 3, …, as in most collections. */
  readonly places: ReadonlyMap<number, number> | undefined;
}

/**
 * Finds the objects of a whole collection, checked as {@link decodeGlobalHeapCollection} does.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeGlobalHeapSpans(bytes: Uint8Array, widths: Widths, address?: number): GlobalHeapSpans {
  const starts: number[] = [];
  const ends: number[] = [];
  let places: Map<number, number> | undefined;
  const size = walkObjects(bytes, widths, address, (index, _references, start, end) => {
    const place = starts.length;
    if (places === undefined && index !== place + 1) places = new Map(starts.map((_, i) => [i + 1, i]));
    if (places?.has(index)) return false;
    places?.set(index, place);
    starts.push(start);
    ends.push(end);
    return true;
  });
  return { address, bytes: bytes.subarray(0, size), starts, ends, places };
}

/** Visits the objects of a collection, of which `visit` refuses a second one of an index, and gives its size. */
function walkObjects(
  bytes: Uint8Array,
  widths: Widths,
  address: number | undefined,
  visit: (index: number, references: number, start: number, end: number) => boolean,
): number {
  const size = collectionSize(bytes, widths, address);
  if (bytes.length < size) throw new UnexpectedEofError(STRUCTURE, address, size, bytes.length);
  const reader = new ByteReader(bytes.subarray(0, size), STRUCTURE, address);
  reader.skip(sizeOfGlobalHeapHeader(widths));
  while (reader.remaining >= sizeOfGlobalHeapObject(0, widths)) {
    const start = reader.offset;
    const index = reader.u16();
    const references = reader.u16();
    reader.skip(4);
    const length = reader.lengthField(widths, "object size");
    if (index === 0) {
      // The free space is what is left, wherever libhdf5 put it; a shorter one would hide what is behind it.
      if (length !== size - start) reader.fail(`free space of ${length} bytes, ${size - start} are left`, start);
      break;
    }
    reader.align(8);
    const data = reader.skip(length);
    if (!visit(index, references, data, data + length)) reader.fail(`a second object ${index}`, start);
    reader.align(8);
  }
  return size;
}

/** The collection size from the header; checked to hold at least the header. */
function collectionSize(bytes: Uint8Array, widths: Widths, address?: number): number {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  reader.signature("GCOL");
  const version = reader.u8();
  if (version !== 1) reader.fail(`expected version 1, got ${version}`, 4);
  reader.skip(3);
  const size = reader.lengthField(widths, "collection size");
  const least = sizeOfGlobalHeapHeader(widths);
  if (size < least) reader.fail(`expected a collection size of at least ${least}, got ${size}`, 8);
  return size;
}

/** Encodes a collection to exactly its size; what the objects leave is free space. */
export function encodeGlobalHeapCollection(collection: GlobalHeapCollection, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(collection.size, STRUCTURE);
  writer.put(encodeGlobalHeapHeader(collection.size, widths));
  for (const [index, { references, data }] of collection.objects) {
    writeObjectHeader(writer, index, references, data.length, widths);
    writer.put(data);
    writer.align(8);
  }
  const left = collection.size - writer.offset;
  if (left >= sizeOfGlobalHeapObject(0, widths)) writeObjectHeader(writer, 0, 0, left, widths);
  writer.offset = collection.size;
  return writer.finish();
}

/** Encodes the header of a collection of `size` bytes alone. */
export function encodeGlobalHeapHeader(size: number, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfGlobalHeapHeader(widths), STRUCTURE);
  writer.ascii("GCOL");
  writer.u32(1);
  writer.lengthField(size, widths);
  writer.align(8);
  return writer.finish();
}

function writeObjectHeader(
  writer: ByteWriter,
  index: number,
  references: number,
  length: number,
  widths: Widths,
): void {
  writer.u16(index);
  writer.u16(references);
  writer.u32(0);
  writer.lengthField(length, widths);
  writer.align(8);
}

/**
 * Reads a whole collection. One large object may have a collection of its own, so that the size is bounded by
 * `limits.metadataBytes` and the file alone.
 *
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`metadataBytes`)
 */
export function* readGlobalHeapCollection(context: FileContext, address: number): Plan<GlobalHeapCollection> {
  return decodeGlobalHeapCollection(yield* needCollection(context, address), context, address);
}

/** Reads a whole collection for looking objects up with {@link globalHeapSpan}; see {@link readGlobalHeapCollection}. */
export function* readGlobalHeapSpans(context: FileContext, address: number): Plan<GlobalHeapSpans> {
  return decodeGlobalHeapSpans(yield* needCollection(context, address), context, address);
}

function needCollection(context: FileContext, address: number): Plan<Uint8Array> {
  const options = { guess: 4096, min: sizeOfGlobalHeapHeader(context), limits: context.limits };
  return needSized(STRUCTURE, address, options, (head) => collectionSize(head, context, address));
}

/**
 * The data of one object, a view of the collection's bytes.
 *
 * @throws InvalidFieldError where the collection has no such object
 */
export function globalHeapObject(collection: GlobalHeapCollection, index: number): Uint8Array {
  return collection.objects.get(index)?.data ?? noObject(index, collection.objects.size, collection.address);
}

/**
 * Where the data of one object lies in the collection's bytes.
 *
 * @throws InvalidFieldError where the collection has no such object
 */
export function globalHeapSpan(
  { bytes, starts, ends, places, address }: GlobalHeapSpans,
  index: number,
): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } {
  const place = places === undefined ? index - 1 : (places.get(index) ?? -1);
  const start = starts[place];
  return start === undefined ? noObject(index, starts.length, address) : { bytes, start, end: ends[place]! };
}

function noObject(index: number, count: number, address: number | undefined): never {
  throw new InvalidFieldError(`no object ${index} among ${count}`, { structure: STRUCTURE, address });
}
