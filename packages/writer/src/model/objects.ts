import type { Datatype, HeapId } from "@h5/datatypes";
import type { FillValue } from "@h5/framing";
import type { Dataspace } from "@h5/selection";
import type { BlockStore } from "../data/block-store.ts";
import type { BlockStream } from "../data/block-stream.ts";
import type { ChunkFilter } from "../filters/chunk-filter.ts";
import type { ExternalSlot } from "./external.ts";

/** A group, dataset or named datatype to be written. */
export type ObjectModel = GroupModel | DatasetModel | DatatypeModel;

/** What all objects have. */
export interface ObjectCommon {
  /** By name, in the order in which they were added; undefined where there are none, as in most groups. */
  attributes: Map<string, AttributeModel> | undefined;
  /** Whether the object's attributes keep their order of creation, and an index of it. */
  readonly trackAttributeOrder: boolean;
  comment: string | undefined;
  /** Hard links that lead to the object; the root has one of its own. */
  linkCount: number;
}

export interface GroupModel extends ObjectCommon {
  readonly kind: "group";
  /** By name, in the order in which they were added. */
  readonly links: Map<string, LinkModel>;
  /** Whether the group's links keep their order of creation, and an index of it. */
  readonly trackOrder: boolean;
}

export type LinkModel =
  | { readonly type: "hard"; readonly target: ObjectModel }
  | { readonly type: "soft"; readonly target: string }
  | { readonly type: "external"; readonly file: string; readonly target: string }
  | { readonly type: "user"; readonly class: number; readonly value: Uint8Array<ArrayBuffer> };

/** A datatype as an object uses it: its own, or that of a named datatype. */
export interface TypeUse {
  readonly datatype: Datatype;
  /** Where the type has a name: the object that holds it. */
  readonly named: DatatypeModel | undefined;
}

/** Adds an attribute to an object, or puts it in the place of one of its name. */
export function setAttribute(object: ObjectCommon, attribute: AttributeModel): void {
  object.attributes ??= new Map();
  object.attributes.set(attribute.name, attribute);
}

export interface AttributeModel extends TypeUse {
  readonly name: string;
  readonly space: Dataspace;
  /** The elements, in which placeholders stand for addresses (see `Placement`). */
  readonly elements: Uint8Array<ArrayBuffer>;
}

export interface DatatypeModel extends ObjectCommon {
  readonly kind: "datatype";
  readonly datatype: Datatype;
}

export interface DatasetModel extends ObjectCommon, TypeUse {
  readonly kind: "dataset";
  /** Changes when the dataset is resized. */
  space: Dataspace;
  readonly fill: FillValue;
  readonly storage: StorageModel;
}

/** One element of what fills a dataset: zeros by default, undefined where nothing does. */
export function fillBytes({ datatype, fill }: Pick<DatasetModel, "datatype" | "fill">): Uint8Array | undefined {
  return fill.defined ? (fill.value ?? new Uint8Array(datatype.size)) : undefined;
}

/** Where a dataset's elements go. */
export type StorageModel =
  | WholeStorage
  | { readonly class: "external"; readonly slots: readonly ExternalSlot[] }
  | VirtualStorage
  | ChunkedStorage;

export interface WholeStorage {
  readonly class: "compact" | "contiguous";
  /** All elements as they were given, until some are written over; undefined where there are none. */
  data: Uint8Array<ArrayBuffer> | BlockStore | BlockStream | undefined;
}

export interface VirtualStorage {
  readonly class: "virtual";
  /** The mappings, in the heap of values; undefined where there are none. */
  readonly mappings: HeapId | undefined;
}

export interface ChunkedStorage {
  readonly class: "chunked";
  readonly chunkShape: readonly number[];
  readonly filters: readonly ChunkFilter[];
  /** Chunks that stick out of the dataset stay unfiltered. */
  readonly unfilteredEdges: boolean;
  readonly data: BlockStore | BlockStream;
}
