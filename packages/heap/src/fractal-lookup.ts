import { hugeIndirectRecords, readV2Records } from "@h5/btree";
import {
  checkLimit,
  type FileContext,
  InvalidFieldError,
  inAddressOrder,
  need,
  type Plan,
  UnsupportedFeatureError,
} from "@h5/framing";
import { blockAt, blockOffset, indirectRows, rowBlockSize } from "./doubling-table.ts";
import {
  decodeFractalDirectBlock,
  decodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalHeapOwner,
  objectInBlock,
  sizeOfDirectPrefix,
  sizeOfFractalIndirectBlock,
} from "./fractal-blocks.ts";
import { readFractalHeapHeader } from "./fractal-header.ts";
import { decodeFractalHeapId, type FractalHeapId } from "./fractal-heap-id.ts";

/**
 * Undoes a heap's filters, which lie in a layer above this one.
 *
 * @param bytes - as stored
 * @param filterMask - bit i set: filter i was left out
 * @param heap - the heap's filter pipeline message, and the bytes that must come out
 */
export type Unfilter = (
  bytes: Uint8Array,
  filterMask: number,
  heap: { readonly pipeline: Uint8Array; readonly expectedBytes: number },
) => Uint8Array;

/** A heap whose objects can be read. */
export interface FractalHeap extends FractalHeapOwner {
  readonly context: FileContext;
  readonly unfilter: Unfilter | undefined;
}

/**
 * Reads a heap's header; its blocks are read with the objects.
 *
 * @param unfilter - needed where the heap is filtered
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function* readFractalHeap(context: FileContext, address: number, unfilter?: Unfilter): Plan<FractalHeap> {
  return { context, address, header: yield* readFractalHeapHeader(context, address), unfilter };
}

/**
 * The bytes of one object: a view of its block, of the file, or of a copy of the id.
 *
 * @throws InvalidFieldError, UnexpectedEofError, UnsupportedFeatureError (filtered, without `unfilter`),
 *   LimitExceededError (`metadataBytes`), and what `unfilter` throws
 */
export function* fractalHeapObject(heap: FractalHeap, id: Uint8Array): Plan<Uint8Array> {
  const [object] = yield* fractalHeapObjects(heap, [id]);
  return object!;
}

/** The bytes of many objects, in the order of their ids; each block they are in is read once. */
export function* fractalHeapObjects(heap: FractalHeap, ids: readonly Uint8Array[]): Plan<Uint8Array[]> {
  const objects = new Array<Uint8Array>(ids.length);
  const managed: Managed[] = [];
  const huge: Huge[] = [];
  const indirect: { readonly slot: number; readonly id: number }[] = [];
  ids.forEach((bytes, slot) => {
    const id = decodeFractalHeapId(bytes, heap.header, heap.context);
    if (id.kind === "tiny") objects[slot] = id.data;
    else if (id.kind === "managed") managed.push({ slot, offset: id.offset, length: id.length });
    else if (id.kind === "huge") huge.push({ ...id, slot });
    else indirect.push({ id: id.id, slot });
  });
  huge.push(...(yield* findHuge(heap, indirect)));
  yield* readHugeObjects(heap, huge, objects);
  yield* readManagedObjects(heap, managed, objects);
  return objects;
}

/** A managed object that is asked for. */
interface Managed {
  readonly slot: number;
  readonly offset: number;
  readonly length: number;
}

/** A huge object that is asked for. */
type Huge = Pick<Extract<FractalHeapId, { kind: "huge" }>, "address" | "length" | "filterMask" | "size"> & {
  readonly slot: number;
};

