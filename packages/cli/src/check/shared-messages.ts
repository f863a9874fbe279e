import { type SharedMessageRecord, sharedMessageRecords } from "@h5/btree";
import {
  decodeSharedMessageTable as decodePointer,
  type HeaderMessage,
  InvalidFieldError,
  type Plan,
} from "@h5/framing";
import {
  decodeSharedMessageList,
  decodeSharedMessageTable,
  type SharedMessageIndex,
  sizeOfSharedMessageList,
  sizeOfSharedMessageTable,
} from "@h5/heap";
import { type Check, guard, read, warn } from "./check.ts";
import { checkFractalHeap, visitObjects } from "./fractal-heap.ts";
import { checkV2Tree } from "./v2-tree.ts";

const TABLE = "shared message table";
const LIST = "shared message list";

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
    const ids = records.flatMap((record) => (record.location === "heap" ? [record.heapId] : []));
    if (heap !== undefined) yield* visitObjects(check, heap, ids, () => {});
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

/** Reports counts of uses that differ from those found. */
export function checkUses(check: Check, indexes: readonly SharedRecords[]): void {
  for (const { address, records } of indexes) {
    for (const record of records) {
      if (record.location !== "heap") continue;
      const found = check.sharedUses.get(record.heapId.join()) ?? 0;
      if (found === record.referenceCount) continue;
      const message = `expected ${record.referenceCount} uses of a shared message, got ${found}`;
      warn(check, { structure: TABLE, address, message });
    }
  }
}
