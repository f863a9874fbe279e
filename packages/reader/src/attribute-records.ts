import {
  type Attempt,
  type AttributeFrame,
  attempt,
  attemptNow,
  checkLimit,
  type DenseStorage,
  decodeAttribute,
  decodeAttributeInfo,
  messageType,
  type Plan,
  textOrder,
} from "@h5/framing";
import { withPlanned } from "./at-hand.ts";
import type { OrderedFrame } from "./dense.ts";
import { denseCode } from "./dense-code.ts";
import {
  findMessage,
  type LoadedMessage,
  type LoadedObject,
  messagesOf,
  resolveShared,
  type SharedBody,
} from "./object.ts";
import type { Session } from "./session.ts";

/** An attribute's parts, with shared ones found. */
export interface AttributeRecord {
  readonly frame: AttributeFrame;
  readonly creationOrder: number | undefined;
  readonly datatype: Attempt<SharedBody>;
  readonly dataspace: Attempt<SharedBody>;
}

/** Every attribute of an object, compact and dense: in creation order where it is tracked, else by name. */
export function* readAttributes(session: Session, object: LoadedObject): Plan<Attempt<AttributeRecord>[]> {
  const compact = messagesOf(object, messageType.attribute).map((message) => frameOf(session, message));
  const storage = denseStorage(session, object);
  const dense = storage === undefined ? [] : yield* (yield* denseCode(session)).readDenseAttributes(session, storage);
  const frames = [...compact, ...dense];
  const place = { structure: "attributes", address: object.address };
  checkLimit(session.limits, "objects", frames.length, place);
  for (const { value } of frames) checkLimit(session.limits, "nameLength", value?.frame.name.length ?? 0, place);
  const records = yield* withPlanned(frames.map((found) => recordOf(session, found)));
  if (records.length < 2) return records;
  return records.sort(attributeOrder(textOrder(records.map(({ value }) => value?.frame.name ?? ""))));
}

function frameOf(session: Session, message: LoadedMessage): Attempt<OrderedFrame> {
  if (message.error !== undefined) return { error: message.error };
  return attemptNow(() => {
    const frame = decodeAttribute(message.body, session, message.address);
    return { frame, creationOrder: message.creationOrder };
  });
}

/** Where the attributes are if not in the header. */
function denseStorage(session: Session, object: LoadedObject): DenseStorage | undefined {
  const message = findMessage(object, messageType.attributeInfo);
  const info = message && decodeAttributeInfo(message.body, session, message.address);
  return info?.heapAddress === undefined ? undefined : info;
}

/** The record of a frame, or the plan for it where parts of it are elsewhere. */
function recordOf(
  session: Session,
  found: Attempt<OrderedFrame>,
): Attempt<AttributeRecord> | Plan<Attempt<AttributeRecord>> {
  if (found.error !== undefined) return found;
  const { frame, creationOrder } = found.value;
  if (frame.datatypeShared || frame.dataspaceShared) return attempt(resolveFrame(session, found.value));
  const datatype = { value: ownPart(frame.datatype, frame.datatypeAddress!) };
  const dataspace = { value: ownPart(frame.dataspace, frame.dataspaceAddress!) };
  return { value: { frame, creationOrder, datatype, dataspace } };
}

/** Finds the datatype and the dataspace of an attribute, each of which may be shared; keeps the error of one that is not found. */
function* resolveFrame(session: Session, { frame, creationOrder }: OrderedFrame): Plan<AttributeRecord> {
  return {
    frame,
    creationOrder,
    datatype: yield* attempt(
      resolvePart(session, messageType.datatype, frame.datatype, frame.datatypeAddress!, frame.datatypeShared),
    ),
    dataspace: yield* attempt(
      resolvePart(session, messageType.dataspace, frame.dataspace, frame.dataspaceAddress!, frame.dataspaceShared),
    ),
  };
}

function* resolvePart(
  session: Session,
  type: number,
  body: Uint8Array,
  address: number,
  shared: boolean,
): Plan<SharedBody> {
  return shared ? yield* resolveShared(session, type, body, address) : ownPart(body, address);
}

function ownPart(body: Uint8Array, address: number): SharedBody {
  return { body, address, committedAt: undefined };
}

function attributeOrder(byName: (a: string, b: string) => number) {
  return (a: Attempt<AttributeRecord>, b: Attempt<AttributeRecord>): number => {
    if (a.error !== undefined || b.error !== undefined) {
      return Number(a.error !== undefined) - Number(b.error !== undefined);
    }
    const x = a.value.creationOrder;
    const y = b.value.creationOrder;
    if (x !== undefined && y !== undefined) return x - y;
    return byName(a.value.frame.name, b.value.frame.name);
  };
}

/** The attribute called `name`, `undefined` where there is none. */
export function* findAttribute(
  session: Session,
  object: LoadedObject,
  name: string,
): Plan<AttributeRecord | undefined> {
  const storage = denseStorage(session, object);
  if (storage !== undefined) {
    const { findDenseAttribute } = yield* denseCode(session);
    const frame = yield* findDenseAttribute(session, storage, name);
    return frame && (yield* resolveFrame(session, frame));
  }
  const records = yield* readAttributes(session, object);
  const found = records.find(({ value }) => value?.frame.name === name);
  // An attribute whose name could not be read may be the one asked for.
  const broken = records.find(({ error }) => error !== undefined);
  if (found === undefined && broken !== undefined) throw broken.error;
  return found?.value;
}
