import type { EncodeValuesOptions } from "@h5/datatypes";
import type { FillValue } from "@h5/framing";
import type { Dataspace } from "@h5/selection";
import type { HeapPair } from "../data/heap-pair.ts";
import type { SmallBytes } from "../data/small-bytes.ts";
import type { FileTypes } from "./file-types.ts";
import type { GroupModel } from "./objects.ts";
import type { Targets } from "./placement.ts";
import type { SharingOptions } from "./sharing.ts";

/** A file to be written. */
export interface FileModel {
  /** Structures that HDF5 1.6 reads: superblock 0, old-style groups and headers. */
  readonly earliest: boolean;
  /** Types that only HDF5 1.12 and later read are allowed. */
  readonly v112: boolean;
  /** Structures that only HDF5 2.0 and later read are allowed. */
  readonly v200: boolean;
  /** Bytes before the superblock: none, or 512 times a power of two. */
  readonly userblock: Uint8Array<ArrayBuffer>;
  readonly root: GroupModel;
  readonly types: FileTypes;
  /** Objects that references in elements lead to. */
  readonly targets: Targets;
  /** Heap objects of all elements that are in memory. */
  readonly heaps: HeapPair;
  /** Elements of small datasets and attributes. */
  readonly small: SmallBytes;
  /** The last dataset's space and fill value: most are like those before them, and share them. */
  lastSpace: Dataspace | undefined;
  lastFill: FillValue | undefined;
  /** What a value stands for where a reference is wanted. */
  readonly reference: NonNullable<EncodeValuesOptions["reference"]>;
  /** Which messages are kept once for the whole file. */
  readonly sharing: SharingOptions | undefined;
  /** Writes in progress: as long as there are any, the model stays what it is. */
  writes: number;
}
