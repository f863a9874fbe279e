import {
  type ByteSpan,
  collectHeapIds,
  type Datatype,
  type DecodeValuesOptions,
  decodeValues,
  type HeapId,
  hasHeapIds,
  type StoredValues,
  type Values,
} from "@h5/datatypes";
import { type Attempt, all, attempt, checkLimit, type Plan } from "@h5/framing";
import { type GlobalHeapSpans, globalHeapSpan, readGlobalHeapSpans } from "@h5/heap";
import { elementCount } from "@h5/selection";
import { flattened } from "./nd-array.ts";
import { runPlan, type Session, type SignalOptions } from "./session.ts";

/** Stored elements: `count` of them, packed at the datatype's size. */
export interface StoredElements {
  readonly datatype: Datatype;
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Whether `bytes` may become the values: nobody else holds them. */
  readonly owned?: boolean | undefined;
  /** Where they have what they do not hold themselves, if not in the file's own heap. */
  readonly relocated?: Pick<DecodeValuesOptions, "heap" | "numbered"> | undefined;
}

/** Options of what gives values. */
export interface ValueOptions extends SignalOptions {
  /** How 64-bit integers come out; `"number"` throws where one is not exact. Default: as the file was opened. */
  readonly int64?: "bigint" | "number" | undefined;
}

/**
 * The values of stored elements (those of the base, flat, for an array datatype), with what they keep in global heaps fetched in a
 * few batches for all of them.
 */
export async function materialize(
  session: Session,
  items: readonly StoredElements[],
  options: ValueOptions = {},
): Promise<Values[]> {
  const stored = await withDecoding(session, items, options);
  const int64 = options.int64 ?? session.int64;
  return stored.map(({ datatype, bytes, count, decoding }, i) => {
    const { dims, base } = flattened(datatype);
    const copy = items[i]!.owned !== true;
    const { heap, numbered, offsetSize, foldAddress, from } = decoding;
    // Spelt out, for to spread it costs more than to decode a number.
    const how = { heap, numbered, offsetSize, foldAddress, from, int64, copy };
    return decodeValues(base, bytes, count * elementCount(dims), how);
  });
}

/** Stored elements with what they keep in global heaps, fetched in a few batches for all of them. */
export async function withDecoding(
  session: Session,
  items: readonly StoredElements[],
  options: SignalOptions = {},
): Promise<StoredValues[]> {
  options.signal?.throwIfAborted();
  const own = items.filter(({ datatype, relocated }) => relocated === undefined && hasHeapIds(datatype));
  const heap = own.length === 0 ? undefined : await runPlan(session, fetchPayloads(session, own), options);
  const { offsetSize, foldAddress, origin } = session;
  const decoding = { offsetSize, foldAddress, from: origin, heap };
  return items.map(({ datatype, bytes, count, relocated }) => {
    return { datatype, bytes, count, decoding: relocated === undefined ? decoding : { ...decoding, ...relocated } };
  });
}

type Collections = Map<number, Attempt<GlobalHeapSpans>>;

/** What the values of one read come to. */
export interface Spent {
  bytes: number;
  elements: number;
}

/**
 * Reads every global heap collection the elements point into; a round per level of nested variable-length data. Any
 * number of elements may have one object, so that what they come to is counted, in `spent`, `times` over.
 *
 * @throws LimitExceededError (`readBytes`, `vlenElements`)
 */
export function* fetchPayloads(
  session: Session,
  items: readonly StoredElements[],
  spent: Spent = { bytes: 0, elements: 0 },
  times: number = 1,
): Plan<(id: HeapId) => ByteSpan> {
  const collections: Collections = new Map();
  const lookup = lookupIn(collections);
  let round = items.filter(({ datatype }) => hasHeapIds(datatype));
  for (const { bytes } of round) spent.bytes += bytes.length;
  while (round.length > 0) {
    const wanted = new Set<number>();
    const nested: (HeapId & { readonly count: number; readonly base: Datatype })[] = [];
    // Neighbours are mostly in the same collection.
    let last: number | undefined;
    for (const { datatype, bytes, count } of round) {
      collectHeapIds(datatype, bytes, count, session, (use) => {
        if (use.address !== last && !collections.has(use.address)) wanted.add(use.address);
        last = use.address;
        if (use.base === undefined) return;
        spent.bytes += use.count * use.base.size * times;
        spent.elements += use.count * times;
        const place = { structure: "variable-length data", address: last };
        checkLimit(session.limits, "vlenElements", spent.elements, place);
        checkLimit(session.limits, "readBytes", spent.bytes, place);
        if (hasHeapIds(use.base)) nested.push({ ...use, base: use.base });
      });
    }
    yield* fetchCollections(session, [...wanted], collections);
    round = nested.map((use) => {
      const { bytes, start, end } = lookup(use);
      return { datatype: use.base, bytes: bytes.subarray(start, end), count: use.count };
    });
  }
  return lookup;
}

function* fetchCollections(session: Session, addresses: number[], into: Collections): Plan<void> {
  const missing: number[] = [];
  for (const address of addresses.sort((a, b) => a - b)) {
    const known = session.collections.get(address);
    if (known === undefined) missing.push(address);
    else into.set(address, { value: known });
  }
  const read = yield* all(missing.map((address) => attempt(readGlobalHeapSpans(session, address))));
  for (const [i, found] of read.entries()) {
    into.set(missing[i]!, found);
    if (found.error === undefined) session.collections.set(missing[i]!, found.value, found.value.bytes.length);
  }
}

function lookupIn(collections: Collections): (id: HeapId) => ByteSpan {
  let last: GlobalHeapSpans | undefined;
  return ({ address, index }) => {
    if (last?.address !== address) {
      const found = collections.get(address)!;
      if (found.error !== undefined) throw found.error;
      last = found.value;
    }
    return globalHeapSpan(last, index);
  };
}
