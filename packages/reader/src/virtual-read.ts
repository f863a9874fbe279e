import { converterOf, hasHeapIds } from "@h5/datatypes";
import { InvalidFieldError, inFlight, UnsupportedFeatureError } from "@h5/framing";
import {
  type Axis,
  type Box,
  fillChunk,
  forEachRunBetween,
  forEachSpanRun,
  type RunVisitor,
  regularAxes,
  type Selection,
  type SpanSelection,
  type Spans,
  selectionBounds,
  spansOf,
} from "@h5/selection";
import { storageOf } from "./dataset-storage.ts";
import { valueShape } from "./nd-array.ts";
import { type Part, projectedPart, runsPart } from "./part.ts";
import { isRelocated, RelocatedHeap } from "./relocated-heap.ts";
import { Runs, runsSelector } from "./runs-selector.ts";
import { axisSelector, type Selector } from "./selector.ts";
import type { Session } from "./session.ts";
import { allocate, readStoredElements, type Storage, type StoredLayout, type StoredReadOptions } from "./storage.ts";
import { type AlignedPart, alignAxes, meetAxes } from "./virtual-axes.ts";
import { settleExtent } from "./virtual-extent.ts";
import { type SettledMapping, withinMapping } from "./virtual-mapping.ts";
import { enterVirtual, type Nesting } from "./virtual-nesting.ts";
import { pairsOf, type RunsIn } from "./virtual-pairs.ts";
import { openVirtualSource } from "./virtual-source.ts";

/** Sources read at once, and bytes of the result that are read of one at a time. */
const FLIGHT = 8;
const PIECE_BYTES = 33554432;

/** What a read of elements goes by. */
interface ElementOptions extends StoredReadOptions {
  /** Takes over what means something in one file alone, as it must be where the elements come from several. */
  readonly heap?: RelocatedHeap | undefined;
  readonly nesting?: Nesting | undefined;
}

/**
 * Reads the selected elements of a virtual dataset into `target`. Gives what they have in their files' heaps and by the
 * addresses in these, where they have any.
 */
export async function readVirtualElements(
  session: Session,
  storage: Storage,
  selector: Selector,
  target: Uint8Array,
  options: StoredReadOptions,
): Promise<RelocatedHeap | undefined> {
  const heap = isRelocated(storage.datatype) ? new RelocatedHeap(session, storage) : undefined;
  await readVirtual(session, storage, selector, target, { ...options, heap });
  return heap;
}

/** Reads the selected elements, packed as stored, of a source, which may be virtual itself. */
async function readElements(
  session: Session,
  storage: Storage,
  selector: Selector,
  target: Uint8Array,
  options: ElementOptions,
): Promise<void> {
  if (target.length === 0) return;
  const { layout, datatype } = storage;
  if (layout.class === "virtual") return await readVirtual(session, storage, selector, target, options);
  await readStoredElements(session, storage as Storage<StoredLayout>, selector, target, options);
  await options.heap?.take(session, { datatype, bytes: target, count: selector.count }, options);
}

/** One read of a virtual dataset. */
interface VirtualRead {
  readonly session: Session;
  readonly storage: Storage;
  readonly selector: Selector;
  readonly target: Uint8Array;
  readonly options: ElementOptions;
  done(count: number): void;
}

/**
 * Fills the result with the fill value and has every mapping that the selection touches put its part in place; of two
 * that give one element the later wins, as libhdf5 reads them one after the other (H5Dvirtual.c, `H5D__virtual_read`).
 */
async function readVirtual(
  session: Session,
  storage: Storage,
  selector: Selector,
  target: Uint8Array,
  options: ElementOptions,
): Promise<void> {
  const { mappings, elementSize } = storage;
  const { oneByOne, lent, heap } = options;
  const nesting = enterVirtual(session, storage.address, mappings.length, options.nesting);
  await fillAll(session, storage, target, options);
  let loaded = 0;
  const total = target.length;
  const done = (count: number): void => {
    loaded = Math.min(total, loaded + count * elementSize);
    options.onProgress?.({ loaded, total });
  };
  const read = { session, storage, selector, target, done };
  const touched = mappings.flatMap((mapping) => partsOf(mapping, storage, selector));
  const readOne = (part: MappedPart, _: number, signal: AbortSignal): Promise<void> =>
    readMapped({ ...read, options: { signal, oneByOne, lent, heap, nesting } }, part);
  await inFlight(touched, oneByOne || mayOverlap(touched) ? 1 : FLIGHT, readOne, options.signal);
  if (loaded < total) options.onProgress?.({ loaded: total, total });
}

