import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { InvalidArgumentError } from "../errors.ts";
import { decodeVersion } from "../version-and-flags.ts";

const STRUCTURE = "modification time message";
const OLD_STRUCTURE = "modification time (old) message";

/** Bytes of the message. */
export function sizeOfModificationTime(): number {
  return 8;
}

/**
 * Message 0x12 (spec IV.A.2.s): seconds since 1970.
 *
 *     1  version (1)
 *     3  reserved
 *     4  seconds
 *
 * @throws UnsupportedFeatureError for another version, UnexpectedEofError
 */
export function decodeModificationTime(body: Uint8Array, address?: number): number {
  const reader = new ByteReader(body, STRUCTURE, address);
  decodeVersion(reader, 1);
  reader.skip(3);
  return reader.u32();
}

/** The inverse of {@link decodeModificationTime}. */
export function encodeModificationTime(seconds: number): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfModificationTime(), STRUCTURE);
  writer.u8(1);
  writer.skip(3);
  writer.u32(seconds);
  return writer.finish();
}

/** Bytes of the old message. */
export function sizeOfOldModificationTime(): number {
  return 16;
}

/**
 * Message 0x0E (spec IV.A.2.o), of releases before 1.6: a date in UTC as digits, given in seconds since 1970.
 *
 *     14  YYYYMMDDhhmmss
 *     2   reserved
 *
 * @throws InvalidFieldError for anything but the digits of a date, UnexpectedEofError
 */
export function decodeOldModificationTime(body: Uint8Array, address?: number): number {
  const reader = new ByteReader(body, OLD_STRUCTURE, address);
  const digits = String.fromCharCode(...reader.take(14));
  reader.skip(2);
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time) || dateDigits(time / 1000) !== digits) {
    return reader.fail(`expected YYYYMMDDhhmmss, got ${JSON.stringify(digits)}`, 0);
  }
  return time / 1000;
}

/** The inverse of {@link decodeOldModificationTime}. */
export function encodeOldModificationTime(seconds: number): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfOldModificationTime(), OLD_STRUCTURE);
  const digits = dateDigits(seconds);
  if (digits.length !== 14) throw new InvalidArgumentError(`no date: ${seconds}`, { structure: OLD_STRUCTURE });
  writer.ascii(digits);
  writer.skip(2);
  return writer.finish();
}

/** `YYYYMMDDhhmmss` in UTC, or something longer outside the years 0 to 9999. */
function dateDigits(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d*Z$|[-T:]/g, "");
}
