import type { Json } from "./expected.ts";

/** Members of an `ExpectedObject` that h5wasm does not tell, or not of all types. */
export const untold: ReadonlySet<string> = new Set([
  ...["data", "layout", "chunk_index", "group_storage", "attr_storage", "creation_order", "committed", "blocks"],
  ...["order", "size", "offset", "precision", "norm", "tag", "members", "base", "cycle", "points", "facts", "type"],
  ...["sign_pos", "exp_pos", "exp_size", "mant_pos", "mant_size", "exp_bias", "fill", "allocation_time", "fill_time"],
  ...["stored_chunks", "masks", "comment", "link_count", "attribute_order", "target"],
]);

/** Expected objects without the elements that h5wasm gives as they are stored. */
export function toldOf(objects: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(objects).map(([path, object]) => {
      const { data, ...rest } = object as { data?: Json; dtype?: Json };
      return [path, (isConverted(rest.dtype) ? object : rest) as Json];
    }),
  );
}

/** Whether h5wasm has libhdf5 convert such elements: big-endian numbers inside others, and odd bits, stay as they are. */
function isConverted(dtype: Json | undefined, inside: boolean = false): boolean {
  if (typeof dtype !== "object" || dtype === null) return true;
  if (Array.isArray(dtype)) return dtype.every((part) => isConverted(part, true));
  const { precision, order, base, members, type } = dtype as { readonly [key: string]: Json };
  if (precision !== undefined || (inside && order === "BE")) return false;
  return [base, members, type].every((part) => isConverted(part, true));
}
