import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeText, encodeText, sizeOfText } from "../text.ts";
import { decodeFlags, decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";
import { type CharacterSet, decodeCharacterSet, encodeCharacterSet } from "./character-set.ts";

/** An attribute's name, and the bytes of its three parts: their meaning belongs to the layers above. */
export interface AttributeFrame {
  readonly version: 1 | 2 | 3;
  /** 0x01 the datatype is shared, 0x02 the dataspace is; always 0 in version 1. */
  readonly flags: number;
  readonly name: string;
  readonly charset: CharacterSet;
  /** The datatype message, or a pointer to it (see `decodeSharedMessage`) where shared. */
  readonly datatype: Uint8Array;
  readonly datatypeShared: boolean;
  /** The dataspace message, or a pointer to it where shared. */
  readonly dataspace: Uint8Array;
  readonly dataspaceShared: boolean;
  /** What is left of the message: the value, and padding where the header pads its messages. */
  readonly data: Uint8Array;
  /** Addresses of the parts, where that of the message was given. */
  readonly datatypeAddress?: number | undefined;
  readonly dataspaceAddress?: number | undefined;
  readonly dataAddress?: number | undefined;
}

/** What an encoder needs of an attribute. */
export type AttributeContent = Pick<
  AttributeFrame,
  "version" | "flags" | "name" | "charset" | "datatype" | "dataspace" | "data"
>;

const STRUCTURE = "attribute message";
const DATATYPE_SHARED = 0x01;
const DATASPACE_SHARED = 0x02;

/** Bytes of the message. */
export function sizeOfAttribute(attribute: AttributeContent): number {
  const { version, name, datatype, dataspace, data } = attribute;
  const padded = (length: number): number => (version === 1 ? Math.ceil(length / 8) * 8 : length);
  const parts = padded(sizeOfText(name) + 1) + padded(datatype.length) + padded(dataspace.length);
  return (version === 3 ? 9 : 8) + parts + data.length;
}

/**
 * Message 0x0C (spec IV.A.2.m), also what dense storage holds. The three sizes are of the parts as they stand, so of the
 * pointer where a part is shared (`H5Oattr.c`); version 1 pads each part to 8.
 *
 *     1  version
 *     1  flags, reserved in version 1
 *     2  size of the name, its NUL included
 *     2  size of the datatype
 *     2  size of the dataspace
 *     1  character set of the name: 0 ASCII, 1 UTF-8   (version 3)
 *     n  name NUL
 *     n  datatype
 *     n  dataspace
 *     n  value
 *
 * @param _widths as all messages' decoders take them; nothing in the frame itself depends on them
 * @throws UnsupportedFeatureError for another version; InvalidFieldError for unknown flags, or a name that is not as
 *   long as its size says; UnexpectedEofError
 */
export function decodeAttribute(body: Uint8Array, _widths: Widths, address?: number): AttributeFrame {
  const reader = new ByteReader(body, STRUCTURE, address);
  const version = decodeVersion(reader, 1, 3) as AttributeFrame["version"];
  if (version === 1) reader.skip(1);
  const flags = version === 1 ? 0 : decodeFlags(reader, DATATYPE_SHARED | DATASPACE_SHARED);
  const nameSize = reader.u16();
  const datatypeSize = reader.u16();
  const dataspaceSize = reader.u16();
  const charset = version === 3 ? decodeCharacterSet(reader) : "ascii";
  const origin = reader.offset;
  const align = version === 1 ? 8 : 1;
  const name = decodeName(reader, nameSize);
  reader.align(align, origin);
  const datatypeAddress = reader.here;
  const datatype = reader.take(datatypeSize);
  reader.align(align, origin);
  const dataspaceAddress = reader.here;
  const dataspace = reader.take(dataspaceSize);
  reader.align(align, origin);
  const dataAddress = reader.here;
  return {
    version,
    flags,
    name,
    charset,
    datatype,
    datatypeShared: (flags & DATATYPE_SHARED) !== 0,
    dataspace,
    dataspaceShared: (flags & DATASPACE_SHARED) !== 0,
    data: reader.take(reader.remaining),
    datatypeAddress,
    dataspaceAddress,
    dataAddress,
  };
}

function decodeName(reader: ByteReader, size: number): string {
  const at = reader.skip(size);
  const end = at + size - 1;
  if (size === 0 || reader.bytes.indexOf(0, at) !== end)
    reader.fail(`name does not end with byte ${size} of its size`, at);
  return decodeText(reader.bytes.subarray(at, end));
}

/** The inverse of {@link decodeAttribute}. */
export function encodeAttribute(attribute: AttributeContent): Uint8Array<ArrayBuffer> {
  const { version, flags, name, charset, datatype, dataspace, data } = attribute;
  const writer = new ByteWriter(sizeOfAttribute(attribute), STRUCTURE);
  const nameBytes = encodeText(name);
  writer.u8(version);
  writer.u8(version === 1 ? 0 : flags);
  writer.u16(nameBytes.length + 1);
  writer.u16(datatype.length);
  writer.u16(dataspace.length);
  if (version === 3) writer.u8(encodeCharacterSet(charset));
  const origin = writer.offset;
  const align = version === 1 ? 8 : 1;
  writer.put(nameBytes);
  writer.skip(1);
  for (const part of [datatype, dataspace]) {
    writer.align(align, origin);
    writer.put(part);
  }
  writer.align(align, origin);
  writer.put(data);
  return writer.finish();
}
