import { converterOf, hasHeapIds } from "@h5/datatypes";
import { type SpanSelection, type Spans, selectionBounds, spansOf } from "@h5/selection";
import { storageOf } from "./dataset-storage.ts";
import { valueShape } from "./nd-array.ts";
import type { Session, SignalOptions } from "./session.ts";
import type { Storage } from "./storage.ts";
import { settleExtent } from "./virtual-extent.ts";
import { type SettledMapping, withinMapping } from "./virtual-mapping.ts";
import type { Nesting } from "./virtual-nesting.ts";
import { hullShape, ordered } from "./virtual-parts.ts";
import { openVirtualSource } from "./virtual-source.ts";

/** A source that is open, and where its selected elements are. */
export interface OpenSource {
  readonly session: Session;
  readonly storage: Storage;
  readonly shape: readonly number[];
  readonly spans: Spans;
}

/** Opens the source of a mapping of the virtual dataset `target`; `undefined` where there is none. */
export async function openSource(
  session: Session,
  target: Storage,
  mapping: SettledMapping,
  options: SignalOptions & { readonly nesting?: Nesting | undefined },
): Promise<OpenSource | undefined> {
  const found = await openVirtualSource(session, mapping, options);
  if (found === undefined) return undefined;
  await settleExtent(found.session, found.object, options, options.nesting);
  const storage = seenThrough(storageOf(found.session, found.object), target);
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
