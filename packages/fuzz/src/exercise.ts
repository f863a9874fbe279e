import { checkFile, toJson } from "@h5/cli";
import type { ByteSource, H5Error } from "@h5/framing";
import { type H5File, type H5Object, type OpenOptions, open, sourceOf } from "@h5/reader";
import { namedSources } from "@h5/resolver";
import { exerciseDataset } from "./exercise-dataset.ts";
import { Trials } from "./trials.ts";

/** What a page sets that opens strangers' files; all other limits are the defaults. */
const LIMITS = { readBytes: 67108864, chunkBytes: 67108864 };
/** Objects that are looked at. */
const OBJECTS = 500;

/** What lies around a file. */
export interface Surroundings {
  /** What the file is called, by which it finds others. */
  readonly name: string;
  /** The files that it may lead to. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

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
 * references, links to other files and dimension scales. Typed errors are collected; anything else is thrown.
 */
export async function exercise(bytes: Uint8Array, around: Surroundings): Promise<Outcome> {
  const trials = new Trials();
  const file = await trials.attempt(() => open(bytes, optionsFor(around)));
  if (file === undefined) return { opened: false, values: 0, errors: trials.errors };
  await trials.attempt(() => file.readUserblock());
  await exerciseObject(trials, file, file);
  await trials.attempt(async () => {
    let left = OBJECTS;
    for await (const { object, error } of file.visit()) {
      if (error !== undefined) await trials.attempt(() => Promise.reject(error));
      if (object !== undefined && object.address !== file.address) await exerciseObject(trials, file, object);
      if (left-- === 0) break;
    }
  });
  return { opened: true, values: trials.values, errors: trials.errors };
}

/** Prints a file and checks it, as the command does. Throws what is no typed error. */
export async function exerciseCommands(bytes: Uint8Array, around: Surroundings): Promise<void> {
  const trials = new Trials();
  // From a source that needs what bytes in memory do not: requests, blocks that are kept, data read straight to its place.
  const source = farAway(bytes);
  await trials.attempt(async () => JSON.stringify(await toJson(await open(source, optionsFor(around)))));
  await trials.attempt(async () => JSON.stringify(await checkFile(sourceOf(bytes), { data: true, limits: LIMITS })));
}

function optionsFor({ name, files }: Surroundings): OpenOptions {
  return { limits: LIMITS, name, external: namedSources(files) };
}

/** A source that has nothing at hand. */
function farAway(bytes: Uint8Array): ByteSource {
  return {
    slice: async (start, end) => bytes.subarray(start, end),
    async readInto(start, target) {
      const part = bytes.subarray(start, start + target.length);
      target.set(part);
      return part.length;
    },
  };
}

async function exerciseObject(trials: Trials, file: H5File, object: H5Object): Promise<void> {
  await trials.attempt(() => [object.comment, object.modified, object.linkCount]);
  await exerciseAttributes(trials, object);
  if (object.kind === "datatype") await trials.attempt(() => [object.datatype, object.dtype]);
  if (object.kind === "dataset") await exerciseDataset(trials, file, object);
  if (object.kind === "group") {
    await trials.attempt(() => [object.linkStorage, object.tracksOrder, object.info]);
    const [name] = (await trials.attempt(() => object.keys())) ?? [];
    if (name === undefined) return;
    await trials.attempt(() => object.has(name));
    await trials.attempt(() => object.get(name));
  }
}

async function exerciseAttributes(trials: Trials, { attrs }: H5Object): Promise<void> {
  const survey = await trials.attempt(() => attrs.survey());
  for (const error of survey?.errors ?? []) await trials.attempt(() => Promise.reject(error));
  for (const { name } of survey?.attributes ?? []) await trials.value(() => attrs.get(name));
  await trials.attempt(() => attrs.toObject());
  const [first] = survey?.attributes ?? [];
  if (first !== undefined) await trials.attempt(() => attrs.has(first.name));
}
