import {
  type AttributeRecord,
  attributeNameRecords,
  findAttributeRecords,
  findLinkRecords,
  linkNameRecords,
  readV2Records,
  type V2RecordDecoder,
} from "@h5/btree";
import { applyDecodersSync, decodeFilterPipeline } from "@h5/filters";
import {
  type Attempt,
  type AttributeFrame,
  attempt,
  attemptNow,
  type DenseStorage,
  decodeAttribute,
  encodeText,
  type FileContext,
  type H5Error,
  InvalidFieldError,
  isH5Error,
  messageFlag,
  messageType,
  type Plan,
} from "@h5/framing";
import {
  attemptFractalHeapObjects,
  type FractalHeap,
  type FractalHeapId,
  fractalHeapIdReader,
  fractalHeapObject,
  readFractalHeap,
  type Unfilter,
  visitFractalHeapObjects,
} from "@h5/heap";
import { withPlanned } from "./at-hand.ts";
import type { Session } from "./session.ts";
import { readSharedMessage } from "./shared-messages.ts";

export { readSharedMessage } from "./shared-messages.ts";

/** Flag of link and attribute info messages (spec IV.A.2.c, IV.A.2.v): creation order is tracked. */
const TRACKED = 1;

/** An attribute's frame with its place in creation order, where that is tracked. */
export interface OrderedFrame {
  readonly frame: AttributeFrame;
  readonly creationOrder: number | undefined;
}

/**
 * What `use` makes of every link of a group that keeps them in a fractal heap, in no order: of its message's body, or of
 * what keeps that from being read.
 */
export function* readDenseLinks<T>(
  session: Session,
  storage: DenseStorage,
  use: (body: Uint8Array | H5Error) => T,
): Plan<T[]> {
  const heap = yield* openHeap(session, storage);
  const records = yield* readV2Records(session, nameIndexOf(storage), linkPlaces(heap));
  const found: T[] = [];
  const ids: FractalHeapId[] = [];
  for (const { id } of records) {
    if (isH5Error(id)) found.push(use(id));
    else ids.push(id);
  }
  yield* visitFractalHeapObjects(heap, ids, (body) => found.push(use(body)));
  return found;
}

/** Link name records with their ids decoded, which take less memory then: there may be many. */
function linkPlaces({ header, context }: FractalHeap): V2RecordDecoder<{ hash: number; id: FractalHeapId | H5Error }> {
  const { type, size } = linkNameRecords();
  const readId = fractalHeapIdReader(header, context);
  return {
    type,
    size,
    decode(reader) {
      const hash = reader.u32();
      const end = reader.offset + header.idLength;
      const { value, error } = attemptNow(() => readId(reader));
      reader.offset = end;
      return { hash, id: value ?? error! };
    },
    compare: (a, b) => a.hash - b.hash,
  };
}

/**
 * What `use` makes of the links whose names have the hash of `name`, as {@link readDenseLinks} does: only the nodes that
 * this leads to are read.
 */
export function* findDenseLinks<T>(
  session: Session,
  storage: DenseStorage,
  name: string,
  use: (body: Uint8Array | H5Error) => T,
): Plan<T[]> {
  const heap = yield* openHeap(session, storage, session.lookUps);
  const records = yield* findLinkRecords(session.lookUps, nameIndexOf(storage), encodeText(name));
  const ids = records.map(({ heapId }) => heapId);
  return (yield* attemptFractalHeapObjects(heap, ids)).map(use);
}

/** Every attribute of an object that keeps them in a fractal heap; one that cannot be read does not hide the others. */
export function* readDenseAttributes(session: Session, storage: DenseStorage): Plan<Attempt<OrderedFrame>[]> {
  const heap = yield* openHeap(session, storage);
  const records = yield* readV2Records(session, nameIndexOf(storage), attributeNameRecords());
  const own = records.filter((record) => !isShared(record)).map(({ heapId }) => heapId);
  const read = yield* attemptFractalHeapObjects(heap, own);
  const bodies = new Map(read.map((body, i) => [own[i]!, body]));
  return yield* withPlanned(
    records.map((record) => {
      const body = bodies.get(record.heapId);
      if (body === undefined) return attempt(readFrame(session, { heap, storage }, record));
      return isH5Error(body) ? { error: body } : attemptNow(() => frameOf(session, storage, record, body));
    }),
  );
}

/** The attribute called `name` among dense ones: only the nodes its hash leads to are read. */
export function* findDenseAttribute(
  session: Session,
  storage: DenseStorage,
  name: string,
): Plan<OrderedFrame | undefined> {
  const { lookUps } = session;
  const place = { heap: yield* openHeap(session, storage, lookUps), storage };
  for (const record of yield* findAttributeRecords(lookUps, nameIndexOf(storage), encodeText(name))) {
    const found = yield* readFrame(session, place, record);
    if (found.frame.name === name) return found;
  }
  return undefined;
}

interface AttributePlace {
  readonly heap: FractalHeap;
  readonly storage: DenseStorage;
}

function* readFrame(session: Session, place: AttributePlace, record: AttributeRecord): Plan<OrderedFrame> {
  const body = isShared(record)
    ? yield* readSharedMessage(session, messageType.attribute, record.heapId)
    : yield* fractalHeapObject(place.heap, record.heapId);
  return frameOf(session, place.storage, record, body);
}

function frameOf(session: Session, storage: DenseStorage, record: AttributeRecord, body: Uint8Array): OrderedFrame {
  const tracked = (storage.flags & TRACKED) !== 0;
  return { frame: decodeAttribute(body, session), creationOrder: tracked ? record.creationOrder : undefined };
}

function isShared({ flags }: AttributeRecord): boolean {
  return (flags & messageFlag.shared) !== 0;
}

function openHeap(session: Session, { heapAddress }: DenseStorage, context: FileContext = session): Plan<FractalHeap> {
  return readFractalHeap(context, heapAddress!, unfilterOf(session));
}

/** Undoes the filters of a fractal heap with the decoders of the open file. */
export function unfilterOf({ filters, limits }: Session): Unfilter {
  return (bytes, filterMask, { pipeline, expectedBytes }) =>
    applyDecodersSync(bytes, decodeFilterPipeline(pipeline).filters, filterMask, filters, {
      expectedBytes,
      maxBytes: limits.metadataBytes,
      maxExcess: limits.chunkExcess,
    });
}

function nameIndexOf({ nameIndexAddress, heapAddress }: DenseStorage): number {
  if (nameIndexAddress !== undefined) return nameIndexAddress;
  throw new InvalidFieldError("a fractal heap without an index of names", {
    structure: "dense storage",
    address: heapAddress,
  });
}
