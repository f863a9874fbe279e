import { type Attempt, checkLimit, inFlight, isH5Error } from "@h5/framing";
import {
  clipUnlimited,
  type Dataspace,
  elementCount,
  isUnlimited,
  rankOf,
  type Selection,
  selectionBounds,
  sizeOfSlices,
  slicesWithin,
  type UnlimitedHyperslab,
  unlimitedBlock,
  unlimitedOf,
  type VirtualMapping,
} from "@h5/selection";
import { dataspaceOf, settledDataspaceOf } from "./dataset-metadata.ts";
import type { LoadedObject } from "./object.ts";
import type { Session, SignalOptions } from "./session.ts";
import { brokenMapping, fixedMapping, type SettledMapping, type SourcePlace } from "./virtual-mapping.ts";
import { parseSourceName, sourceName } from "./virtual-names.ts";
import { enterVirtual, type Nesting } from "./virtual-nesting.ts";
import { openVirtualSource, type VirtualSource } from "./virtual-source.ts";

/** What a virtual dataset comes to with its sources as they are: its shape, and its mappings without unlimited ones. */
export interface VirtualExtent {
  readonly shape: readonly number[];
  readonly mappings: readonly SettledMapping[];
}

/** Sources looked for at once. */
const FLIGHT = 16;

/**
 * Measures a virtual dataset with unlimited mappings by its sources, which only they tell (H5Dvirtual.c,
 * `H5D__virtual_set_extent_unlim`), and keeps what it comes to, or the error, with the object. Does nothing for any other.
 *
 * @throws what sources fail with, the signal's reason; inside others (`nesting`), any error
 */
export async function settleExtent(
  session: Session,
  object: LoadedObject,
  options: SignalOptions,
  nesting?: Nesting,
): Promise<void> {
  const mappings = object.mappings?.value?.mappings;
  if (object.kind !== "dataset" || object.settled !== undefined) return;
  if (!mappings?.some(({ virtual }) => isUnlimited(virtual))) return;
  const measureIt = async (): Promise<VirtualExtent> => {
    const inside = enterVirtual(session, object.address, mappings.length, nesting);
    return await measure(session, dataspaceOf(session, object), mappings, { options, nesting: inside });
  };
  // An error may be due to those above, so that it is not this object's own.
  object.settled = nesting === undefined ? await attemptAsync(measureIt) : { value: await measureIt() };
}

async function attemptAsync<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isH5Error(error) || isH5Error(error, "SOURCE")) throw error;
    return { error };
  }
}

interface Measuring {
  readonly options: SignalOptions;
  readonly nesting: Nesting;
}

/** What an unlimited mapping gives to the shape, and what it becomes in the shape that all together make. */
interface Measured {
  readonly axis: number;
  readonly size: number;
  settle(shape: readonly number[]): readonly SettledMapping[];
}

async function measure(
  session: Session,
  space: Dataspace,
  mappings: readonly VirtualMapping[],
  measuring: Measuring,
): Promise<VirtualExtent> {
  checkRanks(space, mappings);
  await openTogether(session, mappings, measuring.options);
  const measured: (Measured | SettledMapping)[] = [];
  for (const mapping of mappings) {
    const virtual = unlimitedOf(mapping.virtual);
    measured.push(virtual ? await measureMapping(session, mapping, virtual, measuring) : fixedMapping(mapping));
  }
  const shape = shapeOf(session, space, mappings, measured.filter(isMeasured));
  return { shape, mappings: measured.flatMap((each) => (isMeasured(each) ? each.settle(shape) : [each])) };
}

function checkRanks({ shape }: Dataspace, mappings: readonly VirtualMapping[]): void {
  for (const { virtual } of mappings) {
    const rank = rankOf(virtual) ?? shape.length;
    if (rank !== shape.length) throw brokenMapping(`a selection of rank ${rank}, expected ${shape.length}`);
  }
}

function isMeasured(mapping: Measured | SettledMapping): mapping is Measured {
  return "settle" in mapping;
}

/** Has the headers of all sources that are sure to be needed fetched in parallel; they are taken one by one later. */
async function openTogether(
  session: Session,
  mappings: readonly VirtualMapping[],
  options: SignalOptions,
): Promise<void> {
  const needed = mappings.filter(({ source, virtual }) => isUnlimited(virtual) && isUnlimited(source));
  const open = async (mapping: VirtualMapping, _: number, signal: AbortSignal): Promise<void> => {
    await openVirtualSource(session, fixedMapping(mapping), { signal });
  };
  await inFlight(needed, FLIGHT, open, options.signal);
}

async function measureMapping(
  session: Session,
  mapping: VirtualMapping,
  virtual: UnlimitedHyperslab,
  measuring: Measuring,
): Promise<Measured> {
  const source = unlimitedOf(mapping.source);
  return source === undefined
    ? await measureBlocks(session, mapping, virtual, measuring)
    : await measureSource(session, fixedMapping(mapping), { virtual, source }, measuring);
}

