import { arrayLength, type CompoundMember, type Datatype, type VlenDatatype } from "../datatype.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { readHeapId, writeHeapId } from "./heap-id.ts";
import type { DecodeValuesOptions, HeapId } from "./options.ts";
import { isInline, referenceWidth, STANDARD_HEAD, storedBase, withRoom } from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";

/** A heap object that values need, and what it holds. */
export interface HeapUse extends HeapId {
  /** Elements of `base` in the object; where there is none, 0. */
  readonly count: number;
  /** Type of the elements; `undefined` for the objects of references. */
  readonly base: Datatype | undefined;
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
  collect(stored, { ...packedElements(bytes, stored.size, count), foldAddress }, offsetSize, visit);
}

/**
 * Gives the global heap IDs in `count` packed elements new values, in place: as {@link collectHeapIds} visits them, each
 * becomes what `move` answers.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements
 */
export function relocateHeapIds(
  t: Datatype,
  bytes: Uint8Array,
  count: number,
  options: Pick<DecodeValuesOptions, "offsetSize" | "foldAddress">,
  move: (use: HeapUse) => HeapId,
): void {
  const { offsetSize, foldAddress } = options;
  const stored = withRoom(t, bytes.length / count);
  const elements = { ...packedElements(bytes, stored.size, count), foldAddress };
  collect(stored, elements, offsetSize, (use, at, width) => writeHeapId(elements.view, at, width, move(use)));
}

/** Receives a heap ID, its offset in the bytes and the width of its address. */
type Visit = (use: HeapUse, at: number, width: number) => void;

function collect(t: Datatype, e: Elements, offsetSize: number | undefined, visit: Visit): void {
  if (!hasHeapIds(t)) return;
  if (t.class === "compound") collectMembers(t.members, e, offsetSize, visit);
  else if (t.class === "array") {
    const length = arrayLength(t);
    for (let i = 0; i < e.count; i++) collect(t.base, insideOf(e, i, t.base.size, length), offsetSize, visit);
  } else if (t.class === "vlen") collectVlen(t, vlenAddressWidth(t, offsetSize), e, visit);
  else if (t.class === "reference") {
    collectReferences(e, referenceWidth(t, offsetSize), t.kind === "region" ? 0 : STANDARD_HEAD, visit);
  }
}

function collectMembers(
  members: readonly CompoundMember[],
  e: Elements,
  offsetSize: number | undefined,
  visit: Visit,
): void {
  for (const { offset, type } of members) collect(type, partOf(e, offset), offsetSize, visit);
}

function collectVlen(t: VlenDatatype, width: number, e: Elements, visit: Visit): void {
  const base = storedBase(t.base, width);
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    const count = e.view.getUint32(at, true);
    const id = count === 0 ? undefined : readHeapId(e, at + 4, width);
    if (id !== undefined) visit({ address: id.address, index: id.index, count, base }, at + 4, width);
  }
}

/** Heap IDs `skip` bytes into each reference; 1.12 references of objects may have none. */
function collectReferences(e: Elements, width: number, skip: number, visit: Visit): void {
  for (let i = 0, at = e.start; i < e.count; i++, at += e.stride) {
    if (skip > 0 && isInline(e.view.getUint8(at), e.view.getUint8(at + 1))) continue;
    const id = readHeapId(e, at + skip, width);
    if (id !== undefined) {
      visit({ address: id.address, index: id.index, count: 0, base: undefined }, at + skip, width);
    }
  }
}
