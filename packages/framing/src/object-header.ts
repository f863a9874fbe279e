import type { ByteRange } from "./byte-source.ts";
import { InvalidFieldError, UnsupportedFeatureError } from "./errors.ts";
import type { HeaderMessage } from "./header-message.ts";
import { checkLimit } from "./limits.ts";
import { verifyChecksum } from "./lookup3.ts";
import { isKnownMessage, messageFlag, messageType } from "./message-type.ts";
import { type Continuation, decodeContinuation } from "./messages/continuation.ts";
import { decodeReferenceCount } from "./messages/reference-count.ts";
import { decodeMessagesV1, decodeObjectHeaderV1Prefix, type ObjectHeaderV1Prefix } from "./object-header-v1.ts";
import {
  type AttributePhaseChange,
  decodeContinuationV2,
  decodeMessagesV2,
  decodeObjectHeaderV2Prefix,
  type ObjectHeaderV2Prefix,
  type ObjectTimes,
} from "./object-header-v2.ts";
import { all, need, needSized, type Plan } from "./plan.ts";
import type { FileContext } from "./widths.ts";

/** An object header with all its continuations: what makes a group, dataset or named datatype (spec IV.A). */
export interface ObjectHeader {
  readonly version: 1 | 2;
  readonly address: number;
  /** Messages in file order, block after block, without NIL messages. */
  readonly messages: readonly HeaderMessage[];
  /** Hard links to the object. */
  readonly referenceCount: number;
  /** Version 2: bits of `objectHeaderFlag`. */
  readonly flags?: number | undefined;
  /** Version 2, where stored. */
  readonly times?: ObjectTimes | undefined;
  /** Version 2, where not the default of 8 and 6. */
  readonly attributePhaseChange?: AttributePhaseChange | undefined;
}

type Prefix = ObjectHeaderV1Prefix | ObjectHeaderV2Prefix;

const STRUCTURE = "object header";
/** The first read; most headers fit, and `H5Opkg.h` reads as much. */
const SPECULATIVE = 512;
/** The shortest header: version 2 without messages. */
const SHORTEST = 11;

/**
 * Reads the object header at `address`: its first block, then the continuation blocks it names, those named together in
 * one batch. Checksums of version 2 are verified. A message these packages do not know stays in the list, unless its
 * flags demand otherwise.
 *
 * @throws InvalidFieldError for anything malformed, blocks that overlap (so also for cycles) included;
 *   UnsupportedFeatureError for an unknown message that must be understood; LimitExceededError for `metadataBytes` (one
 *   block), `headerMessages` or `continuations`; UnexpectedEofError
 */
export function* readObjectHeader(context: FileContext, address: number): Plan<ObjectHeader> {
  const { prefix, messages: first } = yield* readFirstBlock(context, address);
  let messages = first;
  const blocks = [{ start: address, end: address + firstBlockSize(prefix) }];
  for (let found = first; ; messages = messages.concat(found)) {
    checkLimit(context.limits, "headerMessages", messages.length, { structure: STRUCTURE, address });
    const continuations = claimContinuations(context, blocks, found);
    if (continuations.length === 0) break;
    found = (yield* all(continuations.map((next) => readContinuation(prefix, next)))).flat();
  }
  return describe(prefix, address, messages.filter(isMeant));
}

function* readFirstBlock(
  { limits }: FileContext,
  address: number,
): Plan<{ prefix: Prefix; messages: readonly HeaderMessage[] }> {
  let prefix: Prefix | undefined;
  const bytes = yield* needSized(STRUCTURE, address, { guess: SPECULATIVE, min: SHORTEST, limits }, (head) => {
    prefix = decodePrefix(head, address);
    return firstBlockSize(prefix);
  });
  return { prefix: prefix!, messages: decodeFirstBlock(prefix!, bytes, address) };
}

