import { InvalidArgumentError, InvalidFieldError } from "@h5/framing";
import { readFields } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import {
  checkOutputSize,
  type DecodeOptions,
  filterPlace,
  outputOf,
  type SyncDecoder,
  type SyncEncoder,
} from "./filter.ts";

/**
 * Undoes the nbit filter, id 5: of every number only its significant bits are stored, most significant first, packed
 * without gaps; the bits around them come back as zeros. The parameters tell the datatype:
 *
 *     0  number of parameters
 *     1  not 0: every number uses all its bits, nothing is packed
 *     2  elements in the chunk
 *     3  datatype, one of
 *          1, size, order (0 little-endian, 1 big-endian), precision, offset    number
 *          2, size, datatype                                                    array
 *          3, size, number of members, (offset, datatype) of each               compound
 *          4, size                                                              bytes kept as they are
 *
 * libhdf5 misreads these parameters: after an array of arrays or of compounds it goes on, not behind the element's
 * datatype, but at the element's size. It packs by the same misreading, so that only who shares it can unpack: a
 * compound with such a member before others has lost bits on writing, and comes back as libhdf5 gives it.
 *
 * H5Znbit.c; the specification has the filter's name only.
 *
 * @throws InvalidFieldError for parameters that make no such datatype and for a chunk with fewer bits than it needs;
 * LimitExceededError where the output would have more than `maxBytes`
 */
export const nbitDecoder: SyncDecoder = { id: 5, name: "nbit", decode: unpack, decodeSync: unpack };

/**
 * The nbit filter, id 5, byte for byte as libhdf5 packs. Gives `undefined` for a datatype libhdf5 would lose bits of
 * (see {@link nbitDecoder}).
 *
 * @throws InvalidArgumentError for parameters that make no datatype, or not that of the chunk
 */
export const nbitEncoder: SyncEncoder = { id: 5, name: "nbit", encode: pack };

/** Parameters one filter may have (`H5Z_NBIT_MAX_NPARMS`). */
const MAX_PARAMS = 4096;
/** Nesting of a datatype, as `limits.datatypeDepth` has it by default. */
const MAX_DEPTH = 64;

/** No type of number is larger, and a corrupt size should not make a large table. */
const MAX_NUMBER_BYTES = 1024;

/** What the parameters say of a datatype, with the stored bits of one element. */
type PackedType = NumberType | ArrayType | CompoundType;

interface NumberType {
  readonly kind: "number";
  readonly size: number;
  readonly bits: number;
  /** The stored bits in fields of up to four bytes, from the most significant on. */
  readonly fields: readonly { readonly width: number; readonly bytes: readonly PackedByte[] }[];
}

interface PackedByte {
  readonly byte: number;
  /** Place of the byte's lowest stored bit in the byte, and in the field. */
  readonly shift: number;
  readonly place: number;
}

interface ArrayType {
  readonly kind: "array";
  readonly size: number;
  readonly bits: number;
  readonly length: number;
  readonly base: PackedType;
  /** Bytes kept as they are, whatever they mean. */
  readonly plain: boolean;
}

interface CompoundType {
  readonly kind: "compound";
  readonly size: number;
  readonly bits: number;
  readonly members: readonly { readonly start: number; readonly type: PackedType }[];
}

/** Fields taken apart at once, as many as stay in the cache. */
const BLOCK = 4096;

function plainType(size: number): ArrayType {
  const unit = size % 4 === 0 ? 4 : 1;
  const bytes = Array.from({ length: unit }, (_, byte) => ({ byte, shift: 0, place: 8 * (unit - 1 - byte) }));
  const base: NumberType = { kind: "number", size: unit, bits: 8 * unit, fields: [{ width: 8 * unit, bytes }] };
  return { kind: "array", size, bits: 8 * size, length: size / unit, base, plain: true };
}

