import { hugeIndirectRecords, readV2Records } from "@h5/btree";
import {
  attempt,
  attemptNow,
  checkLimit,
  type FileContext,
  type H5Error,
  InvalidFieldError,
  inAddressOrder,
  isH5Error,
  need,
  type Plan,
  UnsupportedFeatureError,
} from "@h5/framing";
import { blockAt, blockOffset, indirectRows, rowBlockSize } from "./doubling-table.ts";
import {
  decodeFractalDirectBlock,
  decodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalDirectBlock,
  type FractalHeapOwner,
  type FractalIndirectBlock,
  objectInBlock,
  sizeOfDirectPrefix,
  sizeOfFractalIndirectBlock,
} from "./fractal-blocks.ts";
import { type FractalHeapHeader, readFractalHeapHeader } from "./fractal-header.ts";
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
  const key = `FRHP ${address}`;
  const known = context.kept?.get(key) as FractalHeapHeader | undefined;
  const header = known ?? (yield* readFractalHeapHeader(context, address));
  if (known === undefined) context.kept?.set(key, header, 1024);
  return { context, address, header, unfilter };
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
  const objects = yield* attemptFractalHeapObjects(heap, ids);
  return objects.map((object) => {
    if (isH5Error(object)) throw object;
    return object;
  });
}

/** As {@link fractalHeapObjects}, with the error in place of an object that cannot be read. */
export function* attemptFractalHeapObjects(
  heap: FractalHeap,
  ids: readonly Uint8Array[],
): Plan<(Uint8Array | H5Error)[]> {
  const objects = new Array<Uint8Array | H5Error>(ids.length);
  const decoded = ids.map((id) => attemptNow(() => decodeFractalHeapId(id, heap.header, heap.context)));
  const good = decoded.flatMap(({ value, error }, slot) => {
    if (error !== undefined) objects[slot] = error;
    return value === undefined ? [] : [{ id: value, slot }];
  });
  const found = good.map(({ id }) => id);
  yield* visitFractalHeapObjects(heap, found, (object, i) => {
    objects[good[i]!.slot] = object;
  });
  return objects;
}

/** What is done with an object: with its bytes or what keeps them from being read, and its place among the ids. */
export type VisitObject = (object: Uint8Array | H5Error, slot: number) => void;

/** As {@link fractalHeapObjects}, with the objects as their blocks are read; one that is broken does not hide the others. */
export function* visitFractalHeapObjects(
  heap: FractalHeap,
  ids: readonly FractalHeapId[],
  visit: VisitObject,
): Plan<void> {
  const managed: number[] = [];
  const huge: Huge[] = [];
  const indirect: { readonly slot: number; readonly id: number }[] = [];
  ids.forEach((id, slot) => {
    if (id.kind === "managed") managed.push(slot);
    else if (id.kind === "tiny") visit(id.data, slot);
    else if (id.kind === "huge") huge.push({ ...id, slot });
    else indirect.push({ id: id.id, slot });
  });
  const found = yield* attempt(findHuge(heap, indirect));
  for (const { slot, id } of indirect) {
    const place = found.value?.get(id);
    if (place !== undefined) huge.push({ ...place, slot });
    else visit(found.error ?? noHuge(heap, `no huge object ${id}`), slot);
  }
  yield* readHugeObjects(heap, huge, visit);
  yield* readManagedObjects({ heap, ids: ids as readonly ManagedId[], visit }, managed);
}

type ManagedId = Extract<FractalHeapId, { kind: "managed" }>;

/** What a walk over the blocks of a heap is for; the ids at the slots it is asked for are managed ones. */
interface BlockWalk {
  readonly heap: FractalHeap;
  readonly ids: readonly ManagedId[];
  readonly visit: VisitObject;
}

/** Where a huge object is. */
type HugePlace = Pick<Extract<FractalHeapId, { kind: "huge" }>, "address" | "length" | "filterMask" | "size">;

/** A huge object that is asked for. */
type Huge = HugePlace & { readonly slot: number };

/** Huge objects by their numbers, those that there are. */
function* findHuge(heap: FractalHeap, wanted: readonly { readonly id: number }[]): Plan<Map<number, HugePlace>> {
  const { context, header } = heap;
  if (wanted.length === 0) return new Map();
  if (header.hugeTreeAddress === undefined) throw noHuge(heap, "ids of huge objects in a heap that has none");
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
  return new Map(records.map((record) => [record.id, record]));
}

function noHuge({ address }: FractalHeap, message: string): InvalidFieldError {
  return new InvalidFieldError(message, { structure: "fractal heap header", address });
}

