import {
  decodeSymbolTableNode,
  groupKeys,
  type LinkOrderRecord,
  linkNameRecords,
  linkOrderRecords,
  sizeOfSymbolTableNode,
} from "@h5/btree";
import {
  compareBytes,
  type DenseStorage,
  decodeLink,
  decodeText,
  InvalidFieldError,
  type Link,
  type Plan,
  type SymbolTable,
  type SymbolTableEntry,
} from "@h5/framing";
import type { LocalHeap } from "@h5/heap";
import { type Check, fault, guard, guardNow, read } from "./check.ts";
import { checkHash, checkHeapAndNames } from "./dense-storage.ts";
import { visitObjects } from "./fractal-heap.ts";
import { checkLocalHeap, heapString } from "./local-heap.ts";
import { checkV1Tree, type V1Leaf } from "./v1-tree.ts";
import { checkV2Tree } from "./v2-tree.ts";

const NODE = "symbol table node";

/** Notes a hard link, whose object is to be looked at. */
export function followLink(check: Check, parent: string, name: string, address: number): void {
  check.links.set(address, (check.links.get(address) ?? 0) + 1);
  check.queue.push({ address, path: `${parent === "/" ? "" : parent}/${name}` });
}

/** Checks the links of a group that has a symbol table: tree, heap and nodes. */
export function* checkSymbolTable(check: Check, { btreeAddress, heapAddress }: SymbolTable, path: string): Plan<void> {
  const heap = yield* checkLocalHeap(check, heapAddress, path);
  const tree = { codec: groupKeys(check), capacity: 2 * check.k.groupInternalK, path };
  const names = new Set<string>();
  let last: Uint8Array | undefined;
  for (const leaf of yield* checkV1Tree(check, btreeAddress, tree)) {
    const entries = yield* guard(check, path, readSymbolTableNode(check, leaf.child, path));
    if (entries === undefined || heap === undefined) continue;
    last = checkEntries({ check, path, heap, names }, leaf, entries, last);
  }
}

function* readSymbolTableNode(check: Check, address: number, path: string): Plan<SymbolTableEntry[] | undefined> {
  const capacity = 2 * check.k.groupLeafK;
  const size = sizeOfSymbolTableNode(capacity, check);
  if (!check.space.claim(NODE, address, size, path)) return undefined;
  const entries = decodeSymbolTableNode(yield* read(check, NODE, address, size, 0), check, address);
  if (entries.length <= capacity) return entries;
  throw new InvalidFieldError(`expected at most ${capacity} entries, got ${entries.length}`, {
    structure: NODE,
    address,
  });
}

/** A group with a symbol table, in a check. */
interface OldGroup {
  readonly check: Check;
  readonly path: string;
  readonly heap: LocalHeap;
  readonly names: Set<string>;
}

/** Checks the names of a node's entries, and follows them; gives the last name. */
function checkEntries(
  { check, path, heap, names }: OldGroup,
  { left, right, child }: V1Leaf<number>,
  entries: readonly SymbolTableEntry[],
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const place = { structure: NODE, address: child, path };
  const low = guardNow(check, path, () => heapString(check, heap, left, path));
  const high = guardNow(check, path, () => heapString(check, heap, right, path));
  let last = before;
  for (const entry of entries) {
    const bytes = heapString(check, heap, entry.nameOffset, path);
    if (bytes === undefined) continue;
    const name = decodeText(bytes);
    if (last !== undefined && compareBytes(last, bytes) >= 0) {
      fault(check, { ...place, message: `the name ${JSON.stringify(name)} is out of order` });
    } else if ((low && compareBytes(low, bytes) >= 0) || (high && compareBytes(bytes, high) > 0)) {
      fault(check, { ...place, message: `the name ${JSON.stringify(name)} is outside the keys of its node` });
    }
    last = bytes;
    names.add(name);
    if (entry.cacheType === 2) heapString(check, heap, entry.linkOffset ?? 0, path);
    else if (entry.headerAddress !== undefined) followLink(check, path, name, entry.headerAddress);
    else fault(check, { ...place, message: `the hard link ${JSON.stringify(name)} leads to no address` });
  }
  return last;
}

/** Follows the links in messages of a group's header, whose names must differ. */
export function checkLinks(check: Check, links: readonly Link[], address: number, path: string): void {
  const names = new Set<string>();
  for (const link of links) {
    const { name } = link;
    if (names.has(name)) {
      const message = `a second link is called ${JSON.stringify(name)}`;
      fault(check, { structure: "link message", address, path, message });
    }
    names.add(name);
    if (link.type === "hard") followLink(check, path, name, link.address);
  }
}

/** Checks the links that a group keeps in a fractal heap, and the trees over them. */
export function* checkDenseLinks(check: Check, storage: DenseStorage, path: string): Plan<void> {
  const opened = yield* checkHeapAndNames(check, storage, linkNameRecords(), path);
  if (opened === undefined) return;
  const { heap, records, heapAddress, nameIndexAddress } = opened;
  const { orderIndexAddress } = storage;
  const ordered =
    orderIndexAddress === undefined
      ? undefined
      : yield* checkV2Tree(check, orderIndexAddress, linkOrderRecords(), path);
  if (heap === undefined) return;
  const links = new Map<string, Link>();
  const ids = records.map(({ heapId }) => heapId);
  yield* visitObjects(check, heap, ids, (object, slot) => {
    const record = records[slot]!;
    const link = guardNow(check, path, () => decodeLink(object, check));
    if (link === undefined) return;
    checkHash(check, record, link.name, nameIndexAddress, path);
    links.set(record.heapId.join(), link);
  });
  checkLinks(check, [...links.values()], heapAddress, path);
  if (ordered !== undefined) checkOrder(check, ordered, links, records.length, { address: orderIndexAddress!, path });
}

function checkOrder(
  check: Check,
  ordered: readonly LinkOrderRecord[],
  links: ReadonlyMap<string, Link>,
  count: number,
  { address, path }: { readonly address: number; readonly path: string },
): void {
  const place = { structure: "version 2 B-tree record", address, path };
  if (ordered.length !== count) {
    fault(check, { ...place, message: `${ordered.length} links by creation order, ${count} by name` });
  }
  for (const { creationOrder, heapId } of ordered) {
    const link = links.get(heapId.join());
    if (link === undefined) {
      if (links.size === count)
        fault(check, { ...place, message: `no link has the heap id of the order ${creationOrder}` });
    } else if (link.creationOrder !== creationOrder) {
      const name = JSON.stringify(link.name);
      fault(check, { ...place, message: `expected the order ${link.creationOrder} of ${name}, got ${creationOrder}` });
    }
  }
}
