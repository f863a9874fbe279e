import {
  collectHeapIds,
  type Datatype,
  type HeapId,
  type HeapUse,
  hasHeapIds,
  hasReferences,
  relocateHeapIds,
} from "@h5/datatypes";
import { InvalidFieldError, type Plan } from "@h5/framing";
import { type GlobalHeapCollection, readGlobalHeapCollection } from "@h5/heap";
import { type Check, guard, spend, warn } from "./check.ts";

const COLLECTION = "global heap collection";

/** Where elements are. */
export interface ElementPlace {
  readonly structure: string;
  readonly address: number | undefined;
  readonly path: string;
  /** Whether some may never have been written, and hold anything: what they lead to may then not be there. */
  readonly unset?: boolean | undefined;
}

/** Whether elements of a type lead anywhere. */
export function leadSomewhere(datatype: Datatype): boolean {
  return hasHeapIds(datatype) || hasReferences(datatype);
}

/** Checks what elements keep in the global heap, and notes what their references lead to. */
export function* checkElements(
  check: Check,
  datatype: Datatype,
  bytes: Uint8Array,
  count: number,
  place: ElementPlace,
): Plan<void> {
  if (count === 0 || !leadSomewhere(datatype)) return;
  const { findings } = check;
  const before = findings.length;
  yield* guard(check, place.path, followElements(check, datatype, bytes, count, place));
  if (place.unset !== true) return;
  for (const finding of findings.splice(before)) findings.push({ ...finding, severity: "warning" });
}

function* followElements(
  check: Check,
  datatype: Datatype,
  bytes: Uint8Array,
  count: number,
  place: ElementPlace,
): Plan<void> {
  const uses: HeapUse[] = [];
  if (hasHeapIds(datatype)) collectHeapIds(datatype, bytes, count, check, (use) => uses.push(use));
  for (const use of uses) {
    yield* checkCollection(check, use.address, place.path);
    noteUse(check, use);
  }
  const missing = uses.find((use) => objectOf(check, use) === undefined);
  if (missing !== undefined) {
    // A collection that could not be read has been reported.
    if (check.collections.get(missing.address) === undefined) return;
    throw new InvalidFieldError(
      `no object ${missing.index} in the global heap collection at ${missing.address}`,
      place,
    );
  }
  if (hasReferences(datatype)) noteReferences(check, datatype, bytes, count, place);
  for (const { base, address, index, count: length } of uses) {
    if (base === undefined || length === 0) continue;
    const object = objectOf(check, { address, index })!;
    if (leadSomewhere(base)) yield* checkElements(check, base, object, length, place);
  }
}

function objectOf(check: Check, { address, index }: HeapId): Uint8Array | undefined {
  return check.collections.get(address)?.objects.get(index)?.data;
}

function noteReferences(
  check: Check,
  datatype: Datatype,
  bytes: Uint8Array,
  count: number,
  { path, address: at, unset }: ElementPlace,
): void {
  const { offsetSize, foldAddress } = check;
  const heap = (id: HeapId): Uint8Array | undefined => objectOf(check, id);
  relocateHeapIds(
    datatype,
    bytes.slice(),
    count,
    { offsetSize, foldAddress, heap },
    (use) => use,
    ({ address, file }) => {
      if (file === undefined) check.references.push({ address, path, at, unset });
      return 1;
    },
  );
}

/** Notes that something leads to an object of the global heap. */
export function noteUse(check: Check, { address, index }: HeapId): void {
  const used = check.heapUses.get(address);
  if (used === undefined) check.heapUses.set(address, new Set([index]));
  else used.add(index);
}

/** Reports the objects of the global heap that nothing leads to; only where all was read that may. */
export function checkUnusedObjects(check: Check): void {
  if (!check.data || check.heapDataSkipped || check.findings.some(({ severity }) => severity === "error")) return;
  for (const [address, collection] of check.collections) {
    const used = check.heapUses.get(address);
    // Nothing leads to the empty ones that libhdf5 keeps for sequences without elements.
    const lost = [...(collection?.objects ?? [])].filter(([index, { data }]) => data.length > 0 && !used?.has(index));
    if (lost.length === 0) continue;
    const bytes = lost.reduce((sum, [, { data }]) => sum + data.length, 0);
    const message = `${lost.length} objects of ${bytes} bytes, from number ${lost[0]![0]} on, to which nothing leads`;
    warn(check, { structure: COLLECTION, address, message });
  }
}

/** Checks a collection, once. */
export function* checkCollection(check: Check, address: number, path: string): Plan<GlobalHeapCollection | undefined> {
  if (!check.collections.has(address)) {
    check.collections.set(address, yield* guard(check, path, readCollection(check, address, path)));
  }
  return check.collections.get(address);
}

function* readCollection(check: Check, address: number, path: string): Plan<GlobalHeapCollection> {
  const collection = yield* readGlobalHeapCollection(check, address);
  spend(check, collection.size, COLLECTION, address);
  check.space.claim(COLLECTION, address, collection.size, path);
  return collection;
}
