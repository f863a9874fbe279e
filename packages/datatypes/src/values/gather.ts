import type { ByteOrder } from "../datatype.ts";
import type { Elements } from "./elements.ts";

/** Asked once: it takes two arrays to find out. */
const LITTLE = /* @__PURE__ */ hasLittleEndianArrays();

function hasLittleEndianArrays(): boolean {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
}

/** Whether typed arrays are little-endian here, as on nearly every machine. */
export function hostIsLittleEndian(): boolean {
  return LITTLE;
}

/** A copy in a buffer of its own. Not by `slice`, which gives a view of a Node Buffer. */
export function copyBytes(bytes: Uint8Array, start: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(start, start + length));
}

/**
 * The elements, packed in the byte order of typed arrays in memory of their own (that of the bytes, where it is theirs
 * to keep and aligned): 1, 2, 4 or 8 bytes (`width`) each, of which `size` are stored and the others 0.
 */
export function gather(e: Elements, size: number, width: number, order: ByteOrder): Uint8Array<ArrayBuffer> {
  const packed = e.stride === size && size === width;
  const native = width === 1 || (order === "LE") === hostIsLittleEndian();
  const keeps = packed && e.owned && e.bytes.byteOffset % width === 0;
  const owned = keeps ? (e.bytes as Uint8Array<ArrayBuffer>) : undefined;
  if (packed && native) return owned ?? copyBytes(e.bytes, e.start, e.count * size);
  const out = owned ?? new Uint8Array(e.count * width);
  const { buffer, byteOffset, byteLength } = out;
  if (size !== width) gatherBytes(e, size, width, order, out);
  else if (width === 1) gather1(e, out);
  else if (packed && width === 2) swapPairs(e, new DataView(buffer, byteOffset, byteLength));
  else if (width === 2) gather2(e, order === "LE", new Uint16Array(buffer, byteOffset, e.count));
  else if (width === 4) gather4(e, order === "LE", new Uint32Array(buffer, byteOffset, e.count));
  else gather8(e, order === "LE", new Uint32Array(buffer, byteOffset, 2 * e.count));
  return out;
}

/** Turns packed elements of two bytes round, two at a time, which is several times as fast as one by one. */
function swapPairs({ view, start, count }: Elements, out: DataView): void {
  const whole = count - (count % 2);
  for (let i = 0; i < 2 * whole; i += 4) {
    const two = view.getInt32(start + i);
    out.setInt32(i, ((two & 0x00ff00ff) << 8) | ((two >>> 8) & 0x00ff00ff));
  }
  if (whole < count) out.setUint16(2 * whole, view.getUint16(start + 2 * whole), true);
}

function gather1({ bytes, start, stride, count }: Elements, out: Uint8Array): void {
  for (let i = 0, at = start; i < count; i++, at += stride) out[i] = bytes[at]!;
}

function gather2({ view, start, stride, count }: Elements, little: boolean, out: Uint16Array): void {
  for (let i = 0, at = start; i < count; i++, at += stride) out[i] = view.getUint16(at, little);
}

function gather4({ view, start, stride, count }: Elements, little: boolean, out: Uint32Array): void {
  for (let i = 0, at = start; i < count; i++, at += stride) out[i] = view.getUint32(at, little);
}

function gather8({ view, start, stride, count }: Elements, little: boolean, out: Uint32Array): void {
  // Words, since a float read and stored as one may lose the payload of a NaN.
  const first = hostIsLittleEndian() === little ? 0 : 1;
  const second = 1 - first;
  for (let i = 0, at = start; i < count; i++, at += stride) {
    // Both are read before either is written: the words may change places in the bytes themselves.
    const low = view.getUint32(at, little);
    const high = view.getUint32(at + 4, little);
    out[2 * i + first] = low;
    out[2 * i + second] = high;
  }
}

function gatherBytes(e: Elements, size: number, width: number, order: ByteOrder, out: Uint8Array): void {
  const { bytes, start, stride, count } = e;
  const little = hostIsLittleEndian();
  for (let i = 0, at = start; i < count; i++, at += stride) {
    for (let k = 0; k < size; k++) {
      const byte = bytes[order === "LE" ? at + k : at + size - 1 - k]!;
      out[i * width + (little ? k : width - 1 - k)] = byte;
    }
  }
}
