import type { ChunkFilter } from "@h5/writer";

/** What a copy is to be, beyond the same. */
export interface CopyOptions {
  /** Paths of the objects to be copied, with all below them; none given: everything. */
  readonly only?: readonly string[] | undefined;
  /** Filters for all datasets that can have them, in place of their own; an empty list for none at all. */
  readonly filters?: readonly ChunkFilter[] | undefined;
  /** Chunk shape for the datasets of as many dimensions. */
  readonly chunks?: readonly number[] | undefined;
  /** Write what HDF5 1.6 reads. */
  readonly earliest?: boolean | undefined;
  /** Ends the copy; the sink is told to abort. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a copy tells how it goes. */
export interface CopyReport {
  /** Something that is not in the copy as it is in the file, at a path. */
  readonly warn?: ((path: string, message: string) => void) | undefined;
  /** Bytes of elements that have been copied, of all. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
}
