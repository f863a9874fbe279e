/** Kinds of messages that a file can keep once for all objects (spec IV.A.2.p). */
export type SharedKind = "dataspace" | "datatype" | "fillValue" | "filterPipeline" | "attribute";

/** Which messages are kept once for the whole file, as `H5Pset_shared_mesg_index` says it. */
export interface SharingOptions {
  readonly kinds: readonly SharedKind[];
  /** Bytes of the smallest message that is shared. */
  readonly minSize: number;
  /** Messages above which the list of them becomes a B-tree. */
  readonly listMax: number;
}

/** Kinds that HDF5 can share. */
export const sharedKinds: readonly SharedKind[] = ["dataspace", "datatype", "fillValue", "filterPipeline", "attribute"];
