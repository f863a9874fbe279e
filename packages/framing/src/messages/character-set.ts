import type { ByteReader } from "../byte-reader.ts";

/** How a name is declared to be encoded (spec IV.A.2.g, IV.A.2.m); in practice its bytes may be anything. */
export type CharacterSet = "ascii" | "utf8";

/** A character set byte: 0 ASCII, 1 UTF-8. */
export function decodeCharacterSet(reader: ByteReader): CharacterSet {
  const set = reader.u8();
  if (set > 1) reader.fail(`expected character set 0 or 1, got ${set}`, reader.offset - 1);
  return set === 0 ? "ascii" : "utf8";
}

/** The inverse of {@link decodeCharacterSet}. */
export function encodeCharacterSet(set: CharacterSet): number {
  return set === "ascii" ? 0 : 1;
}