async function fillAll(
  session: Session,
  { fill, datatype, elementSize }: Storage,
  target: Uint8Array,
  options: ElementOptions,
): Promise<void> {
  if (fill === undefined) {
    if (options.usedTarget) target.fill(0);
    return;
  }
  const bytes = new Uint8Array(fill);
  const length = target.length / elementSize;
  await options.heap?.take(session, { datatype, bytes, count: 1 }, options, length);
  fillChunk({ length, sourceOffset: 0, targetOffset: 0, axes: [] }, bytes, target);
}

/** A mapping, and the box in which it may have some of what is wanted. */
interface MappedPart {
  readonly mapping: SettledMapping & { readonly virtual: SpanSelection };
  readonly box: Box;
  /** The mapping's elements by dimensions, where they are so. */
  readonly axes: readonly Axis[] | undefined;
}

/** None for a mapping that has nothing of what is wanted. */
function partsOf(mapping: SettledMapping, { dataspace }: Storage, selector: Selector): MappedPart[] {
  const { shape } = dataspace;
  const virtual = ordered(mapping.virtual);
  const wanted = selector.chunkBox(shape.map(() => 1));
  const own = withinMapping(mapping, () => selectionBounds(virtual, hullShape(virtual, shape)));
  if (own === undefined) return [];
  const start = wanted.start.map((first, axis) => Math.max(first, own.start[axis]!));
  const end = wanted.end.map((last, axis) => Math.min(last, own.end[axis]! + 1));
  if (start.some((first, axis) => first >= end[axis]!)) return [];
  const box = { start, shape: end.map((last, axis) => last - start[axis]!) };
  return [{ mapping: { ...mapping, virtual }, box, axes: regularAxes(virtual, shape) }];
}

/** libhdf5 makes no mapping by points. */
function ordered(selection: Selection): SpanSelection {
  if (selection.type !== "points") return selection;
  throw new UnsupportedFeatureError("virtual mapping by points", { structure: "virtual dataset" });
}

/** A shape that a selection is sure to fit: what it has beyond the dataset's own is never wanted. */
function hullShape(selection: Selection, shape: readonly number[]): readonly number[] {
  return selection.type === "all" ? shape : shape.map(() => Number.MAX_SAFE_INTEGER);
}

/** Pairs of mappings that are compared for each there is, to read them together. */
const COMPARISONS = 256;

/** Whether two mappings may give one element; true too where telling would take long, as many side by side have it. */
function mayOverlap(parts: readonly MappedPart[]): boolean {
  let left = COMPARISONS * parts.length;
  const ordered = parts.slice().sort((a, b) => (a.box.start[0] ?? 0) - (b.box.start[0] ?? 0));
  return ordered.some((part, i) => {
    for (let k = i + 1; k < ordered.length; k++) {
      const other = ordered[k]!;
      // Those after it begin no earlier.
      if (part.box.start.length > 0 && !meetAlong(part.box, other.box, 0)) return false;
      if (left-- === 0 || mayMeet(part, other)) return true;
    }
    return false;
  });
}

function mayMeet(a: MappedPart, b: MappedPart): boolean {
  if (!a.box.start.every((_, axis) => meetAlong(a.box, b.box, axis))) return false;
  return a.axes === undefined || b.axes === undefined || meetAxes(a.axes, b.axes) !== undefined;
}

function meetAlong(a: Box, b: Box, axis: number): boolean {
  const [start, other] = [a.start[axis]!, b.start[axis]!];
  return start < other + b.shape[axis]! && other < start + a.shape[axis]!;
}

/** A source that is open, and where its selected elements are. */
interface OpenSource {
  readonly session: Session;
  readonly storage: Storage;
  readonly shape: readonly number[];
  readonly spans: Spans;
}

/** Reads what a mapping gives: by dimensions where all selections are so, else by runs. Opens its source only if it must. */
async function readMapped(read: VirtualRead, { mapping, box, axes: mapped }: MappedPart): Promise<void> {
  const { selector, storage } = read;
  const { shape } = storage.dataspace;
  const requested = selector.axes;
  let source: OpenSource | undefined;
  if (requested !== undefined && mapped !== undefined) {
    const meetings = meetAxes(requested, mapped);
    if (meetings === undefined) return;
    source = await openSource(read, mapping);
    if (source === undefined) return;
    const own = regularAxes(mapping.source, source.shape);
    const most = Math.min(mostAtOnce(storage), mostAtOnce(source.storage));
    const parts = own && alignAxes(meetings, { mapped, requested, source: own }, most);
    if (parts !== undefined) return await readAligned(read, source, parts);
  }
  const hull = hullShape(mapping.virtual, shape);
  const spans = withinMapping(mapping, () => spansOf(mapping.virtual, hull, read.session));
  const runsOf: RunsIn = (within) => (visit) => forEachSpanRun(spans, within, visit);
  for (const pairs of pairsOf(selector.runsIn, runsOf, box, mostAtOnce(storage))) {
    source ??= await openSource(read, mapping);
    if (source === undefined) return;
    await readPairs(read, source, pairs);
  }
}

