import type { Encoder, PipelineFilter } from "@h5/filters";
import { filterName } from "@h5/filters";
import { bitshuffleEncoder } from "@h5/filters/bitshuffle";
import { InvalidArgumentError, isH5Error, MissingFilterError } from "@h5/framing";
import {
  bitshuffle,
  blosc,
  type ChunkFilter,
  deflate,
  fletcher32,
  lz4,
  lzf,
  nbit,
  type SzipOptions,
  scaleOffset,
  shuffle,
  szip,
} from "@h5/writer";

/** Bit of szip's options that says the coding is by entropy alone. */
const SZIP_ENTROPY = 4;
/** Scale types of the scale-offset filter: floats by decimals, integers. */
const FLOAT_DECIMALS = 0;
/** The codec of Blosc that there is an encoder for. */
const BLOSC_LZ4 = 1;
/** The compression of bitshuffle that there is none for. */
const BITSHUFFLE_ZSTD = 3;

/**
 * A filter of a dataset as it is stored, with its own client data. Chunks that have been through it are copied as they are;
 * only where a filter has no encoder here can no others be written.
 */
export function sameFilter(filter: PipelineFilter): ChunkFilter {
  const { id, optional, params } = filter;
  const encoder = knownFilter(filter)?.encoder ?? missingEncoder(filter);
  const encode: Encoder["encode"] = (bytes, own) => {
    try {
      return encoder.encode(bytes, own);
    } catch (error) {
      // As libhdf5 does with an optional filter that the dataset is not for: the chunk is stored without it.
      if (optional && isH5Error(error, "INVALID_ARGUMENT")) return undefined;
      throw error;
    }
  };
  return { encoder: { id, name: filter.name ?? encoder.name, encode }, optional, verbatim: true, params: () => params };
}

/**
 * The same filter for chunks of another shape, on which its client data may depend.
 *
 * @throws MissingFilterError for a filter that cannot be written
 */
export function adaptedFilter(filter: PipelineFilter): ChunkFilter {
  const known = knownFilter(filter);
  if (known === undefined) throw missing(filter);
  return known;
}

function knownFilter({ id, params }: PipelineFilter): ChunkFilter | undefined {
  switch (id) {
    case 1:
      return deflate(Math.min(9, params[0] ?? 6));
    case 2:
      return shuffle();
    case 3:
      return fletcher32();
    case 4: {
      const coding = ((params[0] ?? 0) & SZIP_ENTROPY) !== 0 ? "ec" : "nn";
      return szip({ coding, pixelsPerBlock: params[1] } as SzipOptions);
    }
    case 5:
      return nbit();
    case 6: {
      const [kind, digits = 0] = params;
      return scaleOffset(
        kind === FLOAT_DECIMALS ? { kind: "float", decimals: digits | 0 } : { kind: "integer", bits: digits },
      );
    }
    case 32000:
      return lzf();
    case 32001:
      return params[6] === BLOSC_LZ4 ? blosc((["none", "bytes", "bits"] as const)[params[5]!]) : undefined;
    case 32004:
      return { ...lz4(), params: () => params };
    case 32008:
      if (params[4] === BITSHUFFLE_ZSTD) return undefined;
      // Not the writer's encoder, which leaves out what gains nothing: without LZ4 it is the next filter that gains.
      return { ...bitshuffle(), encoder: bitshuffleEncoder, params: () => params };
    default:
      return undefined;
  }
}

function missingEncoder(filter: PipelineFilter): Encoder {
  return {
    id: filter.id,
    name: filterName(filter.id) ?? "",
    encode() {
      throw missing(filter);
    },
  };
}

function missing({ id, name }: PipelineFilter): MissingFilterError {
  return new MissingFilterError(id, filterName(id) ?? name ?? "", { structure: "filter pipeline" }, "encoder");
}

/** The word that stands for no filters at all. */
export const NO_FILTERS = "none";

/**
 * The filter that a word of the command line stands for: its name and, behind a colon, the number it takes.
 *
 * @throws InvalidArgumentError for another word, and for numbers the filter does not take
 */
export function filterOf(word: string): ChunkFilter {
  const [, name, digits] = /^([a-z0-9-]+)(?::(-?\d+))?$/.exec(word) ?? [];
  const number = digits === undefined ? undefined : Number(digits);
  switch (name) {
    case "deflate":
      return deflate(number);
    case "szip":
      return szip({ pixelsPerBlock: number });
    case "scaleoffset":
      return scaleOffset({ kind: "integer", bits: number });
    case "scaleoffset-float":
      if (number === undefined) throw new InvalidArgumentError(`${name} needs the number of decimals to keep`);
      return scaleOffset({ kind: "float", decimals: number });
  }
  const plain = number === undefined ? plainFilter(name) : undefined;
  if (plain !== undefined) return plain;
  throw new InvalidArgumentError(`no filter ${JSON.stringify(word)}`);
}

function plainFilter(name: string | undefined): ChunkFilter | undefined {
  switch (name) {
    case "shuffle":
      return shuffle();
    case "fletcher32":
      return fletcher32();
    case "lzf":
      return lzf();
    case "lz4":
      return lz4();
    case "bitshuffle":
      return bitshuffle();
    case "blosc":
      return blosc();
    case "nbit":
      return nbit();
    default:
      return undefined;
  }
}
