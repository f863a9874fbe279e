import type { ByteReader } from "./byte-reader.ts";
import { UnsupportedFeatureError } from "./errors.ts";

/**
 * A version byte, which most structures begin with.
 *
 * @throws UnsupportedFeatureError for one outside `lowest` to `highest`
 */
export function decodeVersion(
  reader: ByteReader,
  lowest: number,
  highest: number = lowest,
  name: string = "version",
): number {
  const address = reader.here;
  const version = reader.u8();
  if (version >= lowest && version <= highest) return version;
  const expected = lowest === highest ? `${lowest}` : `${lowest} to ${highest}`;
  throw new UnsupportedFeatureError(`${name} ${version}, expected ${expected}`, {
    structure: reader.structure,
    address,
  });
}

/**
 * A byte of flags.
 *
 * @throws InvalidFieldError for a bit outside `known`
 */
export function decodeFlags(reader: ByteReader, known: number): number {
  const flags = reader.u8();
  if (flags & ~known) reader.fail(`unknown flags 0x${flags.toString(16)}`, reader.offset - 1);
  return flags;
}
