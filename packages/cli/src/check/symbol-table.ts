import { attemptGroupEntry, decodeSymbolTableNode, type GroupEntry, groupKeys, sizeOfSymbolTableNode } from "@h5/btree";
import {
  compareBytes,
  decodeText,
  InvalidFieldError,
  type Plan,
  type SymbolTable,
  type SymbolTableEntry,
} from "@h5/framing";
import { type Check, fault, guard, guardNow, read, reportError, warn } from "./check.ts";
import { followLink } from "./links.ts";
import { type CheckedLocalHeap, checkLocalHeap, checkLostNames, heapString } from "./local-heap.ts";
import { checkV1Tree, type V1Leaf } from "./v1-tree.ts";

const NODE = "symbol table node";

/** Checks the links of a group that has a symbol table: tree, heap and nodes. */
export function* checkSymbolTable(check: Check, { btreeAddress, heapAddress }: SymbolTable, path: string): Plan<void> {
  const heap = yield* checkLocalHeap(check, heapAddress, path);
  const tree = { codec: groupKeys(check), capacity: 2 * check.k.groupInternalK, path };
  let last: Uint8Array | undefined;
  let whole = true;
  for (const leaf of yield* checkV1Tree(check, btreeAddress, tree)) {
    const entries = yield* guard(check, path, readSymbolTableNode(check, leaf.child, path));
    if (entries === undefined) whole = false;
    else if (heap !== undefined) last = checkEntries({ check, path, heap }, leaf, entries, last);
  }
  if (heap !== undefined && whole) checkLostNames(check, heap, path);
}

function* readSymbolTableNode(check: Check, address: number, path: string): Plan<GroupEntry[] | undefined> {
  const capacity = 2 * check.k.groupLeafK;
  const size = sizeOfSymbolTableNode(capacity, check);
  if (!check.space.claim(NODE, address, size, path)) return undefined;
  const entries = decodeSymbolTableNode(yield* read(check, NODE, address, size, 0), check, address, attemptGroupEntry);
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
  readonly heap: CheckedLocalHeap;
}

/** Checks the names of a node's entries, and follows them; gives the last name. */
function checkEntries(
  { check, path, heap }: OldGroup,
  { left, right, child }: V1Leaf<number>,
  entries: readonly GroupEntry[],
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const place = { structure: NODE, address: child, path };
  const low = guardNow(check, path, () => heapString(check, heap, left, path));
  const high = guardNow(check, path, () => heapString(check, heap, right, path));
  let last = before;
  for (const entry of entries) {
    if (entry.error !== undefined) {
      reportError(check, path, entry.error);
      if (entry.nameOffset >= heap.dataSize) continue;
    }
    const bytes = heapString(check, heap, entry.nameOffset, path);
    if (bytes === undefined) continue;
    const name = decodeText(bytes);
    if (last !== undefined && compareBytes(last, bytes) >= 0) {
      fault(check, { ...place, message: `the name ${JSON.stringify(name)} is out of order` });
    } else if ((low && compareBytes(low, bytes) >= 0) || (high && compareBytes(bytes, high) > 0)) {
      fault(check, { ...place, message: `the name ${JSON.stringify(name)} is outside the keys of its node` });
    }
    last = bytes;
    if (entry.error !== undefined) continue;
    if (entry.cacheType === 2) heapString(check, heap, entry.linkOffset ?? 0, path);
    else if (entry.headerAddress !== undefined) {
      followLink(check, path, name, entry.headerAddress);
      noteCached(check, entry, child, `${path === "/" ? "" : path}/${name}`);
    } else fault(check, { ...place, message: `the hard link ${JSON.stringify(name)} leads to no address` });
  }
  return last;
}

/** Notes what an entry caches of the group it leads to, which is known once that has been looked at. */
export function noteCached(check: Check, entry: SymbolTableEntry, at: number, path: string): void {
  if (entry.cacheType === 1) check.cachedTables.push({ ...entry, at, path });
}

/** Holds what entries cache of groups against what these say themselves; `known` has the headers that were read. */
export function checkCachedTables(check: Check, known: ReadonlyMap<number, unknown>): void {
  for (const { headerAddress = -1, btreeAddress, heapAddress, at, path } of check.cachedTables) {
    if (!known.has(headerAddress)) continue;
    const table = check.symbolTables.get(headerAddress);
    if (table?.btreeAddress === btreeAddress && table?.heapAddress === heapAddress) continue;
    const own = table === undefined ? "none" : `${table.btreeAddress} and ${table.heapAddress}`;
    const message = `caches ${btreeAddress} and ${heapAddress} as the tree and the heap of the group at ${headerAddress}, which has ${own}`;
    // libhdf5 leaves them behind when it turns a group into one of the new style.
    const report = table === undefined ? warn : fault;
    report(check, { structure: "symbol table entry", address: at, path, message });
  }
}
