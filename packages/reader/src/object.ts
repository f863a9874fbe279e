import {
  type Attempt,
  all,
  attempt,
  attemptNow,
  decodeLayout,
  decodeSharedMessage,
  type H5Error,
  type HeaderMessage,
  InvalidFieldError,
  messageFlag,
  messageName,
  messageType,
  type ObjectHeader,
  type Plan,
  readObjectHeader,
  type VirtualLayout,
  wait,
} from "@h5/framing";
import type { VirtualMappings } from "@h5/selection";
import { denseCode } from "./dense-code.ts";
import type { Session } from "./session.ts";
import type { VirtualExtent } from "./virtual-extent.ts";

export type ObjectKind = "group" | "dataset" | "datatype" | "unknown";

/** A header message with its body found, wherever it is stored. */
export interface LoadedMessage extends Omit<HeaderMessage, "address"> {
  /** Address of the body; `undefined` for one in the file's shared message heap. */
  readonly address: number | undefined;
  /** Header address of the committed datatype that holds the message. */
  readonly committedAt?: number | undefined;
  /** Why the body could not be found: `body` is then only the pointer to it. */
  readonly error?: H5Error | undefined;
}

/** An object header with its shared messages resolved. */
export interface LoadedObject {
  readonly address: number;
  readonly header: Omit<ObjectHeader, "messages">;
  readonly messages: readonly LoadedMessage[];
  readonly kind: ObjectKind;
  /** The mappings of a virtual dataset; the error may also be that of another layout. */
  readonly mappings: Attempt<VirtualMappings | undefined> | undefined;
  /** What a virtual dataset with unlimited mappings comes to, once its sources have been looked at. */
  settled?: Attempt<VirtualExtent> | undefined;
}

/** Loads the object whose header is at `address`, or takes it from the session's cache. */
export function* loadObject(session: Session, address: number): Plan<LoadedObject> {
  const known = session.objects.get(address);
  if (known !== undefined) return known;
  const header = yield* readObjectHeader(session, address);
  const stored = header.messages;
  const shared = stored.some(({ flags }) => (flags & messageFlag.shared) !== 0);
  const messages = shared ? yield* all(stored.map((message) => resolveMessage(session, message))) : stored;
  const mappings = yield* readMappings(session, messages);
  const loaded: LoadedObject = { address, header, messages, kind: kindOf(messages), mappings };
  session.objects.set(address, loaded, bytesHeld(messages));
  return loaded;
}

/** About what a loaded object takes of memory: its messages are small, and the objects around them are not. */
function bytesHeld(messages: readonly LoadedMessage[]): number {
  return messages.reduce((sum, { body }) => sum + 384 + body.length, 512);
}

/** The mappings that a virtual layout leads to, `undefined` for any other object. */
function* readMappings(
  session: Session,
  messages: readonly LoadedMessage[],
): Plan<Attempt<VirtualMappings | undefined> | undefined> {
  const message = messages.find(({ type, error }) => type === messageType.layout && error === undefined);
  if (message === undefined) return undefined;
  const { value: layout, error } = attemptNow(() => decodeLayout(message.body, session, message.address));
  if (error !== undefined) return { error };
  return layout.class === "virtual" ? yield* attempt(readVirtualMappings(session, layout)) : { value: undefined };
}

function* readVirtualMappings(session: Session, layout: VirtualLayout): Plan<VirtualMappings> {
  const { readMappingsOf } = yield* wait(() => import("./virtual-mappings.ts"));
  return yield* readMappingsOf(session, layout);
}

/** As libhdf5 tells kinds apart (H5Oint.c, `H5O__obj_class_real`): a group first, then a dataset, then a datatype. */
function kindOf(messages: readonly LoadedMessage[]): ObjectKind {
  const has = (type: number): boolean => messages.some((message) => message.type === type);
  if (has(messageType.symbolTable) || has(messageType.linkInfo)) return "group";
  if (!has(messageType.datatype)) return "unknown";
  return has(messageType.dataspace) ? "dataset" : "datatype";
}

function* resolveMessage(session: Session, message: HeaderMessage): Plan<LoadedMessage> {
  const { type, flags, body, address } = message;
  if ((flags & messageFlag.shared) === 0) return message;
  const { value, error } = yield* attempt(resolveShared(session, type, body, address));
  return { ...message, ...value, error };
}

/** A message found through a shared-message pointer. */
export interface SharedBody {
  readonly body: Uint8Array;
  readonly address: number | undefined;
  readonly committedAt: number | undefined;
}

/** Follows a shared-message pointer (spec IV.A.2, "shared message") to the message's own body. */
export function* resolveShared(session: Session, type: number, pointer: Uint8Array, at: number): Plan<SharedBody> {
  const shared = decodeSharedMessage(pointer, session, at);
  if (shared.kind === "sohm") {
    const { readSharedMessage } = yield* denseCode(session);
    const body = yield* readSharedMessage(session, type, shared.heapId);
    return { body, address: undefined, committedAt: undefined };
  }
  const header = yield* readObjectHeader(session, shared.address);
  const target = header.messages.find((message) => message.type === type);
  if (target === undefined || (target.flags & messageFlag.shared) !== 0) {
    throw new InvalidFieldError(`expected a ${messageName(type)} message of its own in the shared object`, {
      structure: "shared message",
      address: shared.address,
    });
  }
  return { body: target.body, address: target.address, committedAt: shared.address };
}

/** The first message of a type, `undefined` where there is none; throws where it could not be resolved. */
export function findMessage(object: LoadedObject, type: number): LoadedMessage | undefined {
  const message = object.messages.find((candidate) => candidate.type === type);
  if (message?.error !== undefined) throw message.error;
  return message;
}

/** Every message of a type, resolved or not. */
export function messagesOf(object: LoadedObject, type: number): readonly LoadedMessage[] {
  return object.messages.filter((message) => message.type === type);
}