function unpack(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  const reader: TypeReader = new TypeReader(params, (message) => {
    throw new InvalidFieldError(message, filterPlace("nbit", options));
  });
  if (params[1] !== 0) return bytes;
  const count = reader.next();
  const type = reader.datatype(0);
  checkOutputSize("nbit", count * type.size, options);
  const bits = count * type.bits;
  // Not a number, for an array of arrays that hold nothing.
  if (!(type.bits > 0)) reader.fail("a datatype without stored bits");
  if (bits > 8 * bytes.length) reader.fail(`expected ${bits} packed bits, got ${8 * bytes.length}`);
  const output = outputOf(count * type.size, options).fill(0);
  const unpacking = { bytes, output, fields: new Uint32Array(Math.min(count * type.size, BLOCK)) };
  unpackElements(unpacking, type, { count, bit: 0, bitStep: type.bits, at: 0, step: type.size });
  return output;
}

interface Unpacking {
  readonly bytes: Uint8Array;
  readonly output: Uint8Array;
  /** Room for fields taken apart at once. */
  readonly fields: Uint32Array;
}

/** Where elements of one type are. */
interface Places {
  readonly count: number;
  /** Bit of the first packed one, and bits from each to the next. */
  readonly bit: number;
  readonly bitStep: number;
  /** Byte of the first unpacked one, and bytes from each to the next. */
  readonly at: number;
  readonly step: number;
}

/** Unpacks by the field, over all elements, which is several times as fast as by the element. */
function unpackElements(unpacking: Unpacking, type: PackedType, places: Places): void {
  let { bit, at } = places;
  if (type.kind === "number") unpackNumbers(unpacking, type, places);
  else if (type.kind === "compound") {
    for (const { start, type: member } of type.members) {
      unpackElements(unpacking, member, { ...places, bit, at: at + start });
      bit += member.bits;
    }
  } else {
    // The longer way is that of the inner loop.
    const along = { count: type.length, bitStep: type.base.bits, step: type.base.size };
    const [outer, inner] = places.count < type.length ? [places, along] : [along, places];
    for (let i = 0; i < outer.count; i++, bit += outer.bitStep, at += outer.step) {
      unpackElements(unpacking, type.base, { ...inner, bit, at });
    }
  }
}

function unpackNumbers({ bytes, output, fields }: Unpacking, type: NumberType, places: Places): void {
  const { count, bitStep, step } = places;
  for (let first = 0; first < count; first += fields.length) {
    const block = fields.subarray(0, count - first);
    let bit = places.bit + first * bitStep;
    for (const { width, bytes: ofField } of type.fields) {
      readFields(bytes, bit, bitStep, width, block);
      bit += width;
      for (const { byte, shift, place } of ofField) {
        for (let i = 0, at = places.at + first * step + byte; i < block.length; i++, at += step) {
          output[at] = (block[i]! >>> place) << shift;
        }
      }
    }
  }
}

function pack(bytes: Uint8Array, params: readonly number[]): Uint8Array | undefined {
  const reader: TypeReader = new TypeReader(params, (message) => {
    throw new InvalidArgumentError(message, { structure: "nbit filter" });
  });
  if (params[1] !== 0) return bytes;
  const count = reader.next();
  const type = reader.datatype(0);
  if (count * type.size !== bytes.length) reader.fail(`expected ${count * type.size} bytes, got ${bytes.length}`);
  if (reader.misread) return undefined;
  // The library counts a byte more where the last one is full.
  const packed = new BitWriter(new Uint8Array(Math.floor((count * type.bits) / 8) + 1), 0);
  for (let at = 0; at < bytes.length; at += type.size) packElement(packed, type, bytes, at);
  return packed.bytes;
}

function packElement(packed: BitWriter, type: PackedType, bytes: Uint8Array, at: number): void {
  switch (type.kind) {
    case "number":
      for (const field of type.fields) {
        let value = 0;
        for (const { byte, shift, place } of field.bytes) value |= (bytes[at + byte]! >>> shift) << place;
        packed.write(value, field.width);
      }
      return;
    case "array":
      for (let i = 0; i < type.size; i += type.base.size) packElement(packed, type.base, bytes, at + i);
      return;
    case "compound":
      for (const member of type.members) packElement(packed, member.type, bytes, at + member.start);
  }
}

