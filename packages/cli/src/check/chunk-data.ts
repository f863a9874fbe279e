import type { ChunkLocation } from "@h5/btree";
import type { Datatype } from "@h5/datatypes";
import { applyDecoders, type FilterPipeline } from "@h5/filters";
import {
  type Attempt,
  type ChunkedLayout,
  checkLimit,
  InvalidFieldError,
  isH5Error,
  layoutFlag,
  need,
  type Plan,
  wait,
} from "@h5/framing";
import { type Dataspace, elementCount } from "@h5/selection";
import type { Check } from "./check.ts";
import { checkElements, leadSomewhere } from "./elements.ts";

/** What the elements of a chunked dataset are. */
interface ChunkedData {
  readonly datatype: Datatype;
  readonly dataspace: Dataspace;
  readonly pipeline: FilterPipeline | undefined;
  readonly path: string;
  readonly unset: boolean;
}

/** Reads a chunk and undoes its filters, and checks what its elements lead to. */
export function* checkChunkData(
  check: Check,
  { datatype, dataspace, pipeline, path, unset }: ChunkedData,
  layout: ChunkedLayout,
  { address, size, filterMask, coordinate }: ChunkLocation,
): Plan<void> {
  const filters = pipeline?.filters ?? [];
  const count = elementCount(layout.chunkShape);
  const expectedBytes = count * layout.elementSize;
  const place = { structure: "chunk", address };
  checkLimit(check.limits, "chunkBytes", Math.max(size, expectedBytes), place);
  const stored = yield* need(place.structure, address, size);
  const edge = coordinate.some((at, d) => (at + 1) * layout.chunkShape[d]! > dataspace.shape[d]!);
  const raw = edge && ((layout.flags ?? 0) & layoutFlag.unfilteredEdges) !== 0;
  const options = { expectedBytes, maxBytes: check.limits.chunkBytes, address };
  const applyPipeline = (): Uint8Array | Promise<Uint8Array> =>
    applyDecoders(stored, filters, filterMask, check.filters, options);
  const bytes = raw || filters.length === 0 ? stored : yield* decoded(applyPipeline);
  if (bytes.length < expectedBytes) {
    throw new InvalidFieldError(`expected ${expectedBytes} bytes, got ${bytes.length}`, place);
  }
  if (!leadSomewhere(datatype)) return;
  const inside = layout.chunkShape.map((length, d) => Math.min(length, dataspace.shape[d]! - coordinate[d]! * length));
  const kept = edge ? cornerOf(bytes, layout.chunkShape, inside, datatype.size) : bytes;
  yield* checkElements(check, datatype, kept, edge ? elementCount(inside) : count, { ...place, path, unset });
}

/** Waits for decoders; what they throw is the plan's own error, not one that ends the run. */
function* decoded(decode: () => Uint8Array | Promise<Uint8Array>): Plan<Uint8Array> {
  const { value, error } = yield* wait(async (): Promise<Attempt<Uint8Array>> => {
    try {
      return { value: await decode() };
    } catch (cause) {
      if (!isH5Error(cause)) throw cause;
      return { error: cause };
    }
  });
  if (error !== undefined) throw error;
  return value;
}

/** The elements of a chunk that are inside the dataset: what is beyond need not mean anything. */
function cornerOf(
  bytes: Uint8Array,
  shape: readonly number[],
  inside: readonly number[],
  elementSize: number,
): Uint8Array {
  if (shape.length === 0) return bytes;
  const [, ...rest] = shape;
  const row = elementCount(rest) * elementSize;
  const rows = Array.from({ length: Math.max(0, inside[0]!) }, (_, i) =>
    cornerOf(bytes.subarray(i * row, (i + 1) * row), rest, inside.slice(1), elementSize),
  );
  return new Uint8Array(Buffer.concat(rows));
}
