import { type AttributeRecord, attributeNameRecords, attributeOrderRecords } from "@h5/btree";
import { decodeDatatype } from "@h5/datatypes";
import {
  type AttributeFrame,
  type DenseStorage,
  decodeAttribute,
  InvalidFieldError,
  messageFlag,
  messageType,
  type Plan,
} from "@h5/framing";
import { findSharedMessage } from "@h5/heap";
import { dataspaceElementCount, decodeDataspace } from "@h5/selection";
import { type Check, fault, guard, guardNow } from "./check.ts";
import { checkHash, checkHeapAndNames } from "./dense-storage.ts";
import { checkElements } from "./elements.ts";
import { visitObjects } from "./heap-objects.ts";
import { countUse, type FoundMessage, followShared } from "./shared.ts";
import { checkV2Tree } from "./v2-tree.ts";

const STRUCTURE = "attribute message";

/** Checks the attributes in an object's header. */
export function* checkAttributes(check: Check, messages: readonly FoundMessage[], path: string): Plan<void> {
  const names = new Set<string>();
  for (const { type, body, address } of messages) {
    if (type !== messageType.attribute) continue;
    const frame = guardNow(check, path, () => decodeAttribute(body, check, address));
    if (frame !== undefined) yield* checkAttribute(check, frame, address, path, names);
  }
}

/** Checks the parts of one attribute, and what its elements lead to. */
function* checkAttribute(
  check: Check,
  frame: AttributeFrame,
  address: number | undefined,
  path: string,
  names: Set<string>,
): Plan<void> {
  if (names.has(frame.name)) {
    const message = `a second attribute is called ${JSON.stringify(frame.name)}`;
    fault(check, { structure: STRUCTURE, address, path, message });
  }
  names.add(frame.name);
  yield* guard(check, path, checkValue(check, frame, address, path));
}

function* checkValue(check: Check, frame: AttributeFrame, address: number | undefined, path: string): Plan<void> {
  const part = function* (type: number, body: Uint8Array, at: number | undefined, shared: boolean): Plan<Uint8Array> {
    return shared ? (yield* followShared(check, type, body, at, path)).body : body;
  };
  const type = yield* part(messageType.datatype, frame.datatype, frame.datatypeAddress, frame.datatypeShared);
  const space = yield* part(messageType.dataspace, frame.dataspace, frame.dataspaceAddress, frame.dataspaceShared);
  const datatype = decodeDatatype(type, { address: frame.datatypeAddress, limits: check.limits });
  const dataspace = decodeDataspace(space, check, frame.dataspaceAddress);
  const count = dataspaceElementCount(dataspace);
  if (count * datatype.size > frame.data.length) {
    const message = `the value of ${JSON.stringify(frame.name)} needs ${count * datatype.size} bytes, got ${frame.data.length}`;
    throw new InvalidFieldError(message, { structure: STRUCTURE, address });
  }
  yield* checkElements(check, datatype, frame.data.subarray(0, count * datatype.size), count, {
    structure: STRUCTURE,
    address: frame.dataAddress ?? address,
    path,
  });
}

/** Checks the attributes that an object keeps in a fractal heap, and the trees over them. */
export function* checkDenseAttributes(check: Check, storage: DenseStorage, path: string): Plan<void> {
  const opened = yield* checkHeapAndNames(check, storage, attributeNameRecords(), path);
  if (opened === undefined) return;
  const { heap, records, nameIndexAddress } = opened;
  const { orderIndexAddress } = storage;
  if (orderIndexAddress !== undefined) {
    const ordered = yield* checkV2Tree(check, orderIndexAddress, attributeOrderRecords(), path);
    checkOrder(check, records, ordered, orderIndexAddress, path);
  }
  const bodies = new Map<AttributeRecord, Uint8Array>();
  const own = records.filter(({ flags }) => (flags & messageFlag.shared) === 0);
  if (heap !== undefined) {
    const ids = own.map(({ heapId }) => heapId);
    yield* visitObjects(check, heap, ids, (object, slot) => void bodies.set(own[slot]!, object));
  }
  for (const record of records) {
    if ((record.flags & messageFlag.shared) === 0) continue;
    if (countUse(check, record.heapId) > 1) continue;
    const plan = findSharedMessage(check, check.sharedIndexes, messageType.attribute, record.heapId);
    const body = yield* guard(check, path, plan);
    if (body !== undefined) bodies.set(record, body);
  }
  const names = new Set<string>();
  for (const [record, body] of bodies) {
    const frame = guardNow(check, path, () => decodeAttribute(body, check));
    if (frame === undefined) continue;
    checkHash(check, { hash: record.hash ?? 0 }, frame.name, nameIndexAddress, path);
    yield* checkAttribute(check, frame, undefined, path, names);
  }
}

function checkOrder(
  check: Check,
  named: readonly AttributeRecord[],
  ordered: readonly AttributeRecord[],
  address: number,
  path: string,
): void {
  const orders = new Map(named.map(({ heapId, creationOrder }) => [heapId.join(), creationOrder]));
  const place = { structure: "version 2 B-tree record", address, path };
  if (named.length !== ordered.length) {
    fault(check, { ...place, message: `${ordered.length} attributes by creation order, ${named.length} by name` });
  }
  for (const { heapId, creationOrder } of ordered) {
    const expected = orders.get(heapId.join());
    if (expected === creationOrder) continue;
    const message =
      expected === undefined
        ? `no attribute has the heap id of the order ${creationOrder}`
        : `expected the order ${expected}, got ${creationOrder}`;
    fault(check, { ...place, message });
  }
}
