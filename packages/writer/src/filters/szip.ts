import type { BitfieldDatatype, Datatype, FloatDatatype, IntegerDatatype, TimeDatatype } from "@h5/datatypes";
import { describeDatatype } from "@h5/datatypes";
import { szipEncoder } from "@h5/filters/szip-encode";
import { type ChunkFilter, chunkElements, type FilteredDataset, refuse } from "./chunk-filter.ts";

const ALLOW_K13 = 1;
const ENTROPY_CODING = 4;
const LITTLE_ENDIAN = 8;
const BIG_ENDIAN = 16;
const NEAREST_NEIGHBOUR = 32;
const RAW = 128;

const MAX_PIXELS_PER_BLOCK = 32;
const MAX_BLOCKS_PER_SCANLINE = 128;
const MAX_PIXEL_BITS = 64;

/** Options of {@link szip}. */
export interface SzipOptions {
  /** `"nn"` (the default) codes the differences of neighbours, `"ec"` the numbers themselves. */
  readonly coding?: "nn" | "ec" | undefined;
  /** Numbers coded alike: even, 2 to 32, h5py's 8 by default; a chunk has as many at least. */
  readonly pixelsPerBlock?: number | undefined;
}

/**
 * The szip filter, optional, as `H5Pset_szip` has it. For numbers, bits and times, and arrays and enumerations of them
 * (H5Zszip.c).
 *
 * @throws InvalidArgumentError for another coding or number of pixels
 */
export function szip({ coding = "nn", pixelsPerBlock = 8 }: SzipOptions = {}): ChunkFilter {
  if (coding !== "nn" && coding !== "ec") refuse("szip", `expected coding "nn" or "ec", got ${JSON.stringify(coding)}`);
  if (pixelsPerBlock % 2 !== 0 || pixelsPerBlock < 2 || pixelsPerBlock > MAX_PIXELS_PER_BLOCK) {
    refuse("szip", `expected an even pixelsPerBlock from 2 to ${MAX_PIXELS_PER_BLOCK}, got ${pixelsPerBlock}`);
  }
  const mask = ALLOW_K13 | RAW | (coding === "nn" ? NEAREST_NEIGHBOUR : ENTROPY_CODING);
  return {
    encoder: szipEncoder,
    optional: true,
    params(dataset) {
      const pixel = pixelType(dataset.datatype);
      return [
        mask | (pixel.order === "BE" ? BIG_ENDIAN : LITTLE_ENDIAN),
        pixelsPerBlock,
        pixelBits(pixel, 8 * dataset.datatype.size),
        scanline(dataset, pixelsPerBlock),
      ];
    },
  };
}

type PixelType = IntegerDatatype | FloatDatatype | BitfieldDatatype | TimeDatatype;

/** The type whose byte order and bits libhdf5 takes for the element's: the innermost base. */
function pixelType(datatype: Datatype): PixelType {
  let t = datatype;
  // Of variable-length data only those within arrays, as libhdf5 has it.
  while ("base" in t && datatype.class !== "vlen") t = t.base;
  if (t.class !== "integer" && t.class !== "float" && t.class !== "bitfield" && t.class !== "time") {
    return refuse("szip", `it codes numbers, got ${describeDatatype(datatype)}`);
  }
  return t.order === "VAX" ? refuse("szip", "it has no code for VAX byte order") : t;
}

/** Bits of a pixel: those in use where they are the lowest of the element, rounded up as szip needs it. */
function pixelBits(pixel: PixelType, elementBits: number): number {
  const inMiddle = pixel.class !== "time" && pixel.offset !== 0 && pixel.precision < elementBits;
  const bits = inMiddle ? elementBits : pixel.precision;
  if (bits > MAX_PIXEL_BITS) refuse("szip", `it codes up to ${MAX_PIXEL_BITS} bits, and an element has ${bits}`);
  return bits <= 24 ? bits : bits <= 32 ? 32 : 64;
}

/** Pixels coded from one reference sample on: a chunk's row, or the whole chunk where its rows are shorter than a block. */
function scanline(dataset: FilteredDataset, pixelsPerBlock: number): number {
  const row = dataset.chunkShape.at(-1)!;
  const pixels = row < pixelsPerBlock ? chunkElements(dataset) : row;
  if (pixels < pixelsPerBlock) {
    refuse("szip", `expected at least pixelsPerBlock = ${pixelsPerBlock} elements in a chunk, got ${pixels}`);
  }
  return Math.min(pixels, pixelsPerBlock * MAX_BLOCKS_PER_SCANLINE);
}
