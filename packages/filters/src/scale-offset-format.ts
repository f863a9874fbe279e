import { UnsupportedFeatureError } from "@h5/framing";
import { reverseElements } from "./reverse-elements.ts";

/** What the two directions of the scale-offset filter share; the layout stands in scale-offset.ts. */

const PARAMS = 20;
/** Bytes of a chunk before the packed numbers. */
export const HEADER_BYTES = 21;

/** What the parameters of a pipeline entry say. */
export interface ScaleOffsetParameters {
  readonly scale: number;
  readonly count: number;
  readonly float: boolean;
  readonly size: number;
  readonly signed: boolean;
  readonly littleEndian: boolean;
  /** The bits of the fill value, where there is one. */
  readonly fill: Bits64 | undefined;
}

/** A 64-bit pattern as two unsigned words; narrower ones have `high` 0. */
export interface Bits64 {
  readonly low: number;
  readonly high: number;
}

/** Unsigned 64-bit numbers, as an element each of two arrays: BigInts are many times slower. */
export interface Words {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/**
 * Reads and checks the parameters of a pipeline entry.
 *
 * @throws UnsupportedFeatureError for scale type 1, and whatever `fail` throws
 */
export function scaleOffsetParameters(
  params: readonly number[],
  fail: (message: string) => never,
): ScaleOffsetParameters {
  if (params.length !== PARAMS) fail(`expected ${PARAMS} parameters, got ${params.length}`);
  const scaleType = params[0]!;
  const scale = params[1]! | 0;
  const count = params[2]!;
  const kind = params[3]!;
  const size = params[4]!;
  const order = params[6]!;
  const float = kind === 1;
  if (scaleType === 1) {
    const place = { structure: "scaleoffset filter" };
    throw new UnsupportedFeatureError("E-scaling (scale type 1), which libhdf5 never implemented", place);
  }
  if (kind > 1 || scaleType !== (float ? 0 : 2)) fail(`scale type ${scaleType} for class ${kind}`);
  const sizes = float ? [4, 8] : [1, 2, 4, 8];
  if (!sizes.includes(size)) fail(`expected an element size of ${sizes.join(", ")}, got ${size}`);
  if (order > 1) fail(`expected byte order 0 or 1, got ${order}`);
  if (!float && scale > 8 * size) fail(`expected at most ${8 * size} bits, got ${scale}`);
  const fill = params[7] === 1 ? narrowed({ low: params[8]!, high: params[9]! }, size) : undefined;
  return { scale, count, float, size, signed: params[5] === 1, littleEndian: order === 0, fill };
}

function narrowed({ low, high }: Bits64, size: number): Bits64 {
  return size === 8 ? { low, high } : { low: (low & ones(8 * size)) >>> 0, high: 0 };
}

/** The lowest `width` bits, 0 to 32, set. */
export function ones(width: number): number {
  return 2 ** width - 1;
}

/** Elements to or from the order in which they are stored as they are: the writer's, little-endian on any machine in use. */
export function wholeElements(elements: Uint8Array, { size, littleEndian }: ScaleOffsetParameters): Uint8Array {
  const output = elements.slice();
  if (!littleEndian) reverseElements(output, size);
  return output;
}

/** The number that has these bits. */
export function floatOf({ low, high }: Bits64, size: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  return size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}
