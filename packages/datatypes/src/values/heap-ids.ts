import { arrayLength, type Datatype, type ReferenceDatatype, type VlenDatatype } from "../datatype.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { readHeapId, writeHeapId } from "./heap-id.ts";
import { numberReferences } from "./numbered-references.ts";
import type { DecodeValuesOptions, HeapId } from "./options.ts";
import {
  decodeReferences,
  isExternal,
  isInline,
  type Reference,
  referenceWidth,
  STANDARD_HEAD,
  storedBase,
  withRoom,
} from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";

/**
 * How the heap object of a reference into the same file begins: a `region` reference's with an address, that of a 1.12
 * reference (`standard`) with an address after a byte that says its width.
 */
export type ReferenceForm = "region" | "standard";

/** What a heap object holds. */
export interface HeapContent {
  /** Type of the elements; `undefined` for the objects of references. */
  readonly base: Datatype | undefined;
  /** Set for the objects of references, but for those into another file, whose addresses mean nothing in this one. */
  readonly reference?: ReferenceForm | undefined;
}

/** A heap object that values need, and what it holds. */
export interface HeapUse extends HeapId, HeapContent {
  /** Elements of `base` in the object; where there is none, 0. */
  readonly count: number;
}

/** Whether there are references in values of the type. */
export function hasReferences(t: Datatype): boolean {
  switch (t.class) {
    case "reference":
      return true;
    case "vlen":
    case "array":
      return hasReferences(t.base);
    case "compound":
      return t.members.some(({ type }) => hasReferences(type));
    default:
      return false;
  }
}

/** Whether values of the type keep anything in the global heap. */
export function hasHeapIds(t: Datatype): boolean {
  switch (t.class) {
    case "vlen":
      return true;
    case "reference":
      return t.kind !== "object";
    case "array":
      return hasHeapIds(t.base);
    case "compound":
      return t.members.some(({ type }) => hasHeapIds(type));
    default:
      return false;
  }
}

/**
 * Visits the global heap IDs in `count` packed elements, those inside compounds and arrays too. What the objects hold is
 * not followed: an object whose `base` has heap IDs itself is visited by a call of its own.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements
 */
export function collectHeapIds(
  t: Datatype,
  bytes: Uint8Array,
  count: number,
  options: Pick<DecodeValuesOptions, "offsetSize" | "foldAddress">,
  visit: (use: HeapUse) => void,
): void {
  const { offsetSize, foldAddress } = options;
  const stored = withRoom(t, bytes.length / count);
  collect(stored, { foldAddress, ...packedElements(bytes, stored.size, count) }, offsetSize, visit);
}

/**
 * Gives the global heap IDs in `count` packed elements new values, in place: as {@link collectHeapIds} visits them, each
 * becomes what `move` answers. With `numberOf` a reference, wherever its parts are kept, becomes the number above 0 that
 * it answers; `decodeValues` turns that back by its option `numbered`.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements; with `numberOf` what `decodeValues` throws
 */
export function relocateHeapIds(
  t: Datatype,
  bytes: Uint8Array,
  count: number,
  options: Pick<DecodeValuesOptions, "offsetSize" | "foldAddress" | "heap" | "from">,
  move: (use: HeapUse) => HeapId,
  numberOf?: (reference: Reference) => number,
): void {
  const { offsetSize, foldAddress } = options;
  const stored = withRoom(t, bytes.length / count);
  const elements = { foldAddress, ...packedElements(bytes, stored.size, count) };
  visitAddresses(stored, elements, offsetSize, {
    visits: numberOf === undefined ? hasHeapIds : (type) => hasHeapIds(type) || hasReferences(type),
    heap: (use, at, width) => writeHeapId(elements.view, at, width, move(use)),
    references:
      numberOf && ((type, own) => numberReferences(type, own, decodeReferences(type, own, options), numberOf)),
  });
}

/** Receives a heap ID, its offset in the bytes and the width of its address. */
type VisitHeapId = (use: HeapUse, at: number, width: number) => void;

/** What a walk over elements calls for the places in them. */
export interface AddressVisitor {
  /** Whether there is anything to visit in values of a type. */
  readonly visits: (t: Datatype) => boolean;
  readonly heap: VisitHeapId;
  /** Receives references whole, rather than the others the addresses in them. */
  readonly references?: ((t: ReferenceDatatype, e: Elements) => void) | undefined;
  /** Receives the offset in the bytes of an object's address, and its width. */
  readonly object?: ((at: number, width: number) => void) | undefined;
}

function collect(t: Datatype, e: Elements, offsetSize: number | undefined, heap: VisitHeapId): void {
  visitAddresses(t, e, offsetSize, { visits: hasHeapIds, heap });
}

/** Visits the global heap IDs and the object references in elements, those inside compounds and arrays too. */
export function visitAddresses(
  t: Datatype,
  e: Elements,
  offsetSize: number | undefined,
  visitor: AddressVisitor,
): void {
  if (!visitor.visits(t)) return;
  if (t.class === "compound") {
    for (const { offset, type } of t.members) visitAddresses(type, partOf(e, offset), offsetSize, visitor);
  } else if (t.class === "array") {
    const length = arrayLength(t);
    for (let i = 0; i < e.count; i++) visitAddresses(t.base, insideOf(e, i, t.base.size, length), offsetSize, visitor);
  } else if (t.class === "vlen") visitVlen(t, vlenAddressWidth(t, offsetSize), e, visitor);
  else if (t.class !== "reference") return;
  else if (visitor.references !== undefined) visitor.references(t, e);
  else visitReferences(t, e, referenceWidth(t, offsetSize), visitor);
}

function visitVlen(t: VlenDatatype, width: number, e: Elements, { heap }: AddressVisitor): void {
  const base = storedBase(t.base, width);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const count = e.view.getUint32(at, true);
    const id = count === 0 ? undefined : readHeapId(e, at + 4, width);
    if (id !== undefined) heap({ address: id.address, index: id.index, count, base }, at + 4, width);
  }
}

/** References to objects hold an address, all others a heap ID: 1.12 references are either, see `isInline`. */
function visitReferences({ kind }: ReferenceDatatype, e: Elements, width: number, visitor: AddressVisitor): void {
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    if (kind === "object") visitor.object?.(at, width);
    else if (kind === "region") visitReferenceObject(e, at, width, "region", visitor);
    else visitStandard(e, at, width, visitor);
  }
}

function visitStandard(e: Elements, at: number, width: number, visitor: AddressVisitor): void {
  const flags = e.view.getUint8(at + 1);
  if (isInline(e.view.getUint8(at), flags)) visitor.object?.(at + 3, e.view.getUint8(at + 2));
  else visitReferenceObject(e, at + STANDARD_HEAD, width, isExternal(flags) ? undefined : "standard", visitor);
}

function visitReferenceObject(
  e: Elements,
  at: number,
  width: number,
  reference: ReferenceForm | undefined,
  { heap }: AddressVisitor,
): void {
  const id = readHeapId(e, at, width);
  if (id !== undefined) heap({ address: id.address, index: id.index, count: 0, base: undefined, reference }, at, width);
}
