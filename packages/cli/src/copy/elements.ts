import type { Dataset } from "@h5/reader";
import { getStored, rawChunks } from "@h5/reader/stored";
import { elementCount, type Slice, slice } from "@h5/selection";
import type { StoredElements } from "@h5/writer";
import { storedElements } from "@h5/writer";

/** A block of a stream, as the writer takes it. */
export type CopiedBlock =
  | StoredElements
  | { readonly chunk: readonly number[]; readonly data: StoredElements }
  | { readonly chunk: readonly number[]; readonly bytes: Uint8Array; readonly filterMask: number };

/** How the elements of a dataset are read. */
export interface ElementReading {
  readonly pathOf: StoredElements["pathOf"];
  /** Told how many bytes of elements have gone through. */
  done(bytes: number): void;
}

/** Elements read at once of a dataset without chunks, in bytes. */
const PIECE = 4 << 20;

/** Elements of a dataset without chunks, row-major, in pieces. */
export async function* rowBlocks(dataset: Dataset, { pathOf, done }: ElementReading): AsyncGenerator<CopiedBlock> {
  const { shape, datatype } = dataset;
  for (const box of cells({ start: shape.map(() => 0), end: shape }, pieceShape(shape, datatype.size))) {
    const values = await getStored(dataset, selectionOf(box));
    yield storedElements(values, pathOf);
    done(values.bytes.length);
  }
}

/** The longest stretch of whole rows that is no larger than a piece. */
function pieceShape(shape: readonly number[], elementSize: number): number[] {
  let room = Math.max(1, Math.floor(PIECE / elementSize));
  const piece = shape.map(() => 1);
  for (let axis = shape.length - 1; axis >= 0 && room > 1; axis--) {
    piece[axis] = Math.max(1, Math.min(shape[axis]!, room));
    room = piece[axis] === shape[axis] ? Math.floor(room / piece[axis]!) : 1;
  }
  return piece;
}

/** The chunks that are stored, as they are stored. */
export async function* rawBlocks(dataset: Dataset, { done }: ElementReading): AsyncGenerator<CopiedBlock> {
  const { shape, datatype, filters } = dataset;
  const chunkShape = dataset.chunkShape!;
  const whole = elementCount(chunkShape) * datatype.size;
  for await (const { coordinate, bytes, filterMask } of rawChunks(dataset)) {
    // What a dataset was cut back from may still be stored.
    if (coordinate.some((at, axis) => at * chunkShape[axis]! >= shape[axis]!)) continue;
    // Without filters there may be more room than elements, and bits of the mask that stand for no filter mean nothing.
    const stored = filters.length === 0 ? bytes.subarray(0, whole) : bytes;
    yield { chunk: coordinate, bytes: stored, filterMask: filterMask % 2 ** filters.length };
    done(bytes.length);
  }
}

/** All chunks of a shape, perhaps another than the dataset's own, in which something is stored. */
export async function* chunkBlocks(
  dataset: Dataset,
  chunkShape: readonly number[],
  { pathOf, done }: ElementReading,
): AsyncGenerator<CopiedBlock> {
  const { shape, datatype } = dataset;
  for (const chunk of await storedCells(dataset, chunkShape)) {
    const start = chunk.map((at, axis) => at * chunkShape[axis]!);
    const box = { start, end: start.map((first, axis) => Math.min(first + chunkShape[axis]!, shape[axis]!)) };
    const values = await getStored(dataset, selectionOf(box), { oneByOne: true });
    const own = box.end.map((end, axis) => end - start[axis]!);
    const bytes = padded(values.bytes, own, chunkShape, datatype.size);
    const count = elementCount(chunkShape);
    yield { chunk, data: storedElements({ ...values, bytes, count }, pathOf) };
    done(values.bytes.length);
  }
}

/** Coordinates of the chunks of a shape that the stored chunks reach into, or of all where there are no chunks. */
async function storedCells(dataset: Dataset, chunkShape: readonly number[]): Promise<Iterable<readonly number[]>> {
  const { shape, chunkShape: own } = dataset;
  const scaled = (start: readonly number[], size: readonly number[]): Iterable<readonly number[]> => {
    const end = start.map((first, axis) => Math.ceil(Math.min(first + size[axis]!, shape[axis]!) / chunkShape[axis]!));
    return coordinates(
      start.map((first, axis) => Math.floor(first / chunkShape[axis]!)),
      end,
    );
  };
  if (own === undefined)
    return scaled(
      shape.map(() => 0),
      shape,
    );
  const found = new Map<string, readonly number[]>();
  for (const { offset } of await dataset.chunkInfo())
    for (const cell of scaled(offset, own)) found.set(cell.join(), cell);
  return found.values();
}

/** A box of elements, the end exclusive. */
interface Range {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** Cuts a box into cells, row-major. */
function* cells({ start, end }: Range, cell: readonly number[]): Generator<Range> {
  const counts = start.map((first, axis) => Math.ceil((end[axis]! - first) / cell[axis]!));
  for (const at of coordinates(
    start.map(() => 0),
    counts,
  )) {
    const first = at.map((i, axis) => start[axis]! + i * cell[axis]!);
    yield { start: first, end: first.map((from, axis) => Math.min(from + cell[axis]!, end[axis]!)) };
  }
}

/** The coordinates from `start` to before `end`, row-major; those of no axes are one. */
function* coordinates(start: readonly number[], end: readonly number[]): Generator<readonly number[]> {
  if (start.some((first, axis) => first >= end[axis]!)) return;
  const at = [...start];
  for (;;) {
    yield [...at];
    let axis = at.length - 1;
    while (axis >= 0 && at[axis] === end[axis]! - 1) {
      at[axis] = start[axis]!;
      axis--;
    }
    if (axis < 0) return;
    at[axis]!++;
  }
}

function selectionOf({ start, end }: Range): readonly Slice[] | null {
  return start.length === 0 ? null : start.map((first, axis) => slice(first, end[axis]!));
}

/** Elements of a box at the beginning of a larger one, with zeros around them. */
function padded(bytes: Uint8Array, shape: readonly number[], full: readonly number[], elementSize: number): Uint8Array {
  if (shape.every((size, axis) => size === full[axis])) return bytes;
  const into = new Uint8Array(elementCount(full) * elementSize);
  const run = shape.at(-1)! * elementSize;
  let from = 0;
  for (const row of coordinates(
    shape.slice(0, -1).map(() => 0),
    shape.slice(0, -1),
  )) {
    const to = [...row, 0].reduce((offset, at, axis) => offset * full[axis]! + at, 0) * elementSize;
    into.set(bytes.subarray(from, from + run), to);
    from += run;
  }
  return into;
}
