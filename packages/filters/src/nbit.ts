import { InvalidArgumentError, InvalidFieldError } from "@h5/framing";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { checkOutputSize, type DecodeOptions, filterPlace, type SyncDecoder, type SyncEncoder } from "./filter.ts";

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
type PackedType = NumberType | PlainType | ArrayType | CompoundType;

interface NumberType {
  readonly kind: "number";
  readonly size: number;
  readonly bits: number;
  /** The bytes that have stored bits, from the most significant on. */
  readonly bytes: readonly PackedByte[];
}

interface PackedByte {
  readonly byte: number;
  /** Place of the lowest stored bit in the byte. */
  readonly shift: number;
  readonly width: number;
}

interface PlainType {
  readonly kind: "plain";
  readonly size: number;
  readonly bits: number;
}

interface ArrayType {
  readonly kind: "array";
  readonly size: number;
  readonly bits: number;
  readonly base: PackedType;
}

interface CompoundType {
  readonly kind: "compound";
  readonly size: number;
  readonly bits: number;
  readonly members: readonly { readonly start: number; readonly type: PackedType }[];
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
  if (type.bits === 0) reader.fail("a datatype without stored bits");
  if (bits > 8 * bytes.length) reader.fail(`expected ${bits} packed bits, got ${8 * bytes.length}`);
  const output = new Uint8Array(count * type.size);
  const packed = new BitReader(bytes, 0, () => reader.fail("the packed bits end early"));
  for (let at = 0; at < output.length; at += type.size) unpackElement(packed, type, output, at);
  return output;
}

function unpackElement(packed: BitReader, type: PackedType, output: Uint8Array, at: number): void {
  switch (type.kind) {
    case "number":
      for (const { byte, shift, width } of type.bytes) output[at + byte] = packed.read(width) << shift;
      return;
    case "plain":
      for (let i = 0; i < type.size; i++) output[at + i] = packed.read(8);
      return;
    case "array":
      for (let i = 0; i < type.size; i += type.base.size) unpackElement(packed, type.base, output, at + i);
      return;
    case "compound":
      for (const member of type.members) unpackElement(packed, member.type, output, at + member.start);
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
      for (const { byte, shift, width } of type.bytes) packed.write(bytes[at + byte]! >>> shift, width);
      return;
    case "plain":
      for (let i = 0; i < type.size; i++) packed.write(bytes[at + i]!, 8);
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
    if (kind === 4) return { kind: "plain", size, bits: 8 * size };
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
    const bytes: PackedByte[] = [];
    for (let byte = Math.ceil(end / 8) - 1; byte >= Math.floor(offset / 8) && bits > 0; byte--) {
      const low = Math.max(offset, 8 * byte);
      const width = Math.min(end, 8 * byte + 8) - low;
      bytes.push({ byte: bigEndian ? size - 1 - byte : byte, shift: low - 8 * byte, width });
    }
    return { kind: "number", size, bits, bytes };
  }

  #array(size: number, depth: number): PackedType {
    const sizeOfBase = this.#at + 1;
    const base = this.datatype(depth + 1);
    if (base.kind === "plain") return { kind: "plain", size, bits: 8 * size };
    if (base.kind !== "number") {
      this.#at = sizeOfBase;
      this.#behind = true;
    }
    const length = Math.floor(size / base.size);
    return { kind: "array", size: length * base.size, bits: length * base.bits, base };
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
