import { type SharedMessageRecord, sharedMessageRecords } from "@h5/btree";
import {
  decodeSharedMessageTable as decodePointer,
  type HeaderMessage,
  InvalidFieldError,
  lookup3,
  messageType,
  type Plan,
} from "@h5/framing";
import {
  decodeSharedMessageList,
  decodeSharedMessageTable,
  type SharedMessageIndex,
  sizeOfSharedMessageList,
  sizeOfSharedMessageTable,
} from "@h5/heap";
import { type Check, fault, guard, read, warn } from "./check.ts";
import { checkFractalHeap } from "./fractal-heap.ts";
import { type CheckedHeap, visitObjects } from "./heap-objects.ts";
import { checkV2Tree } from "./v2-tree.ts";

const TABLE = "shared message table";
const LIST = "shared message list";
/** Messages that can be shared. */
const SHARED_TYPES = ["dataspace", "datatype", "fillValue", "filterPipeline", "attribute"] as const;

/** Records of one index, which are held against the uses of its messages once these are known. */
export interface SharedRecords {
  readonly address: number;
  readonly records: readonly SharedMessageRecord[];
}

/** Checks the shared message table that a message of the superblock extension leads to, its indexes and heaps. */
export function* checkSharedMessages(check: Check, message: HeaderMessage): Plan<SharedRecords[]> {
  const indexes = (yield* guard(check, undefined, readTable(check, message))) ?? [];
  check.sharedIndexes = indexes;
  const all: SharedRecords[] = [];
  for (const index of indexes) {
    const { indexAddress, heapAddress, count } = index;
    const records = (yield* guard(check, undefined, readIndex(check, index))) ?? [];
    if (indexAddress === undefined) continue;
    if (records.length !== count) {
      const text = `expected ${count} messages, got ${records.length}`;
      warn(check, { structure: TABLE, address: indexAddress, message: text });
    }
    all.push({ address: indexAddress, records });
    const heap = heapAddress === undefined ? undefined : yield* checkFractalHeap(check, heapAddress, "/");
    if (heap !== undefined) yield* checkMessages(check, heap, records, indexAddress);
  }
  return all;
}

function* readTable(check: Check, { body, address: at }: HeaderMessage): Plan<SharedMessageIndex[]> {
  const { address, indexCount } = decodePointer(body, check, at);
  const size = sizeOfSharedMessageTable(indexCount, check);
  check.space.claim(TABLE, address, size, undefined);
  return decodeSharedMessageTable(yield* read(check, TABLE, address, size), indexCount, check, address);
}

function* readIndex(check: Check, index: SharedMessageIndex): Plan<SharedMessageRecord[]> {
  const { kind, count, listMax, indexAddress } = index;
  if (indexAddress === undefined) return [];
  if (kind === "btree") return yield* checkV2Tree(check, indexAddress, sharedMessageRecords(check), "/");
  const place = { structure: LIST, address: indexAddress };
  if (count > listMax) throw new InvalidFieldError(`expected at most ${listMax} messages, got ${count}`, place);
  const size = sizeOfSharedMessageList(listMax, check);
  check.space.claim(LIST, indexAddress, size, undefined);
  const bytes = yield* read(check, LIST, indexAddress, size, 0);
  return decodeSharedMessageList(bytes, count, check, indexAddress);
}

/** Looks at the messages in the heap of an index, whose records have hashes that depend on their types. */
function* checkMessages(
  check: Check,
  heap: CheckedHeap,
  records: readonly SharedMessageRecord[],
  address: number,
): Plan<void> {
  const kept = records.flatMap((record) => (record.location === "heap" ? [record] : []));
  const ids = kept.map(({ heapId }) => heapId);
  yield* visitObjects(check, heap, ids, (message, slot) => {
    const { hash } = kept[slot]!;
    if (SHARED_TYPES.some((type) => lookup3(message, messageType[type]) === hash)) return;
    fault(check, {
      structure: TABLE,
      address,
      message: `no type of message gives that in slot ${slot} the hash ${hash}`,
    });
  });
}

/** Reports counts of uses that differ from those found, and headers that are said to have a shared message. */
export function checkUses(check: Check, indexes: readonly SharedRecords[]): void {
  for (const { address, records } of indexes) {
    for (const record of records) {
      if (record.location === "header") {
        if (check.space.has("object header", record.headerAddress)) continue;
        const text = `a shared message in the object header at ${record.headerAddress}, where none was found`;
        fault(check, { structure: TABLE, address, message: text });
        continue;
      }
      const found = check.sharedUses.get(record.heapId.join()) ?? 0;
      if (found === record.referenceCount) continue;
      const message = `expected ${record.referenceCount} uses of a shared message, got ${found}`;
      warn(check, { structure: TABLE, address, message });
    }
  }
}
