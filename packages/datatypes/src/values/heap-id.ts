import { InvalidArgumentError, InvalidFieldError } from "@h5/framing";
import type { Elements } from "./elements.ts";
import type { HeapContent } from "./heap-ids.ts";
import type { ByteSpan, DecodeValuesOptions, EncodeValuesOptions, HeapId } from "./options.ts";

/**
 * Bytes of an address inside an element that has `others` more bytes: what is left of the element, which must be a size
 * of offsets, and the file's own where that is given.
 */
export function addressWidth(what: string, size: number, others: number, offsetSize?: number): number {
  const width = size - others;
  if ((width === 2 || width === 4 || width === 8) && width === (offsetSize ?? width)) return width;
  const expected = offsetSize === undefined ? [2, 4, 8].map((w) => w + others).join(", ") : offsetSize + others;
  throw new InvalidFieldError(`${what} of ${size} bytes, expected ${expected}`, { structure: "datatype" });
}

/** The address of `width` bytes at `at`; above 2^53−1 it is none, unless something stands for it. */
export function readAddress({ view, foldAddress }: Elements, at: number, width: number): number {
  if (width === 2) return view.getUint16(at, true);
  const low = view.getUint32(at, true);
  if (width === 4) return low;
  const address = view.getUint32(at + 4, true) * 4294967296 + low;
  if (Number.isSafeInteger(address)) return address;
  if (foldAddress !== undefined) return foldAddress(view.getBigUint64(at, true));
  throw new InvalidFieldError("address above 2^53-1", { structure: "stored value" });
}

/** The heap ID at `at`, an address and a u32 index (spec III.E); `undefined` for the nil one, whose address is 0. */
export function readHeapId(e: Elements, at: number, width: number): HeapId | undefined {
  const address = readAddress(e, at, width);
  return address === 0 ? undefined : { address, index: e.view.getUint32(at + width, true) };
}

/**
 * The bytes of a heap object, at least `length`.
 *
 * @throws InvalidArgumentError without `options.heap`, InvalidFieldError where there is no such object or it is shorter
 */
export function heapBytes(id: HeapId, options: DecodeValuesOptions, length: number = 0): Uint8Array {
  const { bytes, start, end } = heapSpan(id, options, length);
  return bytes.subarray(start, end);
}

/** Where the bytes of a heap object are; see {@link heapBytes}. */
export function heapSpan(id: HeapId, options: DecodeValuesOptions, length: number): ByteSpan {
  if (options.heap === undefined) {
    throw new InvalidArgumentError("these values are in the global heap: pass options.heap");
  }
  const found = options.heap(id);
  if (found === undefined) return badObject(id, "no object", "in the collection");
  const span = found instanceof Uint8Array ? { bytes: found, start: 0, end: found.length } : found;
  const held = span.end - span.start;
  return held >= length ? span : badObject(id, "object", `has ${held} bytes, expected at least ${length}`);
}

function badObject({ address, index }: HeapId, before: string, behind: string): never {
  throw new InvalidFieldError(`${before} ${index} ${behind}`, { structure: "global heap object", address });
}

/** Writes an address of `width` bytes. */
export function writeAddress(view: DataView, at: number, width: number, address: number): void {
  if (!Number.isSafeInteger(address) || address < 0 || (width < 8 && address >= 256 ** width)) {
    throw new InvalidArgumentError(`${address} is no address of ${width} bytes`);
  }
  if (width === 2) view.setUint16(at, address, true);
  else view.setUint32(at, address % 4294967296, true);
  if (width === 8) view.setUint32(at + 4, Math.floor(address / 4294967296), true);
}

/** Writes a heap ID, the inverse of {@link readHeapId}. */
export function writeHeapId(view: DataView, at: number, width: number, id: HeapId): void {
  writeAddress(view, at, width, id.address);
  view.setUint32(at + width, id.index, true);
}

/**
 * Puts a heap object away.
 *
 * @throws InvalidArgumentError without `options.store`
 */
export function storeBytes(
  payload: Uint8Array<ArrayBuffer>,
  { base, reference }: HeapContent,
  options: Pick<EncodeValuesOptions, "store">,
): HeapId {
  if (options.store !== undefined) return options.store(payload, base, reference);
  throw new InvalidArgumentError("these values go to the global heap: pass options.store");
}
