import { type ByteReader, type ByteWriter, UnsupportedFeatureError } from "@h5/framing";

/** Bytes of the head of every datatype message. */
export const HEAD_SIZE = 8;

/** The fields every datatype message begins with. */
export interface Head {
  readonly version: number;
  /** Number of the class, 0 to 15. */
  readonly classNumber: number;
  /** The class bit field, 24 bits. */
  readonly bits: number;
  readonly size: number;
}

/** What every decoded datatype has from its head. */
export interface Common {
  readonly version: number;
  readonly size: number;
  readonly reserved?: number | undefined;
}

/**
 * Datatype message head, spec IV.A.2.d.
 *
 *     offset  size
 *     0       1     class in the low 4 bits, version in the high 4 bits
 *     1       3     class bit field
 *     4       4     size of an element
 *     8             properties, by class
 */
export function decodeHead(reader: ByteReader): Head {
  const classAndVersion = reader.u8();
  const version = classAndVersion >> 4;
  if (version === 0) reader.fail("version 0, expected 1 to 5", reader.offset - 1);
  if (version > 5) {
    const { structure, address } = reader;
    throw new UnsupportedFeatureError(`version ${version}, expected 1 to 5`, { structure, address });
  }
  const bits = reader.uint(3);
  const size = reader.u32();
  if (size === 0) reader.fail("element size 0, expected at least 1", reader.offset - 4);
  return { version, classNumber: classAndVersion & 15, bits, size };
}

/** The common members of the type; `defined` masks the bits its class gives a meaning. */
export function common({ version, size, bits }: Head, defined: number): Common {
  const reserved = bits & ~defined;
  return reserved === 0 ? { version, size } : { version, size, reserved };
}

export function encodeHead(writer: ByteWriter, classNumber: number, t: Common, bits: number): void {
  writer.u8(t.version * 16 + classNumber);
  writer.uint(bits | (t.reserved ?? 0), 3);
  writer.u32(t.size);
}
