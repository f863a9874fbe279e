import { InvalidFieldError, UnsupportedFeatureError } from "@h5/framing";
import { blockGrid, blocksOf, putBlock } from "./block-grid.ts";
import { checkOutputSize, type DecodeOptions, filterPlace, outputOf, type SyncDecoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { ZfpBits } from "./zfp-bits.ts";
import { ZfpBlocks, type ZfpMode, type ZfpScalar } from "./zfp-block.ts";

/**
 * Undoes the ZFP filter, id 32013: a zfp stream (of codec 5, zfp 0.5 to 1.0) of 1 to 4 dimensions and any mode: rate,
 * precision, accuracy, expert or reversible. The parameters are a version and the stream's header (H5Zzfp.c of H5Z-ZFP),
 * whose words are in the byte order of the machine that wrote it, as the decoded numbers then are. It gives the very
 * numbers that zfp gives. Written here, since no library for JavaScript is published.
 *
 * @throws InvalidFieldError for parameters that are no such header, and a stream that ends too soon; LimitExceededError
 * where the header says more than `maxBytes`; UnsupportedFeatureError for another codec
 */
export const zfpDecoder: SyncDecoder = { id: 32013, name: "zfp", decode, decodeSync: decode };

function decode(bytes: Uint8Array, params: readonly number[], options: DecodeOptions): Uint8Array {
  const { scalar, shape, mode, littleEndian } = zfpHeader(params, options);
  const total = shape.reduce((product, length) => product * length, scalar.bytes);
  checkOutputSize("zfp", total, options);
  const grid = blockGrid(
    shape,
    shape.map(() => 4),
    scalar.bytes,
  );
  const blocks = blocksOf(grid);
  const bits = new ZfpBits(bytes);
  const tooShort = () => corrupt("zfp", `${blocks} blocks go on past the end of the ${bytes.length} bytes`, options);
  // Each block has at least one bit.
  if (blocks > 8 * bytes.length) throw tooShort();
  const output = outputOf(total, options);
  const decoded = new ZfpBlocks(bits, mode, scalar, shape.length, littleEndian);
  for (let block = 0; block < blocks; block++) {
    decoded.next();
    if (bits.over) throw tooShort();
    putBlock(new Uint8Array(decoded.numbers.buffer), block, grid, output);
  }
  return output;
}

interface ZfpHeader {
  readonly scalar: ZfpScalar;
  /** The first dimension varies fastest. */
  readonly shape: readonly number[];
  readonly mode: ZfpMode;
  readonly littleEndian: boolean;
}

const MAGIC = 0x70667a;
const CODEC = 5;

/**
 * Reads the header from the parameters after the first (zfp.c, `zfp_read_header`):
 *
 *     24      "zfp"
 *     8       5, the codec
 *     2       0 int32, 1 int64, 2 float, 3 double
 *     2       dimensions, less one
 *     48      lengths, less one, in equal parts
 *     12, 64  the mode
 */
function zfpHeader(params: readonly number[], options: DecodeOptions): ZfpHeader {
  const words = params.slice(1, 10);
  for (const littleEndian of [true, false]) {
    const view = new DataView(new ArrayBuffer(4 * words.length));
    for (const [i, word] of words.entries()) view.setUint32(4 * i, word, littleEndian);
    const bits = new ZfpBits(new Uint8Array(view.buffer));
    if (bits.read(24) !== MAGIC) continue;
    const codec = bits.read(8);
    if (codec !== CODEC) throw new UnsupportedFeatureError(`zfp codec ${codec}`, filterPlace("zfp", options));
    const type = bits.read(2);
    const dims = bits.read(2) + 1;
    const shape = Array.from({ length: dims }, () => bits.read(48 / dims) + 1);
    const mode = readMode(bits);
    if (bits.over || mode === undefined) break;
    return { scalar: { bytes: type % 2 === 0 ? 4 : 8, exponentBits: [0, 0, 8, 11][type]! }, shape, mode, littleEndian };
  }
  throw new InvalidFieldError(`expected a zfp header, got [${params}]`, filterPlace("zfp", options));
}

/** No limit of bits or bit planes, and no exponent too small (zfp.h). */
const MAX_BITS = 16658;
const MAX_PLANES = 64;
const MIN_EXPONENT = -1074;

/** Reads a mode (zfp.c, `zfp_stream_set_mode`); `undefined` for one without meaning. */
function readMode(bits: ZfpBits): ZfpMode | undefined {
  const short = bits.read(12);
  const free = { minBits: 1, maxBits: MAX_BITS, maxPlanes: MAX_PLANES, minExponent: MIN_EXPONENT };
  if (short < 2048) return { ...free, minBits: short + 1, maxBits: short + 1 };
  if (short < 2176) return short - 2047 > MAX_PLANES ? undefined : { ...free, maxPlanes: short - 2047 };
  if (short < 4095) return { ...free, minExponent: short - 2177 + MIN_EXPONENT };
  const [minBits, maxBits, maxPlanes] = [bits.read(15) + 1, bits.read(15) + 1, bits.read(7) + 1];
  if (minBits > maxBits || maxPlanes > MAX_PLANES) return undefined;
  return { minBits, maxBits, maxPlanes, minExponent: bits.read(15) - 16495 };
}
