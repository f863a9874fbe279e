import { UnexpectedEofError } from "@h5/framing";

/** Equal-sized stored elements at a stride, in bytes that may hold other things between them. */
export interface Elements {
  readonly bytes: Uint8Array;
  /** Over exactly `bytes`. */
  readonly view: DataView;
  /** Offset in `bytes` of the first element. */
  readonly start: number;
  /** Bytes from one element to the next. */
  readonly stride: number;
  readonly count: number;
  /** The bytes, all of which are elements, may become the values. */
  readonly owned?: boolean | undefined;
  /** See `DecodeValuesOptions`. */
  readonly foldAddress?: ((address: bigint) => number) | undefined;
}

/**
 * `count` packed elements of `size` bytes at the start of `bytes`, which may be kept and changed if `mayKeep`. Who adds
 * `foldAddress` spreads this behind it: an object that is spread before other properties gets a hidden class of its own.
 *
 * @throws UnexpectedEofError where there are fewer bytes
 */
export function packedElements(bytes: Uint8Array, size: number, count: number, mayKeep: boolean = false): Elements {
  if (!(bytes.length >= size * count)) throw new UnexpectedEofError("elements", undefined, size * count, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, start: 0, stride: size, count, owned: mayKeep && bytes.length === size * count };
}

/** The part at `offset` in every element. */
export function partOf(elements: Elements, offset: number): Elements {
  return { ...elements, start: elements.start + offset, owned: false };
}

/** The `count` packed parts, of `size` bytes each, that element `i` consists of. */
export function insideOf(elements: Elements, i: number, size: number, count: number): Elements {
  return { ...elements, start: elements.start + i * elements.stride, stride: size, count, owned: false };
}
