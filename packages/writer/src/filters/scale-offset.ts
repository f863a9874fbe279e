import { type Datatype, describeDatatype, type FloatDatatype, type IntegerDatatype, ieeeSize } from "@h5/datatypes";
import { scaleOffsetEncoder } from "@h5/filters/scale-offset-encode";
import { type ChunkFilter, chunkElements, type FilteredDataset, onlyIfSmaller, refuse } from "./chunk-filter.ts";

const PARAMS = 20;
const FLOAT_DECIMALS = 0;
const INTEGER = 2;

/** Options of {@link scaleOffset}. */
export type ScaleOffsetOptions =
  | {
      readonly kind: "integer";
      /**
       * Bits a number is stored in, for its distance from the chunk's smallest; 0 or left out, what each chunk needs.
       * Chunks with larger distances are stored whole.
       */
      readonly bits?: number | undefined;
    }
  | {
      readonly kind: "float";
      /** Decimal digits kept after the point. */
      readonly decimals: number;
    };

/**
 * The scale-offset filter, optional, as `H5Pset_scaleoffset` has it: integers lose nothing, floating-point numbers are
 * rounded to a number of decimals. Chunks that it cannot hold, or not make smaller, are stored whole. For integers of 1,
 * 2, 4 and 8 bytes and IEEE numbers of 4 and 8. H5Zscaleoffset.c; the parameters are described at `scaleOffsetDecoder`.
 *
 * @throws InvalidArgumentError for bits that are not 0 to 64, and for decimals that are not a number from 0 up
 */
export function scaleOffset(options: ScaleOffsetOptions): ChunkFilter {
  const { kind } = options;
  if (kind !== "integer" && kind !== "float") refuse("scaleoffset", `expected kind "integer" or "float", got ${kind}`);
  const scale = kind === "float" ? options.decimals : (options.bits ?? 0);
  const most = kind === "float" ? 2147483647 : 64;
  if (!Number.isInteger(scale) || scale < 0 || scale > most) {
    refuse("scaleoffset", `expected ${kind === "float" ? "decimals" : "bits"} from 0 to ${most}, got ${scale}`);
  }
  return {
    encoder: onlyIfSmaller(scaleOffsetEncoder),
    optional: true,
    params: (dataset) => scaleOffsetParams(kind, scale, dataset),
  };
}

function scaleOffsetParams(kind: ScaleOffsetOptions["kind"], scale: number, dataset: FilteredDataset): number[] {
  const t = scalable(dataset.datatype, kind);
  if (kind === "integer" && scale > 8 * t.size) {
    refuse("scaleoffset", `expected at most ${8 * t.size} bits, got ${scale}`);
  }
  const fill = dataset.fill === undefined ? [0] : [1, ...fillParams(dataset.fill, t)];
  const params = [
    kind === "float" ? FLOAT_DECIMALS : INTEGER,
    scale,
    chunkElements(dataset),
    t.class === "float" ? 1 : 0,
    t.size,
    t.class === "integer" && t.signed ? 1 : 0,
    t.order === "BE" ? 1 : 0,
    ...fill,
  ];
  while (params.length < PARAMS) params.push(0);
  return params;
}

/** The type, where it is one the filter knows. A float of other form would be rounded as if it were an IEEE number. */
function scalable(t: Datatype, kind: ScaleOffsetOptions["kind"]): IntegerDatatype | FloatDatatype {
  if (t.class === "integer" && kind === "integer" && [1, 2, 4, 8].includes(t.size)) return t;
  if (t.class === "float" && kind === "float" && (ieeeSize(t) ?? 0) >= 4) return t;
  const known = kind === "float" ? "IEEE floats of 4 and 8 bytes" : "integers of 1, 2, 4 and 8 bytes";
  return refuse("scaleoffset", `kind "${kind}" takes ${known}, got ${describeDatatype(t)}`);
}

/** The fill value in 32-bit words, the least significant first. */
function fillParams(fill: Uint8Array, { size, order }: IntegerDatatype | FloatDatatype): number[] {
  if (fill.length !== size) refuse("scaleoffset", `expected a fill value of ${size} bytes, got ${fill.length}`);
  const padded = new Uint8Array(8);
  padded.set(order === "BE" ? fill.slice().reverse() : fill);
  const view = new DataView(padded.buffer);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}
