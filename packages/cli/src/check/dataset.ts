import { type Datatype, hasHeapIds } from "@h5/datatypes";
import { type FilterPipeline, missingFilter, missingFilterError } from "@h5/filters";
import {
  type ChunkedLayout,
  type ContiguousLayout,
  decodeText,
  type ExternalFiles,
  type FillValue,
  InvalidFieldError,
  type Layout,
  need,
  type Plan,
  type VirtualLayout,
} from "@h5/framing";
import { globalHeapObject } from "@h5/heap";
import { type Dataspace, dataspaceElementCount, decodeVirtualMappings, rankOf } from "@h5/selection";
import { type Check, fault, guard, reportError } from "./check.ts";
import { checkChunkData } from "./chunk-data.ts";
import { checkChunks } from "./chunks.ts";
import { checkCollection, checkElements, noteUse } from "./elements.ts";
import { checkLocalHeap, heapString } from "./local-heap.ts";

/** The messages of a dataset that could be decoded. */
export interface DatasetParts {
  readonly address: number;
  readonly path: string;
  readonly datatype: Datatype | undefined;
  readonly dataspace: Dataspace | undefined;
  readonly layout: Layout | undefined;
  readonly fill: FillValue | undefined;
  readonly pipeline: FilterPipeline | undefined;
  readonly externalFiles: ExternalFiles | undefined;
}

const LAYOUT = "data layout message";
/** Bytes of elements that are looked at in one piece, about. */
const PIECE = 4194304;

/** Checks that the messages of a dataset go together, and where its elements are stored. */
export function* checkDataset(check: Check, parts: DatasetParts): Plan<void> {
  const { datatype, dataspace, layout, externalFiles, path } = parts;
  if (externalFiles !== undefined) yield* checkExternalFiles(check, externalFiles, path);
  if (datatype === undefined || dataspace === undefined || layout === undefined) return;
  yield* checkFill(check, parts, datatype);
  const whole: WholeDataset = { ...parts, datatype, dataspace, unset: mayBeUnset(parts.fill, layout) };
  switch (layout.class) {
    case "compact":
      return yield* guard(check, path, checkCompact(check, whole, layout.data));
    case "contiguous":
      return yield* guard(check, path, checkContiguous(check, whole, layout));
    case "chunked":
      return yield* guard(check, path, checkChunked(check, whole, layout));
    case "virtual":
      return yield* guard(check, path, checkVirtual(check, whole, layout));
  }
}

interface WholeDataset extends DatasetParts {
  readonly datatype: Datatype;
  readonly dataspace: Dataspace;
  /** Whether elements that were never written hold anything. */
  readonly unset: boolean;
}

/** Whether elements that were never written have no value: libhdf5 fills contiguous ones only with a value of the user's. */
function mayBeUnset(fill: FillValue | undefined, layout: Layout): boolean {
  if (fill === undefined) return false;
  const { defined, writeTime, value = [] } = fill;
  if (!defined || writeTime === "never") return true;
  return layout.class === "contiguous" && writeTime === "ifset" && value.length === 0;
}

function* checkFill(check: Check, { fill, address, path }: DatasetParts, datatype: Datatype): Plan<void> {
  const { value } = fill ?? {};
  const place = { structure: "fill value message", address, path };
  if (value === undefined || value.length === 0) return;
  if (value.length === datatype.size) yield* checkElements(check, datatype, value, 1, place);
  else fault(check, { ...place, message: `expected a fill value of ${datatype.size} bytes, got ${value.length}` });
}

function* checkExternalFiles(check: Check, { heapAddress, slots }: ExternalFiles, path: string): Plan<void> {
  const heap = yield* checkLocalHeap(check, heapAddress, path);
  if (heap === undefined) return;
  for (const { nameOffset } of slots) {
    const name = heapString(check, heap, nameOffset, path);
    const use = { kind: "raw data", structure: "external file list", address: heapAddress, path } as const;
    if (name !== undefined) check.otherFiles.push({ ...use, file: decodeText(name) });
  }
}