function* findHuge(
  { context, address, header }: FractalHeap,
  wanted: readonly { readonly slot: number; readonly id: number }[],
): Plan<Huge[]> {
  if (wanted.length === 0) return [];
  const fail = (message: string): never => {
    throw new InvalidFieldError(message, { structure: "fractal heap header", address });
  };
  if (header.hugeTreeAddress === undefined) return fail("ids of huge objects in a heap that has none");
  const ids = wanted.map(({ id }) => id).sort((a, b) => a - b);
  const known = new Set(ids);
  const records = yield* readV2Records(
    context,
    header.hugeTreeAddress,
    hugeIndirectRecords(header.filter !== undefined, context),
    {
      keep: ({ id }) => known.has(id),
      between: (left, right) =>
        ids.some((id) => (left === undefined || id > left.id) && (right === undefined || id < right.id)),
    },
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  return wanted.map(({ slot, id }) => ({ ...(byId.get(id) ?? fail(`no huge object ${id}`)), slot }));
}

/** Puts the huge objects at their slots in `into`. */
function* readHugeObjects(heap: FractalHeap, wanted: readonly Huge[], into: Uint8Array[]): Plan<void> {
  yield* inAddressOrder(
    wanted,
    ({ address }) => address,
    function* (huge) {
      into[huge.slot] = yield* readHugeObject(heap, huge);
    },
  );
}

function* readHugeObject(heap: FractalHeap, { address, length, filterMask, size }: Huge): Plan<Uint8Array> {
  const structure = "fractal heap huge object";
  checkLimit(heap.context.limits, "metadataBytes", Math.max(length, size ?? 0), { structure, address });
  const bytes = yield* need(structure, address, length);
  return unfiltered(heap, bytes, filterMask ?? 0, size ?? length, structure, address);
}

function unfiltered(
  { header, unfilter }: FractalHeap,
  bytes: Uint8Array,
  filterMask: number,
  expectedBytes: number,
  structure: string,
  address: number,
): Uint8Array {
  if (header.filter === undefined) return bytes;
  if (unfilter === undefined) throw new UnsupportedFeatureError("a filtered fractal heap", { structure, address });
  const plain = unfilter(bytes, filterMask, { pipeline: header.filter.pipeline, expectedBytes });
  if (plain.length === expectedBytes) return plain;
  throw new InvalidFieldError(`expected ${expectedBytes} bytes from its filters, got ${plain.length}`, {
    structure,
    address,
  });
}

/** Puts the managed objects at their slots in `into`. */
function* readManagedObjects(heap: FractalHeap, wanted: readonly Managed[], into: Uint8Array[]): Plan<void> {
  if (wanted.length === 0) return;
  const { table, rootAddress, rootRows, filter } = heap.header;
  if (rootAddress === undefined) {
    throw new InvalidFieldError("ids of objects in a heap without blocks", {
      structure: "fractal heap header",
      address: heap.address,
    });
  }
  if (rootRows > 0) return yield* readIndirect(heap, { address: rootAddress, rows: rootRows, offset: 0, wanted }, into);
  const entry = { address: rootAddress, size: filter?.rootSize, filterMask: filter?.rootFilterMask };
  yield* readDirect(heap, { entry, size: table.startBlockSize, offset: 0, wanted }, into);
}

/** An indirect block and the objects wanted of what is below it. */
interface IndirectPlace {
  readonly address: number;
  readonly rows: number;
  readonly offset: number;
  readonly wanted: readonly Managed[];
}

/** Rows shrink from parent to child, so that no chain of blocks goes on for ever. */
function* readIndirect(
  heap: FractalHeap,
  { address, rows, offset, wanted }: IndirectPlace,
  into: Uint8Array[],
): Plan<void> {
  const { context } = heap;
  const { table } = heap.header;
  const structure = "fractal heap indirect block";
  const size = sizeOfFractalIndirectBlock(heap, rows, context);
  checkLimit(context.limits, "metadataBytes", size, { structure, address });
  const bytes = yield* need(structure, address, size);
  const { entries } = decodeFractalIndirectBlock(bytes, heap, rows, offset, context, address);
  const children = [...groupByEntry(heap, offset, wanted)].map(([index, of]) => {
    const entry = entries[index];
    if (entry?.address === undefined) {
      throw new InvalidFieldError(`no block ${index}, where an object should be`, { structure, address });
    }
    return { entry, address: entry.address, row: Math.floor(index / table.width), column: index % table.width, of };
  });
  yield* inAddressOrder(
    children,
    (child) => child.address,
    ({ entry, address: at, row, column, of }) => {
      const childOffset = offset + blockOffset(table, row, column);
      return row < table.directRows
        ? readDirect(heap, { entry, size: rowBlockSize(table, row), offset: childOffset, wanted: of }, into)
        : readIndirect(heap, { address: at, rows: indirectRows(table, row), offset: childOffset, wanted: of }, into);
    },
  );
}

/** The objects wanted, by the number of the entry that leads to them. */
function groupByEntry(
  { header: { table } }: FractalHeap,
  offset: number,
  wanted: readonly Managed[],
): Map<number, Managed[]> {
  const groups = new Map<number, Managed[]>();
  for (const object of wanted) {
    const { row, column } = blockAt(table, object.offset - offset);
    const index = row * table.width + column;
    const group = groups.get(index);
    if (group === undefined) groups.set(index, [object]);
    else group.push(object);
  }
  return groups;
}

/** A direct block and the objects wanted of it. */
interface DirectPlace {
  readonly entry: FractalBlockEntry;
  /** Bytes of the block, unfiltered. */
  readonly size: number;
  readonly offset: number;
  readonly wanted: readonly Managed[];
}

function* readDirect(heap: FractalHeap, { entry, size, offset, wanted }: DirectPlace, into: Uint8Array[]): Plan<void> {
  const { context } = heap;
  const structure = "fractal heap direct block";
  const address = entry.address!;
  const stored = entry.size ?? size;
  checkLimit(context.limits, "metadataBytes", Math.max(size, stored), { structure, address });
  const bytes = yield* need(structure, address, stored);
  const plain = unfiltered(heap, bytes, entry.filterMask ?? 0, size, structure, address);
  const block = decodeFractalDirectBlock(plain, heap, offset, context, address);
  const prefix = sizeOfDirectPrefix(heap, context);
  for (const { slot, offset: at, length } of wanted) into[slot] = objectInBlock(block, prefix, at, length, address);
}
