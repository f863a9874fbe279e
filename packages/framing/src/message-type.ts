import { InvalidFieldError } from "./errors.ts";

/** Numbers of the header messages (spec IV.A.2; `H5Oprivate.h` for the cache image, which specification 3.0 lacks). */
export const messageType = {
  nil: 0,
  dataspace: 1,
  linkInfo: 2,
  datatype: 3,
  fillValueOld: 4,
  fillValue: 5,
  link: 6,
  externalFiles: 7,
  layout: 8,
  groupInfo: 10,
  filterPipeline: 11,
  attribute: 12,
  comment: 13,
  modificationTimeOld: 14,
  sharedMessageTable: 15,
  continuation: 16,
  symbolTable: 17,
  modificationTime: 18,
  btreeK: 19,
  driverInfo: 20,
  attributeInfo: 21,
  referenceCount: 22,
  fileSpaceInfo: 23,
  cacheImage: 24,
} as const;

/** Whether a header message type is one of {@link messageType}; 9, of libhdf5's own tests of what it does not know, is not. */
export function isKnownMessage(type: number): boolean {
  return type <= messageType.cacheImage && type !== 9;
}

/** A message type in words, for errors and listings: `"external files"`, `"unknown message type 200"`. */
export function messageName(type: number): string {
  const key = Object.entries(messageType).find(([, number]) => number === type)?.[0];
  return key?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? `unknown message type ${type}`;
}

/** Bits of a header message's flags (spec IV.A.1.a, "Header Message Flags"). */
export const messageFlag = {
  /** The body never changes. */
  constant: 0x01,
  /** The body is a pointer to the message, see `decodeSharedMessage`. */
  shared: 0x02,
  dontShare: 0x04,
  failIfUnknownOnWrite: 0x08,
  markIfUnknown: 0x10,
  wasUnknown: 0x20,
  shareable: 0x40,
  failIfUnknown: 0x80,
} as const;

/**
 * Refuses combinations of flags that contradict themselves, as `H5Ocache.c` does; every single bit has a meaning.
 *
 * @throws InvalidFieldError
 */
export function checkMessageFlags(flags: number, address?: number): void {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const contradictory =
    (has(messageFlag.shared) && has(messageFlag.dontShare)) ||
    (has(messageFlag.wasUnknown) && (has(messageFlag.failIfUnknownOnWrite) || !has(messageFlag.markIfUnknown)));
  if (contradictory) {
    throw new InvalidFieldError(`contradictory message flags 0x${flags.toString(16)}`, {
      structure: "object header message",
      address,
    });
  }
}
