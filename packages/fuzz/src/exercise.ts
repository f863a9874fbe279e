import { toJson } from "@h5/cli";
import { type H5Error, isH5Error } from "@h5/framing";
import { type Dataset, dimensionScales, type H5File, type H5Object, open } from "@h5/reader";
import { slice } from "@h5/selection";

/** What a page sets that opens strangers' files; all other limits are the defaults. */
const LIMITS = { readBytes: 67108864, chunkBytes: 67108864 };
/** Objects that are looked at, elements along a dimension and bytes of a dataset that are read, references followed. */
const OBJECTS = 500;
const ELEMENTS = 8;
const BYTES = 1048576;
const REFERENCES = 3;

/** What came of a file. */
export interface Outcome {
  readonly opened: boolean;
  /** Datasets and attributes that gave values. */
  readonly values: number;
  /** Typed errors, each of which says what is wrong with the file. */
  readonly errors: readonly H5Error[];
}

/**
 * Does to a file whatever a reader of it may do: walks it, reads attributes, elements, chunks and fill values, follows
 * references and dimension scales, prints it. Typed errors are collected; anything else is thrown.
 */
export async function exercise(bytes: Uint8Array): Promise<Outcome> {
  const errors: H5Error[] = [];
  let values = 0;
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isOfFile(error)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const value = async (work: () => Promise<unknown>): Promise<unknown> => {
    const got = await attempt(work);
    if (got !== undefined) values++;
    return got;
  };
  const file = await attempt(() => open(bytes, { limits: LIMITS }));
  if (file === undefined) return { opened: false, values, errors };
  await attempt(() => file.readUserblock());
  await readAttributes(file, attempt, value);
  await attempt(async () => {
    let left = OBJECTS;
    for await (const { object, error } of file.visit()) {
      if (error !== undefined) await attempt(() => Promise.reject(error));
      if (object !== undefined) await readObject(file, object, attempt, value);
      if (left-- === 0) break;
    }
  });
  const document = await attempt(() => toJson(file));
  if (document !== undefined) JSON.stringify(document);
  return { opened: true, values, errors };
}

/** The errors that say what is wrong with a file; INVALID_ARGUMENT and SOURCE would blame another for it. */
function isOfFile(error: unknown): error is H5Error {
  return isH5Error(error) && error.code !== "INVALID_ARGUMENT" && error.code !== "SOURCE";
}

type Attempt = <T>(work: () => T | Promise<T>) => Promise<T | undefined>;
type Value = (work: () => Promise<unknown>) => Promise<unknown>;

async function readObject(file: H5File, object: H5Object, attempt: Attempt, value: Value): Promise<void> {
  await attempt(() => [object.comment, object.modified, object.linkCount]);
  if (object.address !== file.address) await readAttributes(object, attempt, value);
  if (object.kind === "datatype") await attempt(() => [object.datatype, object.dtype]);
  if (object.kind === "dataset") await readDataset(file, object, attempt, value);
  if (object.kind === "group") {
    await attempt(() => [object.linkStorage, object.tracksOrder, object.info]);
    const [name] = (await attempt(() => object.keys())) ?? [];
    if (name !== undefined) await attempt(() => object.has(name));
  }
}

async function readAttributes({ attrs }: H5Object, attempt: Attempt, value: Value): Promise<void> {
  const survey = await attempt(() => attrs.survey());
  for (const error of survey?.errors ?? []) await attempt(() => Promise.reject(error));
  for (const { name } of survey?.attributes ?? []) await value(async () => [await attrs.get(name)]);
  const [first] = survey?.attributes ?? [];
  if (first !== undefined) await attempt(() => attrs.has(first.name));
}

async function readDataset(file: H5File, dataset: Dataset, attempt: Attempt, value: Value): Promise<void> {
  for (const member of ["maxShape", "layout", "filters", "virtualMappings", "committedDatatype", "dtype"] as const) {
    await attempt(() => dataset[member]);
  }
  await value(() => dataset.fillValue());
  const size = await attempt(() => dataset.shape.reduce((bytes, length) => bytes * length, dataset.datatype.size));
  if (size === undefined) return;
  const few = dataset.shape.map((length) => slice(0, Math.min(length, ELEMENTS)));
  const got = await value(() => (size <= BYTES ? dataset.get() : dataset.get(few)));
  const spread = dataset.shape.map((length) => slice(0, Math.min(length, 2 * ELEMENTS), 2));
  await value(() => dataset.get(spread, { int64: "number" }));
  await readChunks(dataset, size, attempt, value);
  if (hasData(got) && dataset.dtype === "reference") await follow(file, Array.from(got.data as never), attempt, value);
  await attempt(() => dimensionScales(file, dataset));
}

function hasData(got: unknown): got is { readonly data: Iterable<unknown> } {
  return typeof got === "object" && got !== null && "data" in got;
}

async function readChunks(dataset: Dataset, size: number, attempt: Attempt, value: Value): Promise<void> {
  const [chunk] = (await attempt(() => dataset.chunkInfo())) ?? [];
  if (chunk !== undefined) await attempt(() => dataset.readRawChunk(chunk.coordinate));
  if (size > BYTES) return;
  await value(async () => {
    let tiles = 0;
    for await (const _ of dataset.chunks()) if (++tiles === ELEMENTS) break;
    return tiles;
  });
}

async function follow(file: H5File, references: unknown[], attempt: Attempt, value: Value): Promise<void> {
  for (const reference of references.filter((one) => one !== null).slice(0, REFERENCES) as never[]) {
    await attempt(() => file.dereference(reference));
    await attempt(() => file.pathOf(reference));
    if (!("selection" in reference)) continue;
    await value(async () => {
      const { dataset, selection } = await file.region(reference);
      return await dataset.get(selection);
    });
  }
}
