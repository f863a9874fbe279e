import { UnsupportedFeatureError } from "@h5/framing";
import type { Datatype } from "../datatype.ts";
import { type Elements, packedElements } from "./elements.ts";
import { readAddress, writeAddress, writeHeapId } from "./heap-id.ts";
import { type HeapContent, type HeapUse, visitAddresses } from "./heap-ids.ts";
import type { HeapId } from "./options.ts";

/** Whether values of the type hold addresses: global heap IDs or references, those inside compounds and arrays too. */
export function hasAddresses(t: Datatype): boolean {
  switch (t.class) {
    case "vlen":
    case "reference":
      return true;
    case "array":
      return hasAddresses(t.base);
    case "compound":
      return t.members.some(({ type }) => hasAddresses(type));
    default:
      return false;
  }
}

/** Where things that values refer to have their new places. */
export interface AddressMoves {
  /** The new ID of a global heap object. */
  heap(use: HeapUse): HeapId;
  /** The new address of an object's header. */
  object(address: number): number;
  /** The file's size of offsets, checked against the type's size where given. */
  readonly offsetSize?: number | undefined;
}

/**
 * Gives every address in `count` packed elements its new value, in place: global heap IDs, and the addresses in object
 * references. What refers to nothing (address 0, for object references also all ones) is left; so is what refers to
 * another file. Heap objects have addresses of their own, which {@link relocateHeapObject} moves.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements, InvalidArgumentError for a new address that does not
 * fit, and what `moves` throws
 */
export function relocateAddresses(t: Datatype, bytes: Uint8Array, count: number, moves: AddressMoves): void {
  const elements = packedElements(bytes, t.size, count);
  visitAddresses(t, elements, moves.offsetSize, {
    visits: hasAddresses,
    heap: (use, at, width) => writeHeapId(elements.view, at, width, moves.heap(use)),
    object: (at, width) => moveObject(elements, at, width, moves),
  });
}

/**
 * The same for what is in a global heap object: elements of variable-length data, or the object a region, attribute or
 * external reference of HDF5 1.12 keeps there.
 *
 * @throws what {@link relocateAddresses} throws
 */
export function relocateHeapObject(content: HeapContent, payload: Uint8Array, moves: AddressMoves): void {
  const { base, reference } = content;
  if (base !== undefined) relocateAddresses(base, payload, payload.length / base.size, moves);
  else if (reference !== undefined) {
    const elements = packedElements(payload, payload.length, 1);
    if (reference === "region") moveObject(elements, 0, moves.offsetSize ?? 8, moves);
    else moveObject(elements, 1, elements.view.getUint8(0), moves);
  }
}

function moveObject(e: Elements, at: number, width: number, moves: AddressMoves): void {
  if (width !== 2 && width !== 4 && width !== 8) {
    throw new UnsupportedFeatureError(`object token of ${width} bytes, expected 2, 4 or 8`, { structure: "reference" });
  }
  if (e.bytes.subarray(at, at + width).every((byte) => byte === 255)) return;
  const address = readAddress(e, at, width);
  if (address !== 0) writeAddress(e.view, at, width, moves.object(address));
}
