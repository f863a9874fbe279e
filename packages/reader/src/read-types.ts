import type { DtypeName, Scalar } from "@h5/datatypes";
import type { Sel, Selection, Slice } from "@h5/selection";
import type { NdArray } from "./nd-array.ts";

/**
 * What `get` takes: `null` for everything, a member for each dimension (zarrita's way), or a selection as H5S has it,
 * such as a region reference's.
 */
export type ReadSelection = readonly Sel[] | Selection | null;

/** What `get` gives: a scalar where every member of the selection is an integer, else an array. */
export type GetResult<D extends DtypeName, S extends ReadSelection> = S extends null | Selection
  ? NdArray<D>
  : S extends readonly number[]
    ? number extends S["length"]
      ? NdArray<D> | Scalar<D>
      : Scalar<D>
    : S extends readonly (infer M)[]
      ? number extends S["length"]
        ? NdArray<D> | Scalar<D>
        : [Extract<M, number>] extends [never]
          ? NdArray<D>
          : S extends readonly (Slice | null | number)[]
            ? NdArray<D>
            : NdArray<D> | Scalar<D>
      : never;
