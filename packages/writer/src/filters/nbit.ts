import { type CompoundDatatype, type Datatype, describeDatatype } from "@h5/datatypes";
import { nbitEncoder } from "@h5/filters/nbit";
import { type ChunkFilter, chunkElements, type FilteredDataset, onlyIfSmaller, refuse } from "./chunk-filter.ts";

const NUMBER = 1;
const ARRAY = 2;
const COMPOUND = 3;
const PLAIN = 4;
/** Parameters one filter may have (`H5Z_NBIT_MAX_NPARMS`). */
const MAX_PARAMS = 4096;

/**
 * The nbit filter, optional, as `H5Pset_nbit` has it: of integers and floating-point numbers with unused bits, also in
 * compounds and arrays, only the used bits are stored; what stands in the others is lost. H5Znbit.c; the parameters are
 * described at `nbitDecoder`.
 */
export function nbit(): ChunkFilter {
  return { encoder: onlyIfSmaller(nbitEncoder), optional: true, params: nbitParams };
}

function nbitParams(dataset: FilteredDataset): number[] {
  const { datatype } = dataset;
  if (datatype.class === "vlen") refuse("nbit", `it packs numbers, got ${describeDatatype(datatype)}`);
  // What is nothing but plain bytes has no description at all.
  const type = isDescribed(datatype) ? describe(datatype) : [];
  const params = [type.length + 3, usesAllBits(datatype) ? 1 : 0, chunkElements(dataset), ...type];
  if (params.length > MAX_PARAMS) {
    refuse("nbit", `expected a datatype described by ${MAX_PARAMS} parameters, got one that needs ${params.length}`);
  }
  return params;
}

/** Whether libhdf5 looks into the type. */
function isDescribed(t: Datatype): boolean {
  return t.class === "integer" || t.class === "float" || t.class === "array" || t.class === "compound";
}

function describe(t: Datatype): number[] {
  switch (t.class) {
    case "integer":
    case "float":
      if (t.order === "VAX") refuse("nbit", "it has no code for VAX byte order");
      return [NUMBER, t.size, t.order === "BE" ? 1 : 0, t.precision, t.offset];
    case "array":
      if (t.base.class === "vlen") refuse("nbit", `libhdf5 cannot pack ${describeDatatype(t)}`);
      return [ARRAY, t.size, ...describe(t.base)];
    case "compound":
      return [COMPOUND, t.size, t.members.length, ...describeMembers(t)];
    default:
      return [PLAIN, t.size];
  }
}

function describeMembers({ members, size }: CompoundDatatype): number[] {
  const inOrder = [...members].sort((a, b) => a.offset - b.offset);
  return inOrder.flatMap(({ offset, type }, i) => {
    // libhdf5 takes what is in a heap with the gap behind it.
    if (type.class === "vlen") return [offset, PLAIN, (inOrder[i + 1]?.offset ?? size) - offset];
    return [offset, ...describe(type)];
  });
}

function usesAllBits(t: Datatype): boolean {
  if (t.class === "integer" || t.class === "float") return t.offset === 0 && t.precision === 8 * t.size;
  if (t.class === "array") return usesAllBits(t.base);
  return t.class !== "compound" || t.members.every(({ type }) => usesAllBits(type));
}
