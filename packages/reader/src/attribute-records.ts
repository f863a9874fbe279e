import {
  type Attempt,
  type AttributeFrame,
  all,
  attempt,
  checkLimit,
  compareBytes,
  type DenseStorage,
  decodeAttribute,
  decodeAttributeInfo,
  encodeText,
  isH5Error,
  messageType,
  type Plan,
} from "@h5/framing";
import { findDenseAttribute, type OrderedFrame, readDenseAttributes } from "./dense.ts";
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
  const dense = storage === undefined ? [] : yield* readDenseAttributes(session, storage);
  const frames = [...compact, ...dense];
  checkLimit(session.limits, "objects", frames.length, { structure: "attributes", address: object.address });
  const records = yield* all(frames.map((found) => attempt(resolveFrame(session, found))));
  return records.sort(attributeOrder);
}

function frameOf(session: Session, message: LoadedMessage): Attempt<OrderedFrame> {
  if (message.error !== undefined) return { error: message.error };
  try {
    const frame = decodeAttribute(message.body, session, message.address);
    return { value: { frame, creationOrder: message.creationOrder } };
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { error };
  }
}

/** Where the attributes are if not in the header. */
function denseStorage(session: Session, object: LoadedObject): DenseStorage | undefined {
  const message = findMessage(object, messageType.attributeInfo);
  const info = message && decodeAttributeInfo(message.body, session, message.address);
  return info?.heapAddress === undefined ? undefined : info;
}

/** Finds the datatype and the dataspace of an attribute, each of which may be shared; keeps the error of one that is not found. */
function* resolveFrame(session: Session, found: Attempt<OrderedFrame>): Plan<AttributeRecord> {
  if (found.error !== undefined) throw found.error;
  const { frame, creationOrder } = found.value;
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
  if (shared) return yield* resolveShared(session, type, body, address);
  return { body, address, committedAt: undefined };
}

function attributeOrder(a: Attempt<AttributeRecord>, b: Attempt<AttributeRecord>): number {
  if (a.error !== undefined || b.error !== undefined) {
    return Number(a.error !== undefined) - Number(b.error !== undefined);
  }
  const [x, y] = [a.value.creationOrder, b.value.creationOrder];
  if (x !== undefined && y !== undefined) return x - y;
  return compareBytes(encodeText(a.value.frame.name), encodeText(b.value.frame.name));
}

/** The attribute called `name`, `undefined` where there is none. */
export function* findAttribute(
  session: Session,
  object: LoadedObject,
  name: string,
): Plan<AttributeRecord | undefined> {
  const storage = denseStorage(session, object);
  if (storage !== undefined) {
    const frame = yield* findDenseAttribute(session, storage, name);
    return frame && (yield* resolveFrame(session, { value: frame }));
  }
  const records = yield* readAttributes(session, object);
  const found = records.find(({ value }) => value?.frame.name === name);
  // An attribute whose name could not be read may be the one asked for.
  const broken = records.find(({ error }) => error !== undefined);
  if (found === undefined && broken !== undefined) throw broken.error;
  return found?.value;
}
