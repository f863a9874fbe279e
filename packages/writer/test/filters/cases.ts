import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Datatype, decodeDatatype } from "@h5/datatypes";
import type { ChunkFilter, FilteredDataset } from "../../src/filters/chunk-filter.ts";
import { deflate } from "../../src/filters/deflate.ts";
import { fletcher32 } from "../../src/filters/fletcher32.ts";
import { lzf } from "../../src/filters/lzf.ts";
import { nbit } from "../../src/filters/nbit.ts";
import { scaleOffset } from "../../src/filters/scale-offset.ts";
import { shuffle } from "../../src/filters/shuffle.ts";
import { szip } from "../../src/filters/szip.ts";

/** A dataset and the pipeline libhdf5 made of the filters asked for: fixtures/make/filter-params.py. */
export interface ParamsCase {
  readonly name: string;
  readonly filters: () => ChunkFilter[];
  readonly dataset: FilteredDataset;
  /** The pipeline message, version 2, in hexadecimal; `null` where libhdf5 refuses to create the dataset. */
  readonly message: string | null;
}

interface Recorded {
  readonly name: string;
  readonly type: string;
  readonly chunk: readonly number[];
  readonly filters: readonly (readonly [string, ...(string | number)[]])[];
  readonly fill?: string | null;
  readonly message: string | null;
}

const { types, cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../fixtures/filters/params.json"), "utf8"),
) as { types: Record<string, string>; cases: readonly Recorded[] };

/** The datatype libhdf5 stored under a name of the script's. */
export function typeNamed(name: string): Datatype {
  return decodeDatatype(Buffer.from(types[name]!, "hex"));
}

export const paramsCases: readonly ParamsCase[] = cases.map(({ name, type, chunk, filters, fill, message }) => {
  const datatype = typeNamed(type);
  const stored = fill === undefined ? new Uint8Array(datatype.size) : fill === null ? undefined : unhex(fill);
  const dataset = { datatype, chunkShape: chunk, fill: stored };
  return { name, filters: () => filters.map(filterOf), dataset, message };
});

function unhex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}

function filterOf([name, ...args]: Recorded["filters"][number]): ChunkFilter {
  switch (name) {
    case "deflate":
      return deflate(args[0] as number);
    case "shuffle":
      return shuffle();
    case "fletcher32":
      return fletcher32();
    case "lzf":
      return lzf();
    case "szip":
      return szip({ coding: args[0] as "ec" | "nn", pixelsPerBlock: args[1] as number });
    case "nbit":
      return nbit();
    case "scaleInteger":
      return scaleOffset({ kind: "integer", bits: args[0] as number });
    case "scaleFloat":
      return scaleOffset({ kind: "float", decimals: args[0] as number });
    default:
      throw new Error(`no filter ${name}`);
  }
}
