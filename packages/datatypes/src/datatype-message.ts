import {
  ByteReader,
  ByteWriter,
  checkLimit,
  defaultLimits,
  type ErrorPlace,
  type Limits,
  UnsupportedFeatureError,
} from "@h5/framing";
import { decodeCompound, encodeCompound, sizeOfCompound } from "./classes/compound.ts";
import { decodeEnum, encodeEnum, sizeOfEnum } from "./classes/enumeration.ts";
import { decodeHead, HEAD_SIZE } from "./classes/head.ts";
import {
  decodeArray,
  decodeComplex,
  decodeVlen,
  encodeArray,
  encodeComplex,
  encodeVlen,
  sizeOfArray,
} from "./classes/nested.ts";
import {
  BIT_RANGE_SIZE,
  decodeBitfield,
  decodeFloat,
  decodeInteger,
  decodeTime,
  encodeBitfield,
  encodeFloat,
  encodeInteger,
  encodeTime,
  FLOAT_SIZE,
  TIME_SIZE,
} from "./classes/numeric.ts";
import {
  decodeOpaque,
  decodeReference,
  decodeString,
  encodeOpaque,
  encodeReference,
  encodeString,
  sizeOfOpaque,
} from "./classes/plain.ts";
import type { Datatype } from "./datatype.ts";

const STRUCTURE = "datatype message";

/** Options of {@link decodeDatatype}. */
export interface DecodeDatatypeOptions {
  /** File address of the body, for error messages. */
  readonly address?: number | undefined;
  /** `datatypeDepth` bounds the nesting, `nameLength` the names of members. */
  readonly limits?: Limits | undefined;
}

/**
 * Decodes a datatype message, versions 1 to 5 of every class (spec IV.A.2.d; H5Odtype.c for what is refused). Bytes
 * after it are allowed, since messages may be padded: `sizeOfDatatype` says how many it takes.
 *
 * @throws InvalidFieldError, UnexpectedEofError, UnsupportedFeatureError for a version, class or form that is not known,
 * LimitExceededError for nesting deeper than `limits.datatypeDepth` and names longer than `limits.nameLength`
 */
export function decodeDatatype(body: Uint8Array, options: DecodeDatatypeOptions = {}): Datatype {
  const reader = new ByteReader(body, STRUCTURE, options.address);
  return decodeNested(reader, options.limits ?? defaultLimits, 1);
}

function decodeNested(reader: ByteReader, limits: Limits, depth: number): Datatype {
  const { structure, here } = reader;
  const place = { structure, address: here };
  checkLimit(limits, "datatypeDepth", depth, place);
  const t = decodeClass(reader, place, () => decodeNested(reader, limits, depth + 1));
  if (t.class === "compound" || t.class === "enum") {
    for (const { name } of t.members) checkLimit(limits, "nameLength", name.length, place);
  }
  return t;
}

function decodeClass(reader: ByteReader, place: ErrorPlace, nested: () => Datatype): Datatype {
  const head = decodeHead(reader);
  switch (head.classNumber) {
    case 0:
      return decodeInteger(reader, head);
    case 1:
      return decodeFloat(reader, head);
    case 2:
      return decodeTime(reader, head);
    case 3:
      return decodeString(reader, head);
    case 4:
      return decodeBitfield(reader, head);
    case 5:
      return decodeOpaque(reader, head);
    case 6:
      return decodeCompound(reader, head, nested);
    case 7:
      return decodeReference(reader, head);
    case 8:
      return decodeEnum(reader, head, nested);
    case 9:
      return decodeVlen(reader, head, nested);
    case 10:
      return decodeArray(reader, head, nested);
    case 11:
      return decodeComplex(reader, head, nested);
    default:
      throw new UnsupportedFeatureError(`datatype class ${head.classNumber}`, place);
  }
}

/**
 * Encodes a datatype message, in the version each part of the type carries (spec IV.A.2.d).
 *
 * @throws InvalidArgumentError where a field does not fit its place in the message
 */
export function encodeDatatype(t: Datatype): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfDatatype(t), STRUCTURE);
  encodeNested(writer, t);
  return writer.finish();
}

function encodeNested(writer: ByteWriter, t: Datatype): void {
  switch (t.class) {
    case "integer":
      encodeInteger(writer, t);
      break;
    case "float":
      encodeFloat(writer, t);
      break;
    case "time":
      encodeTime(writer, t);
      break;
    case "string":
      encodeString(writer, t);
      break;
    case "bitfield":
      encodeBitfield(writer, t);
      break;
    case "opaque":
      encodeOpaque(writer, t);
      break;
    case "compound":
      encodeCompound(writer, t, encodeNested);
      break;
    case "reference":
      encodeReference(writer, t);
      break;
    case "enum":
      encodeEnum(writer, t, encodeNested);
      break;
    case "vlen":
      encodeVlen(writer, t, encodeNested);
      break;
    case "array":
      encodeArray(writer, t, encodeNested);
      break;
    case "complex":
      encodeComplex(writer, t, encodeNested);
      break;
  }
}

/** Bytes of the datatype message of a type. */
export function sizeOfDatatype(t: Datatype): number {
  switch (t.class) {
    case "integer":
    case "bitfield":
      return BIT_RANGE_SIZE;
    case "float":
      return FLOAT_SIZE;
    case "time":
      return TIME_SIZE;
    case "string":
    case "reference":
      return HEAD_SIZE;
    case "opaque":
      return sizeOfOpaque(t);
    case "compound":
      return sizeOfCompound(t, sizeOfDatatype);
    case "enum":
      return sizeOfEnum(t, sizeOfDatatype);
    case "vlen":
    case "complex":
      return HEAD_SIZE + sizeOfDatatype(t.base);
    case "array":
      return sizeOfArray(t, sizeOfDatatype);
  }
}
