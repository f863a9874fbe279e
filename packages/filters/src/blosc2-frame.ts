import { UnsupportedFeatureError } from "@h5/framing";
import { type BlockGrid, blockGrid } from "./block-grid.ts";
import { type DecodeOptions, filterPlace } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";

/** The header of a contiguous frame of Blosc 2. */
export interface Frame {
  readonly headerBytes: number;
  /** Bytes of all stored chunks. */
  readonly storedBytes: number;
  /** Bytes of the decoded array. */
  readonly total: number;
  readonly size: number;
  /** Where the frame has an array. */
  readonly grid: BlockGrid | undefined;
}

/** Bytes of the header up to what it has for other layers. */
const FRAME_HEADER = 0x5e;

/**
 * Reads the header of the frame, MessagePack with numbers big-endian:
 *
 *     00  9e a8 "b2frame\0"
 *     0a  d2, 4  bytes of this header
 *     1d  d3, 8  bytes of the decoded chunks
 *     26  d3, 8  bytes of the stored chunks
 *     2f  d2, 4  size of an element
 *     39  d2, 4  bytes of a decoded chunk
 *     57  93 cd, 2, de, 2  number of layers; for each its name, d2 and the place of what it has
 */
export function readFrame(bytes: Uint8Array, options: DecodeOptions): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FRAME_HEADER || textAt(bytes, 2, 8) !== "b2frame\0") {
    throw corrupt("blosc2", `expected a frame, got ${bytes.length} bytes of something else`, options);
  }
  const headerBytes = view.getUint32(0x0b);
  const [decoded, storedBytes] = [Number(view.getBigUint64(0x1e)), Number(view.getBigUint64(0x27))];
  const [size, chunkBytes] = [view.getUint32(0x30), view.getUint32(0x3a)];
  if (headerBytes < FRAME_HEADER || headerBytes + storedBytes > bytes.length || size === 0) {
    const parts = `${headerBytes} bytes of header, ${storedBytes} of chunks, elements of ${size}`;
    throw corrupt("blosc2", `${parts} make no frame of ${bytes.length} bytes`, options);
  }
  if (chunkBytes !== decoded && chunkBytes !== 0) {
    throw new UnsupportedFeatureError("Blosc 2 frames of several chunks", filterPlace("blosc2", options));
  }
  const grid = readGrid(bytes.subarray(0, headerBytes), view.getUint16(0x5c), size, options);
  const total = grid?.shape.reduce((product, length) => product * length, size) ?? decoded;
  return { headerBytes, storedBytes, total, size, grid };
}

/**
 * Reads what the layer "b2nd" has, if there is one: c6, 4 bytes of length, 97, version, dimensions, and the lengths of the
 * array (9n, each d3, 8), of a chunk and of a block (9n, each d2, 4), the last dimension varying fastest.
 */
function readGrid(header: Uint8Array, layers: number, size: number, options: DecodeOptions): BlockGrid | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const fail = () => corrupt("blosc2", "its layers go on past its header, or have an array without blocks", options);
  let at = FRAME_HEADER;
  for (let i = 0; i < layers; i++) {
    const length = (header[at] ?? 0) & 31;
    const place = at + 1 + length;
    if (place + 5 > header.length) throw fail();
    const name = textAt(header, at + 1, length);
    at = place + 5;
    if (name !== "b2nd" && name !== "caterva") continue;
    let from = view.getUint32(place + 1) + 8;
    const dims = header[from - 1] ?? 0;
    if (dims === 0 || dims > 15 || from + dims * 19 + 3 > header.length) throw fail();
    const lengths = (bytes: 4 | 8): number[] => {
      const start = from + 1;
      from = start + dims * (1 + bytes);
      const one = (_: unknown, k: number) => {
        const place = start + k * (1 + bytes) + 1;
        return bytes === 8 ? Number(view.getBigUint64(place)) : view.getUint32(place);
      };
      return Array.from({ length: dims }, one).reverse();
    };
    const [shape, chunk, block] = [lengths(8), lengths(4), lengths(4)];
    if (shape.some((length, k) => length !== chunk[k])) {
      throw new UnsupportedFeatureError("Blosc 2 arrays of several chunks", filterPlace("blosc2", options));
    }
    if (block.some((length, k) => length === 0 || length > shape[k]!)) throw fail();
    return blockGrid(shape, block, size);
  }
  return undefined;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