/**
 * Reads the datatype in the parameters. What has no stored bits is left out of compounds, so that the number of bits
 * bounds the work.
 */
class TypeReader {
  /** Parameters were read that an array of arrays or compounds had left behind. */
  misread: boolean = false;
  readonly fail: (message: string) => never;
  readonly #params: readonly number[];
  #at: number = 2;
  #behind: boolean = false;

  constructor(params: readonly number[], fail: (message: string) => never) {
    this.#params = params;
    this.fail = fail;
    if (params[0] !== params.length || params.length < 2 || params.length > MAX_PARAMS) {
      fail(`expected up to ${MAX_PARAMS} parameters, the first telling how many, got [${params.slice(0, 8)} …]`);
    }
  }

  next(): number {
    if (this.#behind) this.misread = true;
    return this.#params[this.#at++] ?? this.fail(`the datatype goes on past the ${this.#params.length} parameters`);
  }

  datatype(depth: number): PackedType {
    const kind = this.next();
    const size = this.next();
    if (size === 0) this.fail("a datatype of no bytes");
    if (depth > MAX_DEPTH) this.fail(`datatypes nested more than ${MAX_DEPTH} deep`);
    if (kind === 1) return this.#number(size);
    if (kind === 2) return this.#array(size, depth);
    if (kind === 3) return this.#compound(size, depth);
    if (kind === 4) return plainType(size);
    return this.fail(`expected datatype 1 to 4, got ${kind}`);
  }

  #number(size: number): PackedType {
    const bigEndian = this.next() !== 0;
    const bits = this.next();
    const offset = this.next();
    const end = offset + bits;
    if (end > 8 * size || size > MAX_NUMBER_BYTES) {
      this.fail(`precision ${bits} and offset ${offset} in a number of ${size} bytes`);
    }
    const fields: NumberType["fields"][number][] = [];
    for (let top = end; top > offset; ) {
      const low = Math.max(offset, 8 * (Math.ceil(top / 8) - 4));
      const bytes: PackedByte[] = [];
      for (let byte = Math.floor(low / 8); 8 * byte < top; byte++) {
        const first = Math.max(low, 8 * byte);
        bytes.push({ byte: bigEndian ? size - 1 - byte : byte, shift: first - 8 * byte, place: first - low });
      }
      fields.push({ width: top - low, bytes });
      top = low;
    }
    return { kind: "number", size, bits, fields };
  }

  #array(size: number, depth: number): PackedType {
    const sizeOfBase = this.#at + 1;
    const base = this.datatype(depth + 1);
    if (base.kind === "array" && base.plain) return plainType(size);
    if (base.kind !== "number") {
      this.#at = sizeOfBase;
      this.#behind = true;
    }
    const length = Math.floor(size / base.size);
    return { kind: "array", size: length * base.size, bits: length * base.bits, length, base, plain: false };
  }

  #compound(size: number, depth: number): PackedType {
    const count = this.next();
    const members: { start: number; type: PackedType }[] = [];
    let bits = 0;
    for (let i = 0, used = 0; i < count; i++) {
      const start = this.next();
      const [kind = 0, memberSize = 0] = this.#params.slice(this.#at, this.#at + 2);
      used += memberSize;
      if (used > size || start + memberSize > size) {
        this.fail(`a member at ${start} of ${memberSize} bytes in a compound of ${size}`);
      }
      if (memberSize > 0 && (kind < 1 || kind > 4)) {
        // Only a misreading comes here, and goes on so.
        this.#at++;
        continue;
      }
      const type = this.datatype(depth + 1);
      if (type.bits > 0) members.push({ start, type });
      bits += type.bits;
    }
    return { kind: "compound", size, bits, members };
  }
}
