import type { Datatype, DtypeName } from "@h5/datatypes";
import type { Attribute, Dataset, NdArray } from "@h5/reader";
import { dataspaceElementCount, elementCount } from "@h5/selection";
import { flatSelections } from "./flat-range.ts";
import type { ReferenceNamer } from "./references.ts";
import { jsonValues, nest } from "./values.ts";

/** Elements by their flat row-major index. */
export interface ElementSource {
  readonly datatype: Datatype;
  /** Above 2^53-1 not exact. */
  readonly count: number;
  /** The JSON forms of `count` elements from `start` on. */
  list(start: number, count: number): Promise<unknown[]>;
  /** The bytes of their values, for numbers. */
  numbers(start: number, count: number): Promise<readonly Uint8Array[]>;
}

/** The elements of a dataset, read as they are asked for. */
export function datasetElements(dataset: Dataset, nameOf: ReferenceNamer): ElementSource {
  const { datatype, shape } = dataset;
  const read = async (start: number, count: number): Promise<{ data: unknown; count: number }[]> => {
    const parts: { data: unknown; count: number }[] = [];
    for (const range of flatSelections(shape, start, count)) {
      const { data } = (await dataset.get(range.selection)) as NdArray<DtypeName>;
      parts.push({ data, count: range.count });
    }
    return parts;
  };
  return {
    datatype,
    count: dataset.spaceClass === "null" ? 0 : shape.reduce((product, size) => product * size, 1),
    async list(start, count) {
      const parts = await read(start, count);
      return parts.flatMap((part) => jsonElements(datatype, part.data, part.count, nameOf));
    },
    async numbers(start, count) {
      return (await read(start, count)).map(({ data }) => bytesOf(data));
    },
  };
}

/** The elements of an attribute, read at once. */
export function attributeElements(attribute: Attribute, nameOf: ReferenceNamer): ElementSource {
  const { datatype } = attribute;
  const count = dataspaceElementCount(attribute.dataspace);
  let values: Promise<unknown> | undefined;
  const read = (): Promise<unknown> => {
    values ??= attribute.get().then(({ data }) => data);
    return values;
  };
  return {
    datatype,
    count,
    async list(start, length) {
      return jsonElements(datatype, await read(), count, nameOf).slice(start, start + length);
    },
    async numbers(start, length) {
      const all = bytesOf(await read());
      const scale = all.length / count;
      return [all.subarray(start * scale, (start + length) * scale)];
    },
  };
}

function bytesOf(values: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = values as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Elements as `get` gives them: those of an array datatype come flat, its dimensions after the dataset's. */
function jsonElements(datatype: Datatype, data: unknown, count: number, nameOf: ReferenceNamer): unknown[] {
  if (datatype.class !== "array") return jsonValues(datatype, data, count, nameOf);
  const dims: number[] = [];
  let base: Datatype = datatype;
  while (base.class === "array") {
    dims.push(...base.dims);
    base = base.base;
  }
  return nest(jsonValues(base, data, count * elementCount(dims), nameOf), [count, ...dims]);
}

/** Numbers, strings and the like in one element. */
export function leavesOf(type: Datatype): number {
  if (type.class === "array") return elementCount(type.dims) * leavesOf(type.base);
  if (type.class === "compound") return type.members.reduce((sum, { type: member }) => sum + leavesOf(member), 0);
  return 1;
}
