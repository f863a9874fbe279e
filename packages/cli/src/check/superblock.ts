import {
  appendChecksum,
  attempt,
  ByteWriter,
  consistencyFlag,
  decodeSuperblock,
  type H5Error,
  locateSuperblock,
  need,
  type Plan,
  type Superblock,
  sizeOfSuperblock,
  type Widths,
} from "@h5/framing";
import { type Check, warn } from "./check.ts";

const STRUCTURE = "superblock";

/** A superblock as far as it could be read, and what is wrong with it. */
export interface FoundSuperblock {
  /** `undefined` where it says nothing. */
  readonly superblock?: Superblock;
  readonly address: number;
  readonly error?: H5Error;
}

/**
 * The superblock: one whose checksum alone is wrong says where the rest is.
 *
 * @throws InvalidFieldError where there is none
 */
export function* findSuperblock(fold: Widths["foldAddress"]): Plan<FoundSuperblock> {
  const { value, error } = yield* attempt(locateSuperblock(fold));
  if (error === undefined) return value;
  const { address } = error;
  if (address === undefined) throw error;
  const { value: start } = yield* attempt(superblockAt(address));
  return { ...start, address: start?.address ?? address, error };
}

/** A superblock whose checksum is taken for right. */
function* superblockAt(address: number): Plan<{ superblock: Superblock; address: number }> {
  const bytes = (yield* need(STRUCTURE, address, 100, 16)).slice();
  const size = sizeOfSuperblock({ version: bytes[8] === 3 ? 3 : 2, offsetSize: bytes[9]!, lengthSize: bytes[10]! });
  const writer = new ByteWriter(size, STRUCTURE);
  writer.put(bytes.subarray(0, size - 4));
  appendChecksum(writer);
  return { superblock: decodeSuperblock(writer.finish(), address), address };
}

/** Claims the superblock, and reports the marks of a file that was not closed. */
export function checkSuperblock(check: Check): void {
  const { superblock, space } = check;
  space.claim(STRUCTURE, 0, sizeOfSuperblock(superblock), undefined);
  const { write, swmrWrite } = consistencyFlag;
  if ((superblock.consistencyFlags & (write | swmrWrite)) === 0) return;
  warn(check, { structure: STRUCTURE, address: 0, message: "marked as open for writing" });
}
