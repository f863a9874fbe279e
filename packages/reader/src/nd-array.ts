import type { Data, Datatype, DtypeName, Values } from "@h5/datatypes";
import type { Dataspace } from "@h5/selection";

/** Elements in row-major order, with zarrita's shape and strides (in elements). */
export interface NdArray<D extends DtypeName> {
  readonly data: Data<D>;
  readonly shape: number[];
  readonly stride: number[];
}

/** Strides, in elements, of a dense row-major array. */
export function rowMajorStride(shape: readonly number[]): number[] {
  const stride = new Array<number>(shape.length);
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    stride[i] = step;
    step *= shape[i]!;
  }
  return stride;
}

/** Shape of the array that holds all elements of a dataspace: a null one has none. */
export function valueShape({ class: space, shape }: Dataspace): number[] {
  return space === "null" ? [0] : [...shape];
}

/**
 * Values as an array of a shape. An array datatype's dimensions come after the dataset's, as in h5py, and its elements
 * flat; `values` are then those of its innermost base.
 */
export function arrayOf(values: Values, shape: readonly number[], datatype: Datatype): NdArray<DtypeName> {
  const whole = [...shape, ...flattened(datatype).dims];
  return { data: values as Data<DtypeName>, shape: whole, stride: rowMajorStride(whole) };
}

/** An array datatype's dimensions, nested ones after one another, and what they are of; no dimensions for any other. */
export function flattened(datatype: Datatype): { readonly dims: readonly number[]; readonly base: Datatype } {
  if (datatype.class !== "array") return { dims: [], base: datatype };
  const { dims, base } = flattened(datatype.base);
  return { dims: [...datatype.dims, ...dims], base };
}
