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
  const size = collectionSize(bytes, widths, address);
  if (bytes.length < size) throw new UnexpectedEofError(STRUCTURE, address, size, bytes.length);
  const reader = new ByteReader(bytes.subarray(0, size), STRUCTURE, address);
  reader.skip(sizeOfGlobalHeapHeader(widths));
  const objects = new Map<number, GlobalHeapObject>();
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
    if (objects.has(index)) reader.fail(`a second object ${index}`, start);
    reader.align(8);
    objects.set(index, { references, data: reader.take(length) });
    reader.align(8);
  }
  return { address, size, objects };
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
  writer.ascii("GCOL");
  writer.u32(1);
  writer.lengthField(collection.size, widths);
  writer.align(8);
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
  const options = { guess: 4096, min: sizeOfGlobalHeapHeader(context), limits: context.limits };
  const bytes = yield* needSized(STRUCTURE, address, options, (head) => collectionSize(head, context, address));
  return decodeGlobalHeapCollection(bytes, context, address);
}

/**
 * The data of one object, a view of the collection's bytes.
 *
 * @throws InvalidFieldError where the collection has no such object
 */
export function globalHeapObject(collection: GlobalHeapCollection, index: number): Uint8Array {
  const object = collection.objects.get(index);
  if (object !== undefined) return object.data;
  throw new InvalidFieldError(`no object ${index} among ${collection.objects.size}`, {
    structure: STRUCTURE,
    address: collection.address,
  });
}
