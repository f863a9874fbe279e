/** A case of the comparison. */
export interface Case {
  readonly id: string;
  readonly what: string;
  /** Whether our `get` can be given the result's memory, and that is worth measuring: results of at least 8 MiB. */
  readonly into?: boolean;
}

const readCases: readonly Case[] = [
  { id: "a", what: "128 MiB contiguous f64", into: true },
  { id: "b_earliest", what: "4096 × 4096 f32, 256 × 256 chunks, shuffle + gzip 6, version 1 B-tree", into: true },
  { id: "b_latest", what: "the same, fixed array", into: true },
  { id: "c_earliest", what: "2 M i32 in 2000 chunks, gzip 1, version 1 B-tree", into: true },
  { id: "c_latest", what: "the same, fixed array", into: true },
  { id: "d_earliest", what: "100 random 64 × 64 windows of b" },
  { id: "d_latest", what: "the same, fixed array" },
  { id: "e_contig", what: "500 k variable-length strings, contiguous" },
  { id: "e_chunk", what: "the same in chunks of 8192" },
  { id: "f", what: "500 k strings of 24 bytes" },
  { id: "g", what: "500 k compounds of 5 fields, shuffle + gzip, as columns" },
  { id: "h_earliest", what: "walk 10 k groups: dataset, shape, 3 attributes" },
  { id: "h_latest", what: "the same, latest format" },
  { id: "hd_earliest", what: "h, and each dataset's 8 f64" },
  { id: "hd_latest", what: "the same, latest format" },
  { id: "i_list", what: "names of 50 k links" },
  { id: "i_lookup", what: "1000 of them looked up, scalar read" },
  { id: "j", what: "5000 dense attributes" },
  { id: "k", what: "8 M i64, 64 Ki chunks, shuffle + gzip 4", into: true },
  { id: "l_int", what: "4 M i32, scale-offset", into: true },
  { id: "l_float", what: "4 M f32, scale-offset", into: true },
  { id: "m", what: "6 M f64 in chunks, fletcher32", into: true },
  { id: "n", what: "2896 × 2896 f32, shuffle + lzf", into: true },
  { id: "o", what: "2896 × 2896 u16, szip" },
  { id: "p", what: "100 k ragged i32 sequences" },
  { id: "q", what: "64 MiB contiguous big-endian f32", into: true },
  { id: "r_earliest", what: "200 slices of 1e9 i16, most chunks missing" },
  { id: "r_latest", what: "the same, paged fixed array" },
  { id: "s_slice", what: "1000 rows of a CSR matrix" },
  { id: "s_full", what: "the whole CSR matrix, 5 M values", into: true },
  { id: "t_earliest", what: "252 MB file: open, 1 MiB slice" },
  { id: "t_paged", what: "the same, paged aggregation" },
  { id: "t_open", what: "open it and list the root" },
];

const writeCases: readonly Case[] = [
  { id: "w_a", what: "128 MiB contiguous f64" },
  { id: "w_b", what: "4096 × 4096 f32, 256 × 256 chunks, shuffle + deflate 6" },
  { id: "w_bd", what: "the same without shuffle" },
  { id: "w_h", what: "10 k groups, dataset of 8 f64, 3 attributes" },
  { id: "w_e", what: "500 k variable-length strings" },
  { id: "w_append", what: "1000 appends of 1000 f64, chunks of 4096" },
];

export type Kind = "read" | "write";

export const casesOf: Readonly<Record<Kind, readonly Case[]>> = { read: readCases, write: writeCases };

/**
 * The cases that a comma-separated list names: by id, or by what comes before the `_` of several.
 *
 * @throws Error for a name that is none of them
 */
export function casesNamed(kind: Kind, names: string | undefined): readonly Case[] {
  const cases = casesOf[kind];
  if (names === undefined || names === "all") return cases;
  return names.split(",").flatMap((name) => {
    const exact = cases.filter(({ id }) => id === name);
    const found = exact.length > 0 ? exact : cases.filter(({ id }) => id.startsWith(`${name}_`));
    if (found.length === 0) throw new Error(`no ${kind} case "${name}"`);
    return found;
  });
}