function mostAtOnce({ elementSize }: Storage): number {
  return Math.max(1, Math.floor(PIECE_BYTES / elementSize));
}

async function readAligned(read: VirtualRead, source: OpenSource, parts: Iterable<AlignedPart>): Promise<void> {
  const { shape } = source;
  for (const { axes, projection } of parts) {
    const selection = { axes, shape: axes.map(({ count }) => count) };
    await readPart(read, source, axisSelector(selection, shape), projectedPart(projection));
  }
}

async function readPairs(read: VirtualRead, source: OpenSource, pairs: Runs): Promise<void> {
  const { shape } = source;
  const selector = runsSelector(sourceRuns(source.spans, shape, pairs), shape);
  const place = pairs.length === 1 ? runPart(pairs) : runsPart(inOrder(pairs));
  await readPart(read, source, selector, place);
}

/** The part that a single run is. */
function runPart(run: Runs): Part {
  return projectedPart({ length: run.count, sourceOffset: 0, targetOffset: run.to(0), axes: [] });
}

/** Runs whose elements are packed, one after the other. */
function inOrder(runs: Runs): (visit: RunVisitor) => void {
  return (visit) => {
    let at = 0;
    runs.forEach((_, to, length) => {
      visit(at, to, length);
      at += length;
    });
  };
}

/** Reads elements of the source, and puts them in their place. */
async function readPart(read: VirtualRead, source: OpenSource, selector: Selector, place: Part): Promise<void> {
  const { storage, target, options } = read;
  const { elementSize } = storage;
  const { count } = selector;
  const convert = converterOf(source.storage.datatype, storage.datatype, options.heap);
  // What goes to one place as it is needs no copy.
  const direct = place.runAt !== undefined && convert === undefined;
  const start = (place.runAt ?? 0) * elementSize;
  const bytes = direct
    ? target.subarray(start, start + count * elementSize)
    : allocate(source.session, source.storage, count * source.storage.elementSize);
  await readElements(source.session, source.storage, selector, bytes, {
    ...options,
    usedTarget: direct,
    lent: direct && options.lent,
  });
  if (!direct) place.copy(convert === undefined ? bytes : convert(bytes, count), target, elementSize);
  read.done(count);
}

async function openSource(read: VirtualRead, mapping: SettledMapping): Promise<OpenSource | undefined> {
  const { session, options } = read;
  const found = await openVirtualSource(session, mapping, options);
  if (found === undefined) return undefined;
  await settleExtent(found.session, found.object, options, options.nesting);
  const storage = seenThrough(storageOf(found.session, found.object), read.storage);
  const selection = ordered(mapping.source);
  const shape = readableShape(storage, selection);
  const spans = withinMapping(mapping, () => spansOf(selection, shape, session));
  return { session: found.session, storage, shape, spans };
}

/**
 * The shape within which a source can be read. Chunks that are found by their coordinates, and not by a count of those
 * in the source's own shape, can be asked for beyond it too: libhdf5 does, and finds fill values there (H5Dvirtual.c,
 * `H5D__virtual_read_one`, does not compare the selection with the source). Of other storage it reads what lies behind.
 */
function readableShape({ dataspace, layout }: Storage, selection: SpanSelection): readonly number[] {
  const shape = valueShape(dataspace);
  if (layout.class !== "chunked" || !["btree1", "btree2", "earray"].includes(layout.index.kind)) return shape;
  const bounds = selection.type === "hyperslab" ? selectionBounds(selection, hullShape(selection, shape)) : undefined;
  return bounds?.end.length === shape.length ? shape.map((length, i) => Math.max(length, bounds.end[i]! + 1)) : shape;
}

/**
 * A source as what it is a source of reads it: one that is virtual itself hands the type that is asked for on to its own
 * sources, so that nothing is squeezed through its own type on the way (H5Dvirtual.c passes the memory type down).
 */
function seenThrough(source: Storage, { datatype, elementSize }: Storage): Storage {
  if (source.layout.class !== "virtual") return source;
  // A fill value is in its file's own heap, where nothing can be put.
  if (source.fill !== undefined && hasHeapIds(source.datatype)) return source;
  const convert = converterOf(source.datatype, datatype);
  if (convert === undefined) return source;
  return { ...source, datatype, elementSize, fill: source.fill && convert(source.fill, 1) };
}

/** The mapping's elements as runs of the source, one after the other. */
function sourceRuns(spans: Spans, shape: readonly number[], pairs: Runs): Runs {
  const runs = new Runs();
  let at = 0;
  pairs.forEach((position, _, length) => {
    const origin = at - position;
    forEachRunBetween(spans, shape, position, length, (from, to, own) => runs.push(from, to + origin, own));
    at += length;
  });
  if (runs.count === pairs.count) return runs;
  throw new InvalidFieldError("a mapping has more elements than its source", { structure: "virtual dataset" });
}