function* checkCompact(check: Check, dataset: WholeDataset, data: Uint8Array): Plan<void> {
  const { datatype, dataspace, address, path, unset } = dataset;
  const count = dataspaceElementCount(dataspace);
  const size = count * datatype.size;
  const place = { structure: LAYOUT, address };
  if (data.length < size) throw new InvalidFieldError(`expected ${size} bytes of data, got ${data.length}`, place);
  yield* checkElements(check, datatype, data.subarray(0, size), count, { ...place, path, unset });
}

function* checkContiguous(check: Check, dataset: WholeDataset, layout: ContiguousLayout): Plan<void> {
  const { datatype, dataspace, externalFiles, path, unset } = dataset;
  const { address } = layout;
  const structure = "contiguous data";
  if (address === undefined || externalFiles !== undefined) return;
  const count = dataspaceElementCount(dataspace);
  const needed = count * datatype.size;
  const size = Number(layout.size ?? needed);
  check.space.claim(structure, address, size, path);
  if (size < needed) throw new InvalidFieldError(`expected ${needed} bytes, got ${size}`, { structure, address });
  if (!check.data) {
    check.heapDataSkipped ||= count > 0 && hasHeapIds(datatype);
    return;
  }
  const step = Math.max(1, Math.floor(PIECE / datatype.size));
  for (let first = 0; first < count; first += step) {
    const held = Math.min(step, count - first);
    const at = address + first * datatype.size;
    const bytes = yield* need(structure, at, held * datatype.size);
    yield* checkElements(check, datatype, bytes, held, { structure, address: at, path, unset });
  }
}

function* checkChunked(check: Check, dataset: WholeDataset, layout: ChunkedLayout): Plan<void> {
  const { datatype, dataspace, pipeline, address, path } = dataset;
  const place = { structure: LAYOUT, address };
  const { chunkShape, elementSize } = layout;
  if (chunkShape.length !== dataspace.shape.length) {
    throw new InvalidFieldError(`expected ${dataspace.shape.length} chunk dimensions, got ${chunkShape.length}`, place);
  }
  if (elementSize !== datatype.size) {
    throw new InvalidFieldError(`expected elements of ${datatype.size} bytes, got ${elementSize}`, place);
  }
  const filtered = (pipeline?.filters.length ?? 0) > 0;
  const chunks = yield* checkChunks(check, { layout, dataspace, filtered, path });
  if (!check.data) {
    check.heapDataSkipped ||= chunks.length > 0 && hasHeapIds(datatype);
    return;
  }
  for (const chunk of chunks) {
    const missing = missingFilter(pipeline?.filters ?? [], chunk.filterMask, check.filters);
    const plan = checkChunkData(check, dataset, layout, chunk);
    if (missing === undefined) yield* guard(check, path, plan);
    // Once for the dataset: other chunks need it too.
    else {
      check.heapDataSkipped ||= hasHeapIds(datatype);
      return reportError(check, path, missingFilterError(missing, chunk.address));
    }
  }
}

function* checkVirtual(check: Check, { dataspace, path }: WholeDataset, layout: VirtualLayout): Plan<void> {
  const { heapAddress, heapIndex } = layout;
  if (heapAddress === undefined) return;
  const collection = yield* checkCollection(check, heapAddress, path);
  if (collection === undefined) return;
  const { mappings } = decodeVirtualMappings(globalHeapObject(collection, heapIndex), check);
  noteUse(check, { address: heapAddress, index: heapIndex });
  const place = { structure: "virtual mapping", address: heapAddress };
  for (const { file, dataset, virtual } of mappings) {
    const names = [file, dataset].map(plainName);
    if (names.every((name) => name !== undefined)) {
      check.otherFiles.push({ ...place, kind: "virtual source", file: names[0]!, object: names[1], path });
    }
    const rank = rankOf(virtual);
    if (rank === undefined || rank === dataspace.shape.length) continue;
    throw new InvalidFieldError(`expected a selection of ${dataspace.shape.length} dimensions, got ${rank}`, place);
  }
}

/** A name of a virtual dataset's source as it is; `undefined` for one that stands for many, with `%b`. */
function plainName(name: string): string | undefined {
  const plain = name.split("%%");
  return plain.some((part) => part.includes("%")) ? undefined : plain.join("%");
}
