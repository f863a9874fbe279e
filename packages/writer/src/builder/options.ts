import type { ChunkFilter } from "../filters/chunk-filter.ts";
import type { ExternalSlot } from "../model/external.ts";
import type { SharedKind } from "../model/sharing.ts";
import type { DtypeOption } from "../values/dtype.ts";
import type { NamedDatatypeBuilder } from "./named-datatype.ts";

/** Options of {@link createFile}. */
export interface CreateOptions {
  /** Write what HDF5 1.6 and tools of its time read: superblock 0, old-style groups, version 1 headers and B-trees. */
  readonly compatibility?: "earliest" | undefined;
  /**
   * The oldest library that must read the file: `"v110"` (default), `"v112"` for the references of HDF5 1.12, or `"v200"`
   * for those and what came with HDF5 2.0.
   */
  readonly libver?: "v110" | "v112" | "v200" | undefined;
  /** Bytes before the HDF5 file: their number (512, 1024, 2048 …), or the bytes, which are padded to such a number. */
  readonly userblock?: number | Uint8Array | undefined;
  /** Messages to be kept once for the whole file; `true` for all kinds of at least 50 bytes. */
  readonly sharedMessages?: boolean | SharedMessageOptions | undefined;
  /** Whether groups keep the order in which their links were added, and objects that of their attributes; default false. */
  readonly trackOrder?: boolean | undefined;
  /** What holds for the root group, where it is not as for others. */
  readonly root?: Pick<ObjectOptions, "trackOrder" | "trackAttributeOrder" | "comment"> | undefined;
}

/** Which messages are kept once for the whole file. */
export interface SharedMessageOptions {
  /** Default: all of them. */
  readonly kinds?: readonly SharedKind[] | undefined;
  /** Bytes of the smallest message to be shared; default 50. */
  readonly minSize?: number | undefined;
  /** Messages above which the list of them becomes a B-tree; default 50. */
  readonly listMax?: number | undefined;
}

/** Attributes by name: an object of them, or pairs of name and value, which may have any name (`"__proto__"` too). */
export type Attributes = Readonly<Record<string, unknown>> | Iterable<readonly [name: string, value: unknown]>;

/** Options of all objects. */
export interface ObjectOptions {
  /** Attributes by name. */
  readonly attrs?: Attributes | undefined;
  /** Whether the order is kept in which attributes, and a group's links, are added; default: the file's. */
  readonly trackOrder?: boolean | undefined;
  /** The same for the attributes alone; default: `trackOrder`. */
  readonly trackAttributeOrder?: boolean | undefined;
  readonly comment?: string | undefined;
}

/** Options of attributes. */
export interface AttributeOptions {
  /** Type of the elements; default: what the value suggests. */
  readonly dtype?: DtypeOption | NamedDatatypeBuilder | undefined;
  /** Elements along each axis, `[]` for a scalar; default: what the value suggests. */
  readonly shape?: readonly number[] | undefined;
}

/** Options of virtual datasets. */
export interface VirtualDatasetOptions extends ObjectOptions {
  /** Elements along each axis now. What unlimited sources hold beyond it is there all the same, as readers see it. */
  readonly shape: readonly number[];
  /** Type of the elements, to which those of the sources are converted. */
  readonly dtype: DtypeOption | NamedDatatypeBuilder;
  /** The most each axis may grow to, `Infinity` for no limit, as an unlimited target needs it; default: `shape`. */
  readonly maxShape?: readonly number[] | undefined;
  /** What elements are that no source holds; default 0. */
  readonly fillValue?: unknown;
}

/** Options of datasets. */
export interface DatasetOptions extends ObjectOptions, AttributeOptions {
  /** The most each axis may grow to, `Infinity` for no limit; default: `shape`. Anything else than `shape` needs chunks. */
  readonly maxShape?: readonly number[] | undefined;
  /** Elements of a chunk along each axis; `true` to have them chosen. Default: chunked where something needs it. */
  readonly chunks?: readonly number[] | true | undefined;
  /** What chunks go through before they are stored, in order. */
  readonly filters?: readonly ChunkFilter[] | undefined;
  /** Whether chunks that stick out of the dataset stay unfiltered; default false. */
  readonly unfilteredEdges?: boolean | undefined;
  /** What elements hold that were never written, a value as the data has them; default 0; `null`: anything. */
  readonly fillValue?: unknown;
  /** When the fill value is written where room is allocated for elements; default `"ifset"`. */
  readonly fillTime?: "allocation" | "never" | "ifset" | undefined;
  /** When room is allocated; `"early"` stores elements even where they hold nothing but the fill value. */
  readonly allocationTime?: "early" | "late" | "incremental" | undefined;
  /** How the elements are stored; default: contiguous, or chunked where something needs it. */
  readonly layout?: "compact" | "contiguous" | "chunked" | undefined;
  /** Pieces of other files that hold the elements, which the caller writes. */
  readonly external?: readonly ExternalSlot[] | undefined;
  /** `false`: typed arrays are not copied and must not change before the file is written. */
  readonly copy?: boolean | undefined;
}