function* readHugeObjects(heap: FractalHeap, wanted: readonly Huge[], visit: VisitObject): Plan<void> {
  yield* inAddressOrder(
    wanted,
    ({ address }) => address,
    function* (huge) {
      const { value, error } = yield* attempt(readHugeObject(heap, huge));
      visit(value ?? error!, huge.slot);
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

function* readManagedObjects(walk: BlockWalk, wanted: readonly number[]): Plan<void> {
  if (wanted.length === 0) return;
  const { header } = walk.heap;
  const { table, rootAddress, rootRows, filter } = header;
  if (rootAddress === undefined) {
    const place = { structure: "fractal heap header", address: walk.heap.address };
    return miss(walk, wanted, new InvalidFieldError("ids of objects in a heap without blocks", place));
  }
  if (rootRows > 0) {
    return yield* readIndirect(walk, { from: header, address: rootAddress, rows: rootRows, offset: 0, wanted });
  }
  const entry = { address: rootAddress, size: filter?.rootSize, filterMask: filter?.rootFilterMask };
  yield* readDirect(walk, { from: header, entry, size: table.startBlockSize, offset: 0, wanted });
}

/** Tells of objects that what should lead to them is broken. */
function miss({ visit }: BlockWalk, wanted: readonly number[], error: H5Error): void {
  for (const slot of wanted) visit(error, slot);
}

/** An indirect block and the slots wanted of what is below it. */
interface IndirectPlace {
  /** What points at the block, by which it may be kept. */
  readonly from: object;
  readonly address: number;
  readonly rows: number;
  readonly offset: number;
  readonly wanted: readonly number[];
}

const INDIRECT = "fractal heap indirect block";

/** Rows shrink from parent to child, so that no chain of blocks goes on for ever. */
function* readIndirect(walk: BlockWalk, place: IndirectPlace): Plan<void> {
  const { heap } = walk;
  const { from, address, offset, wanted } = place;
  const { table } = heap.header;
  const known = heap.context.kept?.get(from) as FractalIndirectBlock | undefined;
  const read = known ? { value: known } : yield* attempt(readIndirectBlock(heap, place));
  if (read.error !== undefined) return miss(walk, wanted, read.error);
  const children = [...groupByEntry(walk, offset, wanted)].flatMap(([index, of]) => {
    const entry = read.value.entries[index];
    if (entry?.address !== undefined) {
      return { entry, address: entry.address, row: Math.floor(index / table.width), column: index % table.width, of };
    }
    const message = `no block ${index}, where an object should be`;
    miss(walk, of, new InvalidFieldError(message, { structure: INDIRECT, address }));
    return [];
  });
  yield* inAddressOrder(
    children,
    (child) => child.address,
    ({ entry, address: at, row, column, of }) => {
      const place = { from: entry, offset: offset + blockOffset(table, row, column), wanted: of };
      return row < table.directRows
        ? readDirect(walk, { entry, size: rowBlockSize(table, row), ...place })
        : readIndirect(walk, { address: at, rows: indirectRows(table, row), ...place });
    },
  );
}

function* readIndirectBlock(
  heap: FractalHeap,
  { from, address, rows, offset }: IndirectPlace,
): Plan<FractalIndirectBlock> {
  const { context } = heap;
  const size = sizeOfFractalIndirectBlock(heap, rows, context);
  checkLimit(context.limits, "metadataBytes", size, { structure: INDIRECT, address });
  const block = decodeFractalIndirectBlock(yield* need(INDIRECT, address, size), heap, rows, offset, context, address);
  context.kept?.set(from, block, 8 * size);
  return block;
}

/** The slots wanted, by the number of the entry that leads to their objects. */
function groupByEntry({ heap, ids }: BlockWalk, offset: number, wanted: readonly number[]): Map<number, number[]> {
  const { table } = heap.header;
  const groups = new Map<number, number[]>();
  for (const slot of wanted) {
    const { row, column } = blockAt(table, ids[slot]!.offset - offset);
    const index = row * table.width + column;
    const group = groups.get(index);
    if (group === undefined) groups.set(index, [slot]);
    else group.push(slot);
  }
  return groups;
}

/** A direct block and the slots wanted of it. */
interface DirectPlace {
  /** What points at the block, by which it may be kept. */
  readonly from: object;
  readonly entry: FractalBlockEntry;
  /** Bytes of the block, unfiltered. */
  readonly size: number;
  readonly offset: number;
  readonly wanted: readonly number[];
}

function* readDirect(walk: BlockWalk, place: DirectPlace): Plan<void> {
  const { heap } = walk;
  const known = heap.context.kept?.get(place.from) as FractalDirectBlock | undefined;
  const read = known ? { value: known } : yield* attempt(readDirectBlock(heap, place));
  if (read.error === undefined) visitBlock(walk, place, read.value);
  else miss(walk, place.wanted, read.error);
}

function* readDirectBlock(heap: FractalHeap, { from, entry, size, offset }: DirectPlace): Plan<FractalDirectBlock> {
  const { context } = heap;
  const structure = "fractal heap direct block";
  const address = entry.address!;
  const stored = entry.size ?? size;
  checkLimit(context.limits, "metadataBytes", Math.max(size, stored), { structure, address });
  const bytes = yield* need(structure, address, stored);
  // A copy, for a view that is kept would keep all that was read with it.
  const own = context.kept === undefined ? bytes : bytes.slice();
  const plain = unfiltered(heap, own, entry.filterMask ?? 0, size, structure, address);
  const block = decodeFractalDirectBlock(plain, heap, offset, context, address);
  context.kept?.set(from, block, size);
  return block;
}

function visitBlock({ heap, ids, visit }: BlockWalk, { entry, wanted }: DirectPlace, block: FractalDirectBlock): void {
  const { address } = entry;
  const prefix = sizeOfDirectPrefix(heap, heap.context);
  for (const slot of wanted) {
    const { offset, length } = ids[slot]!;
    const { value, error } = attemptNow(() => objectInBlock(block, prefix, offset, length, address));
    visit(value ?? error!, slot);
  }
}
