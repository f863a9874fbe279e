import {
  attemptNow,
  decodeSharedMessage,
  type HeaderMessage,
  InvalidFieldError,
  messageFlag,
  messageName,
  messageType,
  type Plan,
  readObjectHeader,
} from "@h5/framing";
import { findSharedMessage } from "@h5/heap";
import { type Check, guard, spend } from "./check.ts";

/** A message where it is stored itself; `address` is then of its body, `undefined` in the shared message heap. */
export interface FoundMessage extends Omit<HeaderMessage, "address"> {
  readonly address: number | undefined;
}

/** The messages that could be found, each where it is stored. */
export function* findShared(check: Check, messages: readonly HeaderMessage[], path: string): Plan<FoundMessage[]> {
  const found: FoundMessage[] = [];
  for (const message of messages) {
    if ((message.flags & messageFlag.shared) === 0) found.push(message);
    else {
      // An attribute in the shared message heap uses what it shares itself once, however many objects share it.
      if (message.type === messageType.attribute && usedBefore(check, message)) continue;
      const part = yield* guard(check, path, followShared(check, message.type, message.body, message.address, path));
      if (part !== undefined) found.push({ ...message, ...part });
    }
  }
  return found;
}

/** Follows a pointer to a shared message, which counts as a use of it. */
export function* followShared(
  check: Check,
  type: number,
  pointer: Uint8Array,
  at: number | undefined,
  path: string,
): Plan<{ readonly body: Uint8Array; readonly address: number | undefined }> {
  const shared = decodeSharedMessage(pointer, check, at);
  if (shared.kind === "sohm") {
    countUse(check, shared.heapId);
    return { body: yield* findSharedMessage(check, check.sharedIndexes, type, shared.heapId), address: undefined };
  }
  const { address } = shared;
  check.links.set(address, (check.links.get(address) ?? 0) + 1);
  check.queue.push({ address, path });
  const { messages } = yield* readObjectHeader(check, address);
  const target = messages.find((message) => message.type === type);
  if (target === undefined || (target.flags & messageFlag.shared) !== 0) {
    const place = { structure: "shared message", address: at };
    throw new InvalidFieldError(`expected a ${messageName(type)} message in the object header at ${address}`, place);
  }
  spend(check, target.body.length, "shared message", address);
  return { body: target.body, address: target.address };
}

/** Whether a message in the shared message heap had a use before; this one is then counted too. */
function usedBefore(check: Check, { body, address }: HeaderMessage): boolean {
  const { value: shared } = attemptNow(() => decodeSharedMessage(body, check, address));
  if (shared?.kind !== "sohm" || !check.sharedUses.has(shared.heapId.join())) return false;
  countUse(check, shared.heapId);
  return true;
}

/** Counts a use of a message in the shared message heap, and gives how many there were. */
export function countUse(check: Check, heapId: Uint8Array): number {
  const key = heapId.join();
  const uses = (check.sharedUses.get(key) ?? 0) + 1;
  check.sharedUses.set(key, uses);
  return uses;
}