/** A mapping of one source that may grow. */
async function measureSource(
  session: Session,
  place: SourcePlace,
  { virtual, source }: { readonly virtual: UnlimitedHyperslab; readonly source: UnlimitedHyperslab },
  { options, nesting }: Measuring,
): Promise<Measured> {
  const { axis } = virtual;
  const found = await openVirtualSource(session, place, options);
  if (found === undefined) return { axis, size: 0, settle: () => [] };
  await settleExtent(found.session, found.object, options, nesting);
  const { shape } = settledDataspaceOf(found.session, found.object);
  if (shape.length !== source.slab.start.length) {
    throw brokenMapping(`source ${place.dataset} has rank ${shape.length}, its selection ${source.slab.start.length}`);
  }
  const first = session.virtualView === "first-missing";
  const slices = slicesWithin(source, shape[source.axis]!);
  const settled = (count: number): SettledMapping[] => [
    {
      file: place.file,
      dataset: place.dataset,
      virtual: clipUnlimited(virtual, sizeOfSlices(virtual, count, false), session),
      source: clipUnlimited(source, sizeOfSlices(source, count, false), session),
    },
  ];
  return {
    axis,
    size: sizeOfSlices(virtual, slices, first),
    settle: (whole) => settled(Math.min(slices, slicesWithin(virtual, whole[axis]!))),
  };
}

/** A mapping of a source for each block, as long as there are more. */
async function measureBlocks(
  session: Session,
  mapping: VirtualMapping,
  virtual: UnlimitedHyperslab,
  measuring: Measuring,
): Promise<Measured> {
  const { axis, slab } = virtual;
  const [file, dataset] = [parseSourceName(mapping.file), parseSourceName(mapping.dataset)];
  if (slab.count[axis] !== Infinity) throw brokenMapping("a block without end has no numbered sources");
  if (file.length === 1 && dataset.length === 1)
    throw brokenMapping("an unlimited mapping of a limited source has no %b");
  let { source } = mapping;
  const blocks: SettledMapping[] = [];
  const gap = session.virtualView === "first-missing" ? 0 : session.printfGap;
  let end = 0;
  for (let block = 0; block <= end + gap; block++) {
    checkLimit(session.limits, "files", block, { structure: "virtual dataset" });
    const place = { file: sourceName(file, block), dataset: sourceName(dataset, block) };
    const found = await openVirtualSource(session, place, measuring.options);
    if (found === undefined) continue;
    if (source.type === "all") source = await wholeOf(found, measuring);
    blocks.push({ ...place, source, virtual: unlimitedBlock(virtual, block) });
    end = block + 1;
  }
  const startOf = (block: number): number => slab.start[axis]! + block * slab.stride[axis]!;
  const last = session.virtualView === "last-available" ? startOf(end - 1) + slab.block[axis]! : startOf(end);
  return { axis, size: end === 0 ? 0 : last, settle: () => blocks };
}

/** All of a source: where sources are numbered, the first there is says how much that is of each (H5Dvirtual.c, `H5D__virtual_open_source_dset`). */
async function wholeOf({ session, object }: VirtualSource, { options, nesting }: Measuring): Promise<Selection> {
  await settleExtent(session, object, options, nesting);
  const { shape } = settledDataspaceOf(session, object);
  if (elementCount(shape) === 0) return { type: "none" };
  const [start, ones] = [shape.map(() => 0), shape.map(() => 1)];
  return { type: "hyperslab", form: "regular", start, stride: ones, count: ones, block: shape };
}

/** As large as the mappings make it, along the dimensions in which they are unlimited. */
function shapeOf(
  session: Session,
  space: Dataspace,
  mappings: readonly VirtualMapping[],
  measured: readonly Measured[],
): number[] {
  const least = leastShape(space, mappings);
  return space.shape.map((stored, axis) => {
    const sizes = measured.filter((each) => each.axis === axis).map(({ size }) => size);
    if (sizes.length === 0) return stored;
    const size = Math.max(least[axis]!, sizes.reduce(session.virtualView === "first-missing" ? minimum : maximum));
    if (size <= space.maxShape[axis]!) return size;
    throw brokenMapping(`dimension ${axis} would be ${size}, above its maximum ${space.maxShape[axis]}`);
  });
}

function minimum(a: number, b: number): number {
  return Math.min(a, b);
}

function maximum(a: number, b: number): number {
  return Math.max(a, b);
}

/** What holds the limited dimensions of every mapping (H5Dvirtual.c, `H5D_virtual_update_min_dims`). */
function leastShape({ shape }: Dataspace, mappings: readonly VirtualMapping[]): number[] {
  const least = shape.map(() => 0);
  const endless = shape.map(() => Number.MAX_SAFE_INTEGER);
  for (const { virtual } of mappings) {
    if (virtual.type === "all" || virtual.type === "none") continue;
    const unlimited = unlimitedOf(virtual)?.axis;
    const bounds = selectionBounds(virtual, endless);
    bounds?.end.forEach((last, axis) => {
      if (axis !== unlimited) least[axis] = Math.max(least[axis]!, last + 1);
    });
  }
  return least;
}
