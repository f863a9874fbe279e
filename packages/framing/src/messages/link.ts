import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { InvalidArgumentError, UnsupportedFeatureError } from "../errors.ts";
import { decodeText, encodeText, sizeOfText } from "../text.ts";
import { decodeFlags, decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";
import { type CharacterSet, decodeCharacterSet, encodeCharacterSet } from "./character-set.ts";

/** What a link points to. */
export type LinkTarget =
  | {
      readonly type: "hard" /** The object's header; `undefined` for one that leads nowhere. */;
      readonly address: number | undefined;
    }
  | { readonly type: "soft" /** A path in this file. */; readonly target: string }
  | {
      readonly type: "external" /** Another file. */;
      readonly file: string /** A path in it. */;
      readonly target: string;
    }
  | {
      readonly type: "user" /** 65 to 255; 64 for what should be an external link and is none of version 0. */;
      readonly class: number;
      readonly value: Uint8Array;
    };

/** A link of a new-style group, from a link message or from dense storage. */
export type Link = {
  readonly version: 1;
  /** Bits of {@link linkFlag}; those that follow from the link itself are checked by {@link encodeLink}. */
  readonly flags: number;
  /** See `decodeText` for bytes that are no valid UTF-8. */
  readonly name: string;
  readonly charset: CharacterSet;
  /** Place in the group's creation order, where that is tracked. */
  readonly creationOrder?: number | undefined;
} & LinkTarget;

/** Bits of `flags` of a {@link Link}. */
export const linkFlag = {
  /** Width of the name's length, as a power of two. */
  nameLengthWidth: 0x03,
  creationOrder: 0x04,
  type: 0x08,
  charset: 0x10,
} as const;

const STRUCTURE = "link message";
const HARD = 0;
const SOFT = 1;
const EXTERNAL = 64;

/** The flags libhdf5 gives a link with these contents (`H5Olink.c`). */
export function linkFlags(
  link: Pick<Link, "name" | "type"> & Partial<Pick<Link, "charset" | "creationOrder">>,
): number {
  const length = sizeOfText(link.name);
  return (
    (length < 256 ? 0 : length < 65536 ? 1 : 2) |
    (link.creationOrder === undefined ? 0 : linkFlag.creationOrder) |
    (link.type === "hard" ? 0 : linkFlag.type) |
    (link.charset === "utf8" ? linkFlag.charset : 0)
  );
}

/** Bytes of the message. */
export function sizeOfLink(link: Link, widths: Widths): number {
  return sizeOfPrefix(link.flags) + sizeOfText(link.name) + sizeOfTarget(link, widths);
}

function sizeOfPrefix(flags: number): number {
  const order = flags & linkFlag.creationOrder ? 8 : 0;
  return 2 + (flags & linkFlag.type ? 1 : 0) + order + (flags & linkFlag.charset ? 1 : 0) + nameLengthWidth(flags);
}

function nameLengthWidth(flags: number): number {
  return 2 ** (flags & linkFlag.nameLengthWidth);
}

function sizeOfTarget(link: LinkTarget, widths: Widths): number {
  switch (link.type) {
    case "hard":
      return widths.offsetSize;
    case "soft":
      return 2 + sizeOfText(link.target);
    case "external":
      return 2 + sizeOfExternalTarget(link);
    case "user":
      return 2 + link.value.length;
  }
}

/**
 * Message 0x06 (spec IV.A.2.g), also what dense storage holds.
 *
 *     1  version (1)
 *     1  flags
 *     1  type: 0 hard, 1 soft, 64 external, 65–255 user-defined   (flag 0x08; else hard)
 *     8  creation order                                           (flag 0x04)
 *     1  character set of the name: 0 ASCII, 1 UTF-8              (flag 0x10; else ASCII)
 *     1, 2, 4, 8  length of the name
 *     n  name, not terminated
 *     hard:      O  address of the object header
 *     soft:      2  length, n  path, not terminated
 *     external:  2  length, 1  version and flags (0), file name NUL, path NUL
 *     user:      2  length, n  value
 *
 * As in libhdf5 (`H5Olink.c`), what is wrong with where a link leads is for who follows it: its group lists it.
 *
 * @throws UnsupportedFeatureError for another version or a reserved type; InvalidFieldError for unknown flags, an empty
 *   name or path; UnexpectedEofError
 */
export function decodeLink(body: Uint8Array, widths: Widths, address?: number): Link {
  const reader = new ByteReader(body, STRUCTURE, address);
  // Spelt out: what takes the rest of an object is slow, and there may be many links.
  const { flags, type, name, charset, creationOrder } = decodeHead(reader);
  if (type !== HARD) return { version: 1, flags, name, charset, creationOrder, ...decodeTarget(reader, type) };
  const target = reader.offsetField(widths, "object header address");
  return { version: 1, flags, name, charset, creationOrder, type: "hard", address: target };
}

/** The name in the body of a link message, which can be read where what it leads to cannot. */
export function decodeLinkName(body: Uint8Array): string {
  return decodeHead(new ByteReader(body, STRUCTURE)).name;
}

function decodeHead(reader: ByteReader): Omit<Link, keyof LinkTarget | "version"> & { readonly type: number } {
  decodeVersion(reader, 1);
  const flags = decodeFlags(reader, 0x1f);
  const type = flags & linkFlag.type ? reader.u8() : HARD;
  const creationOrder = flags & linkFlag.creationOrder ? reader.u64("creation order") : undefined;
  const charset = flags & linkFlag.charset ? decodeCharacterSet(reader) : "ascii";
  const name = decodeText(takeNonEmpty(reader, reader.uint(nameLengthWidth(flags), "name length"), "name"));
  return { flags, type, name, charset, creationOrder };
}

function takeNonEmpty(reader: ByteReader, length: number, name: string): Uint8Array {
  return length === 0 ? reader.fail(`empty ${name}`) : reader.take(length);
}

/** What any link but a hard one points to. */
function decodeTarget(reader: ByteReader, type: number): LinkTarget {
  if (type === SOFT) return { type: "soft", target: decodeText(takeNonEmpty(reader, reader.u16(), "path")) };
  if (type < EXTERNAL) {
    throw new UnsupportedFeatureError(`link type ${type}`, { structure: STRUCTURE, address: reader.address });
  }
  const value = reader.take(reader.u16());
  const external = type === EXTERNAL ? decodeExternalTarget(value) : undefined;
  return external ?? { type: "user", class: type, value };
}

/** `H5Lexternal.c`: the value of a link of type 64; `undefined` for another version, and without both texts. */
function decodeExternalTarget(value: Uint8Array): LinkTarget | undefined {
  const end = value.indexOf(0, 1);
  const last = value.indexOf(0, end + 1);
  if (value[0] !== 0 || end < 0 || last <= end) return undefined;
  return {
    type: "external",
    file: decodeText(value.subarray(1, end)),
    target: decodeText(value.subarray(end + 1, last)),
  };
}

function sizeOfExternalTarget({ file, target }: { readonly file: string; readonly target: string }): number {
  return sizeOfText(file) + sizeOfText(target) + 3;
}

/**
 * The inverse of {@link decodeLink}.
 *
 * @throws InvalidArgumentError when the flags leave no room for what the link holds
 */
export function encodeLink(link: Link, widths: Widths): Uint8Array<ArrayBuffer> {
  const { flags } = link;
  const lost = linkFlags(link) & ~flags & ~linkFlag.nameLengthWidth;
  if (lost) throw new InvalidArgumentError(`flags lack 0x${lost.toString(16)}`, { structure: STRUCTURE });
  const writer = new ByteWriter(sizeOfLink(link, widths), STRUCTURE);
  writer.u8(link.version);
  writer.u8(flags);
  if (flags & linkFlag.type) writer.u8(typeNumber(link));
  if (flags & linkFlag.creationOrder) writer.u64(link.creationOrder ?? 0);
  if (flags & linkFlag.charset) writer.u8(encodeCharacterSet(link.charset));
  const name = encodeText(link.name);
  writer.uint(name.length, nameLengthWidth(flags));
  writer.put(name);
  putTarget(writer, link, widths);
  return writer.finish();
}

function typeNumber(link: LinkTarget): number {
  switch (link.type) {
    case "hard":
      return HARD;
    case "soft":
      return SOFT;
    case "external":
      return EXTERNAL;
    case "user":
      return link.class;
  }
}

function putTarget(writer: ByteWriter, link: LinkTarget, widths: Widths): void {
  switch (link.type) {
    case "hard":
      writer.offsetField(link.address, widths);
      break;
    case "soft":
      putSized(writer, encodeText(link.target));
      break;
    case "user":
      putSized(writer, link.value);
      break;
    case "external":
      putSized(writer, encodeExternalTarget(link));
  }
}

/** The inverse of {@link decodeExternalTarget}. */
function encodeExternalTarget(link: LinkTarget & { type: "external" }): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExternalTarget(link), "external link");
  writer.skip(1);
  for (const text of [link.file, link.target]) {
    writer.put(encodeText(text));
    writer.skip(1);
  }
  return writer.finish();
}

function putSized(writer: ByteWriter, bytes: Uint8Array): void {
  writer.u16(bytes.length);
  writer.put(bytes);
}
