import {
  type Continuation,
  checkLimit,
  decodeContinuation,
  decodeMessagesV1,
  decodeMessagesV2,
  decodeObjectHeaderV1Prefix,
  decodeObjectHeaderV2Prefix,
  decodeReferenceCount,
  type HeaderMessage,
  InvalidFieldError,
  isKnownMessage,
  messageFlag,
  messageName,
  messageType,
  type ObjectHeaderV1Prefix,
  type ObjectHeaderV2Prefix,
  type Plan,
  verifyChecksum,
} from "@h5/framing";
import { type Check, fault, guard, guardNow, read, warn } from "./check.ts";

/** What could be read of an object header. */
export interface CheckedHeader {
  readonly address: number;
  readonly path: string;
  readonly version: 1 | 2;
  readonly flags: number;
  readonly referenceCount: number;
  /** Without NIL messages and continuations. */
  readonly messages: readonly HeaderMessage[];
}

type Prefix = ObjectHeaderV1Prefix | ObjectHeaderV2Prefix;

const HEADER = "object header";
const CONTINUATION = "object header continuation";
const SHORTEST = 11;
const SPECULATIVE = 512;

/**
 * Checks the blocks of an object header and gives what could be read of it: a continuation that cannot be does not hide
 * the others.
 *
 * @returns `undefined` where another object led here before
 * @throws where nothing could be read
 */
export function* checkHeader(check: Check, address: number, path: string): Plan<CheckedHeader | undefined> {
  const head = yield* read(check, HEADER, address, SPECULATIVE, SHORTEST);
  const prefix =
    head[0] === 0x4f ? decodeObjectHeaderV2Prefix(head, address) : decodeObjectHeaderV1Prefix(head, address);
  const { byteLength, chunkSize } = prefix;
  const size = byteLength + chunkSize + (prefix.version === 1 ? 0 : 4);
  if (!check.space.claim(HEADER, address, size, path)) return undefined;
  const bytes = size <= head.length ? head.subarray(0, size) : yield* read(check, HEADER, address, size);
  if (prefix.version === 2) {
    guardNow(check, path, () => verifyChecksum(bytes, byteLength + chunkSize, HEADER, address));
  }
  const block = bytes.subarray(byteLength, byteLength + chunkSize);
  const messages = [...decodeBlock(prefix, block, address + byteLength)];
  checkMessageCount(check, prefix, messages.length, { structure: HEADER, address, path });
  yield* addContinuations(check, prefix, messages, path);
  return describe(check, prefix, messages, address, path);
}

function decodeBlock(prefix: Prefix, block: Uint8Array, address: number): readonly HeaderMessage[] {
  if (prefix.version === 1) return decodeMessagesV1(block, address);
  return decodeMessagesV2(block, prefix.flags, address).messages;
}

function checkMessageCount(
  check: Check,
  prefix: Prefix,
  found: number,
  place: { structure: string; address: number; path: string },
): void {
  if (prefix.version === 2 || found <= prefix.messageCount) return;
  fault(check, { ...place, message: `expected at most ${prefix.messageCount} messages, got ${found}` });
}

/** Appends the messages of the continuations that `messages` name, and of those that these name. */
function* addContinuations(check: Check, prefix: Prefix, messages: HeaderMessage[], path: string): Plan<void> {
  for (let i = 0; i < messages.length; i++) {
    const { type, body, address } = messages[i]!;
    if (type !== messageType.continuation) continue;
    const place = { structure: HEADER, address };
    checkLimit(check.limits, "headerMessages", messages.length, place);
    const next = guardNow(check, path, () => decodeContinuation(body, check, address));
    if (next === undefined || !check.space.claim(CONTINUATION, next.address, next.length, path)) continue;
    for (const message of (yield* guard(check, path, readContinuation(check, prefix, next, path))) ?? []) {
      messages.push(message);
    }
  }
}

function* readContinuation(
  check: Check,
  prefix: Prefix,
  { address, length }: Continuation,
  path: string,
): Plan<readonly HeaderMessage[]> {
  const bytes = yield* read(check, CONTINUATION, address, length);
  if (prefix.version === 1) return decodeMessagesV1(bytes, address);
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== "OCHK") {
    throw new InvalidFieldError('expected signature "OCHK"', { structure: CONTINUATION, address });
  }
  guardNow(check, path, () => verifyChecksum(bytes, length - 4, CONTINUATION, address));
  return decodeMessagesV2(bytes.subarray(4, length - 4), prefix.flags, address + 4).messages;
}

function describe(
  check: Check,
  prefix: Prefix,
  all: readonly HeaderMessage[],
  address: number,
  path: string,
): CheckedHeader {
  const place = { structure: HEADER, address, path };
  if (prefix.version === 1 && all.length !== prefix.messageCount) {
    warn(check, { ...place, message: `counts ${prefix.messageCount} messages, ${all.length} were found` });
  }
  const messages = all.filter(({ type }) => type !== messageType.nil && type !== messageType.continuation);
  for (const { type, flags, address: at } of messages) {
    if (isKnownMessage(type) || (flags & messageFlag.failIfUnknown) === 0) continue;
    fault(check, { ...place, address: at, message: `${messageName(type)}, flagged as one a reader must understand` });
  }
  const counted = messages.find(({ type }) => type === messageType.referenceCount);
  const stored = counted && guardNow(check, path, () => decodeReferenceCount(counted.body, counted.address));
  if (prefix.version === 1 && counted !== undefined) {
    fault(check, { ...place, address: counted.address, message: "version 1 cannot have a reference count message" });
  }
  return {
    address,
    path,
    version: prefix.version,
    flags: prefix.version === 2 ? prefix.flags : 0,
    referenceCount: prefix.version === 1 ? prefix.referenceCount : (stored ?? 1),
    messages,
  };
}
