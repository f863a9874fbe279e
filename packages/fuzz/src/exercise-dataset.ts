import type { DtypeName } from "@h5/datatypes";
import { type Dataset, dimensionScales, type H5File, type NdArray } from "@h5/reader";
import { type Selection, slice } from "@h5/selection";
import type { Trials } from "./trials.ts";

/** Elements along a dimension and bytes of a dataset that are read, tiles that are taken, references followed. */
const ELEMENTS = 8;
const BYTES = 1048576;
const TILES = 4;
const REFERENCES = 3;

/** Does to a dataset whatever a reader of it may do. */
export async function exerciseDataset(trials: Trials, file: H5File, dataset: Dataset): Promise<void> {
  for (const member of ["maxShape", "layout", "filters", "virtualMappings", "committedDatatype", "dtype"] as const) {
    await trials.attempt(() => dataset[member]);
  }
  await trials.value(() => dataset.fillValue());
  const size = await trials.attempt(() => dataset.shape.reduce((all, length) => all * length, dataset.datatype.size));
  if (size === undefined) return;
  const few = dataset.shape.map((length) => slice(0, Math.min(length, ELEMENTS)));
  const got = await trials.value(async (): Promise<unknown> => dataset.get(size <= BYTES ? null : few));
  await readParts(trials, dataset);
  if (isArray(got)) await readOtherwise(trials, dataset, size <= BYTES ? null : few, got);
  await readChunks(trials, dataset, size);
  if (isArray(got) && dataset.dtype === "reference") await follow(trials, file, Array.from(got.data as never));
  await trials.attempt(() => dimensionScales(file, dataset));
}

function isArray(got: unknown): got is NdArray<DtypeName> {
  return typeof got === "object" && got !== null && "data" in got && "shape" in got;
}

/** Every other element, and what HDF5 can choose besides: blocks, a list of blocks that lie over each other, points. */
async function readParts(trials: Trials, dataset: Dataset): Promise<void> {
  const shape = dataset.shape.map((length) => Math.min(length, 2 * ELEMENTS));
  await trials.value(() =>
    dataset.get(
      shape.map((length) => slice(0, length, 2)),
      { int64: "number" },
    ),
  );
  if (shape.length === 0 || shape.includes(0)) return;
  for (const selection of selectionsIn(shape)) await trials.value(() => dataset.get(selection));
}

/** Selections in a box of a shape. */
function selectionsIn(shape: readonly number[]): Selection[] {
  const first = shape.map(() => 0);
  const last = shape.map((length) => length - 1);
  const middle = shape.map((length) => length >> 1);
  const block = shape.map((length) => (length > 2 ? 2 : 1));
  const stride = block.map((length) => length + 1);
  const count = shape.map((length) => Math.max(1, Math.floor(length / 3)));
  const blocks = [
    { start: first, end: middle },
    { start: middle, end: last },
  ];
  return [
    { type: "hyperslab", form: "regular", start: first, stride, count, block },
    { type: "hyperslab", form: "blocks", blocks },
    { type: "points", points: [last, first, middle, first] },
  ];
}

/** What was read once more, with the options there are: it may come into an array, be a view, or have one member. */
async function readOtherwise(
  trials: Trials,
  dataset: Dataset,
  selection: Parameters<Dataset["get"]>[0],
  { data }: NdArray<DtypeName>,
): Promise<void> {
  if (ArrayBuffer.isView(data)) {
    await trials.value(() => dataset.get(selection, { into: data as never }));
    await trials.value(() => dataset.get(selection, { copy: false }));
  }
  const { datatype } = dataset;
  if (datatype.class !== "compound") return;
  const names = datatype.members.slice(-1).map(({ name }) => name);
  await trials.value(() => dataset.get(selection, { fields: names }));
}

async function readChunks(trials: Trials, dataset: Dataset, size: number): Promise<void> {
  const [chunk] = (await trials.attempt(() => dataset.chunkInfo())) ?? [];
  if (chunk !== undefined) await trials.attempt(() => dataset.readRawChunk(chunk.coordinate));
  if (size > BYTES) return;
  // Tiles that cut chunks where there are any, and such as the layout has where there are none.
  const half = dataset.shape.map((length) => Math.max(1, length >> 1));
  const options = chunk === undefined ? {} : { tileShape: half, ahead: 1 };
  await trials.value(async () => {
    let tiles = 0;
    for await (const _ of dataset.chunks(options)) if (++tiles === TILES) break;
    return tiles;
  });
}

async function follow(trials: Trials, file: H5File, references: unknown[]): Promise<void> {
  for (const reference of references.filter((one) => one !== null).slice(0, REFERENCES) as never[]) {
    await trials.attempt(() => file.dereference(reference));
    await trials.attempt(() => file.pathOf(reference));
    if (!("selection" in reference)) continue;
    await trials.value(async () => {
      const { dataset, selection } = await file.region(reference);
      return await dataset.get(selection);
    });
  }
}
