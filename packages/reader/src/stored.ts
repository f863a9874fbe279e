import type { StoredValues } from "@h5/datatypes";
import { atPath, defaultLimits, type FillValue, type Limits } from "@h5/framing";
import type { Attribute } from "./attributes.ts";
import { type RawChunk, rawChunksOf } from "./chunks.ts";
import type { Dataset } from "./dataset.ts";
import { externalFilesOf, fillMessageOf } from "./dataset-storage.ts";
import type { MemberSpace } from "./driver-members.ts";
import type { ExternalSources } from "./external.ts";
import { type ExternalSlot, externalSlotsOf } from "./external-raw.ts";
import { type Beginning, findMembers } from "./file-members.ts";
import { OtherFiles } from "./other-files.ts";
import type { ReadSelection } from "./read-types.ts";
import { readStored } from "./reading.ts";
import type { SignalOptions } from "./session.ts";
import type { ReadOptions } from "./storage.ts";
import { withDecoding } from "./values.ts";

export type { MemberFile, MemberSpace } from "./driver-members.ts";
export type { ExternalSlot } from "./external-raw.ts";
export type { Beginning } from "./file-members.ts";

// What these need of a node is protected there, since nobody else does.

/**
 * The selected elements as `dataset.get` reads them, but as they are stored: byte for byte, padding among it, with what
 * they keep in the global heap.
 *
 * @throws what `get` throws
 */
export function getStored(
  dataset: Dataset,
  selection: ReadSelection = null,
  options: ReadOptions = {},
): Promise<StoredValues> {
  const session = dataset["session"];
  return dataset["reading"](options, async ({ storage }) => {
    const [stored] = await withDecoding(session, [await readStored(session, storage, selection, options)], options);
    return stored!;
  });
}

/** The value of an attribute, likewise. */
export async function getStoredAttribute(attribute: Attribute, options: SignalOptions = {}): Promise<StoredValues> {
  try {
    const [stored] = await withDecoding(attribute["session"], [attribute.stored()], options);
    return stored!;
  } catch (error) {
    throw atPath(error, attribute["path"]);
  }
}

/** What the file says of a fill value: when it is written, and its stored bytes; `undefined` where it says nothing. */
export function fillOf(dataset: Dataset): FillValue | undefined {
  return fillMessageOf(dataset["object"]);
}

/** The value of {@link fillOf} as it is stored; `undefined` where there is none. */
export async function getStoredFill(dataset: Dataset, options: SignalOptions = {}): Promise<StoredValues | undefined> {
  options.signal?.throwIfAborted();
  const bytes = fillOf(dataset)?.value;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const [stored] = await withDecoding(dataset["session"], [{ datatype: dataset.datatype, bytes, count: 1 }], options);
  return stored;
}

/**
 * The pieces of other files that hold the raw data, in order, where it is stored outside; none where it is not.
 *
 * @throws what reading their names gave
 */
export async function externalSlots(dataset: Dataset, options: SignalOptions = {}): Promise<readonly ExternalSlot[]> {
  options.signal?.throwIfAborted();
  const session = dataset["session"];
  const files = externalFilesOf(session, dataset["object"]);
  return files === undefined ? [] : await externalSlotsOf(session, files, options);
}

/**
 * All chunks that are stored, as they are stored, in the order in which they lie in the file: a few at a time are in
 * memory.
 */
export async function* rawChunks(dataset: Dataset, options: SignalOptions = {}): AsyncGenerator<RawChunk> {
  const infos = await dataset.chunkInfo(options);
  try {
    yield* rawChunksOf(dataset["session"], infos, options);
  } catch (error) {
    throw atPath(error, dataset["name"]);
  }
}

/** Options of {@link memberSpaceOf}. */
export interface MemberOptions extends SignalOptions {
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * The address space of a file that a driver has put into several, from what was seen of the one at hand; `undefined`
 * where it is one.
 *
 * @throws InvalidFieldError for driver information that makes no sense, NotFoundError where the member that has it is
 *   not found, UnsupportedFeatureError without `external`
 */
export async function memberSpaceOf(
  beginning: Beginning,
  external: ExternalSources | undefined,
  options: MemberOptions = {},
): Promise<MemberSpace | undefined> {
  options.signal?.throwIfAborted();
  const limits = { ...defaultLimits, ...options.limits };
  return await findMembers(beginning, { limits, cache: undefined, files: new OtherFiles(external, limits) }, options);
}
