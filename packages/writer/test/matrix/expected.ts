import { createHash } from "node:crypto";

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * What a reader must find at a path, in the words of the JSON that packages/conformance/README.md describes. What is left
 * out is not compared.
 */
export interface ExpectedObject {
  readonly [property: string]: unknown;
  readonly kind?: "group" | "dataset" | "datatype";
  /** Of a dataset; `null` for the null dataspace. */
  readonly shape?: readonly number[] | null;
  readonly maxshape?: readonly (number | null)[] | null;
  readonly dtype?: Json;
  /** Elements in row-major order: typed arrays as they were put in, or JSON. */
  readonly data?: unknown;
  readonly layout?: "compact" | "contiguous" | "chunked" | "virtual";
  readonly chunks?: readonly number[] | null;
  /** Numbers of the filters, in order. */
  readonly filters?: readonly number[];
  readonly chunk_index?: "single" | "implicit" | "farray" | "earray" | "btree2" | "btree1";
  readonly group_storage?: "compact" | "dense" | "symtab";
  readonly attr_storage?: "dense";
  readonly creation_order?: readonly string[];
  readonly external?: readonly (readonly (string | number)[])[];
  readonly attrs?: Readonly<Record<string, Pick<ExpectedObject, "shape" | "dtype" | "data">>>;
  readonly links?: Readonly<Record<string, Json>>;
  /** What the library says of the object beyond its content. */
  readonly facts?: Facts | undefined;
}

/** What only the library's own functions tell. */
export interface Facts {
  /** The fill value as h5py gives it; `null` where it is undefined. */
  readonly fill?: Json;
  readonly allocation_time?: "early" | "late" | "incremental";
  readonly fill_time?: "allocation" | "never" | "ifset";
  /** Chunks that have room in the file. */
  readonly stored_chunks?: number;
  /** Filter masks of stored chunks by the coordinate of their first element; those that are 0 are left out. */
  readonly masks?: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly link_count?: number;
  /** Names of attributes in the order of their creation. */
  readonly attribute_order?: readonly string[];
  /** Links, where they are too many to be listed. */
  readonly link_names?: number;
  /** Paths of the scales attached to each dimension. */
  readonly scales?: readonly (readonly string[])[];
  /** Labels of the dimensions, empty where there is none. */
  readonly labels?: readonly string[];
  readonly scale_name?: string;
}

/** Elements that a document lists; of more it gives the number, a hash and the first ones. */
const LISTED = 2000;
const HEAD = 8;

/** Elements as a document gives them: numbers that are not finite and large integers as strings, many as a digest. */
export function documented(data: unknown): Json {
  if (ArrayBuffer.isView(data) && !(data instanceof DataView)) return documentedNumbers(data as NumberArray);
  if (Array.isArray(data)) return data.map(documentedElement);
  return documentedElement(data);
}

type NumberArray = Uint8Array | Float64Array | BigInt64Array;

function documentedNumbers(numbers: NumberArray): Json {
  const list = (part: NumberArray): Json[] => Array.from(part as ArrayLike<unknown>, documentedElement);
  if (numbers.length <= LISTED) return list(numbers);
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, n: numbers.length, head: list(numbers.subarray(0, HEAD)) };
}

function documentedElement(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, documentedElement);
  if (Array.isArray(value)) return value.map(documentedElement);
  if (typeof value !== "object" || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, documentedElement(inner)]));
}

/** An expectation in plain JSON. */
export function documentedObject({ data, attrs, ...object }: ExpectedObject): Json {
  return {
    ...(object as Record<string, Json>),
    ...(data !== undefined && { data: documented(data) }),
    ...(attrs !== undefined && {
      attrs: Object.fromEntries(Object.entries(attrs).map(([name, value]) => [name, documentedObject(value)])),
    }),
  };
}
