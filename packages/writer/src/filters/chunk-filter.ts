import type { Datatype } from "@h5/datatypes";
import type { Encoder, SyncEncoder } from "@h5/filters";
import { InvalidArgumentError } from "@h5/framing";

/** A filter of a dataset's pipeline: how chunks are encoded, and how its pipeline entry comes about. */
export interface ChunkFilter {
  readonly encoder: Encoder;
  /** Chunks that the encoder gives nothing for are stored without it (flag bit 0 of the pipeline entry). */
  readonly optional: boolean;
  /**
   * The filter is as another file has it: its client data stays what it is, and so does its place among the others, even
   * where libhdf5 would not put it there today.
   */
  readonly verbatim?: boolean | undefined;
  /**
   * The client data of the pipeline entry: what libhdf5 computes when it creates the dataset (the filter's `set_local`).
   *
   * @throws InvalidArgumentError where the filter cannot be used on such a dataset
   */
  params(dataset: FilteredDataset): readonly number[];
}

/** What a filter may know of its dataset. */
export interface FilteredDataset {
  readonly datatype: Datatype;
  /** Elements of a chunk along each axis, at least one axis. */
  readonly chunkShape: readonly number[];
  /** The fill value, one element as stored; `undefined` where the dataset has none, not even zeros. */
  readonly fill: Uint8Array | undefined;
}

/** Elements of a chunk. */
export function chunkElements({ chunkShape }: FilteredDataset): number {
  return chunkShape.reduce((product, dim) => product * dim, 1);
}

/** Refuses a filter's options, or the filter on a dataset. */
export function refuse(filter: string, reason: string): never {
  throw new InvalidArgumentError(reason, { structure: `${filter} filter` });
}

/**
 * The encoder, giving nothing for chunks that it does not make smaller. They are left out by the mask then, since some
 * releases of libhdf5 do not read the forms that gain nothing: 1.14.5 no scale-offset chunk of full width, those after
 * 2.0 no nbit chunk of a type without numbers.
 */
export function onlyIfSmaller(encoder: SyncEncoder): SyncEncoder {
  return {
    id: encoder.id,
    name: encoder.name,
    encode(bytes, params) {
      const encoded = encoder.encode(bytes, params);
      return encoded !== undefined && encoded.length < bytes.length ? encoded : undefined;
    },
  };
}
