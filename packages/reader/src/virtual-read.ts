import { converterOf } from "@h5/datatypes";
import { InvalidFieldError, inFlight } from "@h5/framing";
import {
  fillChunk,
  forEachRunBetween,
  forEachSpanRun,
  type RunVisitor,
  regularAxes,
  type Spans,
  spansOf,
} from "@h5/selection";
import { type Part, projectedPart, runsPart } from "./part.ts";
import { isRelocated, RelocatedHeap } from "./relocated-heap.ts";
import { Runs, runsSelector } from "./runs-selector.ts";
import { axisSelector, type Selector } from "./selector.ts";
import type { Session } from "./session.ts";
import { allocate, readStoredElements, type Storage, type StoredLayout, type StoredReadOptions } from "./storage.ts";
import { type AlignedPart, alignAxes, meetAxes } from "./virtual-axes.ts";
import { withinMapping } from "./virtual-mapping.ts";
import { enterVirtual, type Nesting } from "./virtual-nesting.ts";
import { type OpenSource, openSource } from "./virtual-open.ts";
import { pairsOf, type RunsIn } from "./virtual-pairs.ts";
import { hullShape, type MappedPart, mayOverlap, partsOf } from "./virtual-parts.ts";

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

/** Reads what a mapping gives: by dimensions where all selections are so, else by runs. Opens its source only if it must. */
async function readMapped(read: VirtualRead, { mapping, box, axes: mapped }: MappedPart): Promise<void> {
  const { selector, storage } = read;
  const { shape } = storage.dataspace;
  const requested = selector.axes;
  let source: OpenSource | undefined;
  if (requested !== undefined && mapped !== undefined) {
    const meetings = meetAxes(requested, mapped);
    if (meetings === undefined) return;
    source = await openSource(read.session, storage, mapping, read.options);
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
    source ??= await openSource(read.session, storage, mapping, read.options);
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
