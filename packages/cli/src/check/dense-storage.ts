import type { V2RecordDecoder } from "@h5/btree";
import { type DenseStorage, encodeText, lookup3, type Plan } from "@h5/framing";
import { type Check, fault } from "./check.ts";
import { checkFractalHeap } from "./fractal-heap.ts";
import type { CheckedHeap } from "./heap-objects.ts";
import { checkV2Tree } from "./v2-tree.ts";

/** The heap of links or attributes, where it could be read, and the records of their index by name. */
interface HeapAndNames<R> {
  readonly heapAddress: number;
  readonly heap: CheckedHeap | undefined;
  readonly nameIndexAddress: number;
  readonly records: readonly R[];
}

/** Checks the heap of dense links or attributes and their index by name; gives nothing where there is none of both. */
export function* checkHeapAndNames<R>(
  check: Check,
  { heapAddress, nameIndexAddress }: DenseStorage,
  codec: V2RecordDecoder<R>,
  path: string,
): Plan<HeapAndNames<R> | undefined> {
  if (heapAddress === undefined) return undefined;
  const heap = yield* checkFractalHeap(check, heapAddress, path);
  if (nameIndexAddress === undefined) {
    const message = "a fractal heap without an index of names";
    fault(check, { structure: "dense storage", address: heapAddress, path, message });
    return undefined;
  }
  return { heapAddress, heap, nameIndexAddress, records: yield* checkV2Tree(check, nameIndexAddress, codec, path) };
}

/** Whether a record of an index by name has the hash of the name that it leads to. */
export function checkHash(
  check: Check,
  { hash }: { readonly hash: number },
  name: string,
  address: number,
  path: string,
): void {
  const expected = lookup3(encodeText(name));
  if (hash === expected) return;
  const message = `expected hash ${expected} of the name ${JSON.stringify(name)}, got ${hash}`;
  fault(check, { structure: "version 2 B-tree record", address, path, message });
}