function decodePrefix(bytes: Uint8Array, address: number): Prefix {
  return bytes[0] === 0x4f ? decodeObjectHeaderV2Prefix(bytes, address) : decodeObjectHeaderV1Prefix(bytes, address);
}

function firstBlockSize(prefix: Prefix): number {
  return prefix.byteLength + prefix.chunkSize + (prefix.version === 1 ? 0 : 4);
}

function decodeFirstBlock(prefix: Prefix, bytes: Uint8Array, address: number): readonly HeaderMessage[] {
  const { byteLength, chunkSize } = prefix;
  const block = bytes.subarray(byteLength, byteLength + chunkSize);
  if (prefix.version === 2) {
    verifyChecksum(bytes, byteLength + chunkSize, STRUCTURE, address);
    return decodeMessagesV2(block, prefix.flags, address + byteLength).messages;
  }
  const messages = decodeMessagesV1(block, address + byteLength);
  if (messages.length > prefix.messageCount) {
    throw new InvalidFieldError(`expected at most ${prefix.messageCount} messages, got ${messages.length}`, {
      structure: STRUCTURE,
      address,
    });
  }
  return messages;
}

function* readContinuation(prefix: Prefix, { address, length }: Continuation): Plan<readonly HeaderMessage[]> {
  const bytes = yield* need("object header continuation", address, length);
  if (prefix.version === 1) return decodeMessagesV1(bytes, address);
  return decodeContinuationV2(bytes, prefix.flags, address).messages;
}

/** The continuations among `messages`, checked against the limits and against every block already claimed. */
function claimContinuations(
  context: FileContext,
  blocks: ByteRange[],
  messages: readonly HeaderMessage[],
): Continuation[] {
  const continuations: Continuation[] = [];
  for (const { type, body, address } of messages) {
    if (type !== messageType.continuation) continue;
    const next = decodeContinuation(body, context, address);
    const place = { structure: STRUCTURE, address };
    checkLimit(context.limits, "metadataBytes", next.length, place);
    checkLimit(context.limits, "continuations", blocks.length, place);
    if (!claim(blocks, { start: next.address, end: next.address + next.length })) {
      throw new InvalidFieldError(`continuation at ${next.address} overlaps another block of the header`, place);
    }
    continuations.push(next);
  }
  return continuations;
}

/** Adds a range to `ranges`, kept in order; false if it overlaps one of them. */
function claim(ranges: ByteRange[], range: ByteRange): boolean {
  let low = 0;
  for (let high = ranges.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.start < range.start) low = middle + 1;
    else high = middle;
  }
  const before = ranges[low - 1];
  const after = ranges[low];
  if ((before && before.end > range.start) || (after && after.start < range.end)) return false;
  ranges.splice(low, 0, range);
  return true;
}

/** Whether a message means something to a reader; one it must understand and cannot ends the read. */
function isMeant({ type, flags, address }: HeaderMessage): boolean {
  if (flags & messageFlag.failIfUnknown && !isKnownMessage(type)) {
    throw new UnsupportedFeatureError(`unknown message type ${type}, flagged as one a reader must understand`, {
      structure: STRUCTURE,
      address,
    });
  }
  return type !== messageType.nil;
}

function describe(prefix: Prefix, address: number, messages: readonly HeaderMessage[]): ObjectHeader {
  const counted = messages.find(({ type }) => type === messageType.referenceCount);
  if (prefix.version === 1) {
    // Its prefix holds the count; libhdf5 refuses the object too (H5Ocache.c).
    if (counted !== undefined) {
      throw new InvalidFieldError("version 1 cannot have a reference count message", { structure: STRUCTURE, address });
    }
    return { version: 1, address, messages, referenceCount: prefix.referenceCount };
  }
  const { version, flags, times, attributePhaseChange } = prefix;
  const referenceCount = counted ? decodeReferenceCount(counted.body, counted.address) : 1;
  return { version, address, messages, referenceCount, flags, times, attributePhaseChange };
}
