import {
  type ArrayDatatype,
  arrayLength,
  type CompoundDatatype,
  type Datatype,
  type ReferenceDatatype,
  type VlenDatatype,
} from "../datatype.ts";
import { withOffsetSize } from "../offset-size.ts";
import { hasAddresses } from "./addresses.ts";
import { type Elements, insideOf, packedElements, partOf } from "./elements.ts";
import { encodeReferences } from "./encode-references.ts";
import { heapBytes, readHeapId, storeBytes, writeHeapId } from "./heap-id.ts";
import type { DecodeValuesOptions, EncodeValuesOptions } from "./options.ts";
import { decodeReferences, type Reference, storedBase, withRoom } from "./references.ts";
import { vlenAddressWidth } from "./sequences.ts";

/** Elements as a file stores them, with what is needed to read what they do not hold themselves. */
export interface StoredValues {
  readonly datatype: Datatype;
  /** `count` elements, packed. */
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly decoding: Omit<DecodeValuesOptions, "int64" | "copy">;
}

/** Where values go that leave their file. */
export interface TransferOptions extends Pick<EncodeValuesOptions, "store"> {
  /** What a reference becomes; null for one that is to refer to nothing. */
  reference(reference: Reference): Reference | null;
}

/** Bytes of an address where the elements go. */
const OFFSET_SIZE = 8;

/**
 * Stored elements as another file stores them, whose addresses are 8 bytes wide: of the type `withOffsetSize(t, 8)`. What
 * is no address stays byte for byte what it was, padding and the payload of NaNs among it; only where the members of a
 * compound move is the room between them zero. What the elements keep in the global heap goes to `options.store`.
 *
 * @throws UnexpectedEofError for fewer bytes than `count` elements, and what `decodeValues` and `encodeValues` throw
 */
export function transferValues(values: StoredValues, options: TransferOptions): Uint8Array<ArrayBuffer> {
  const { datatype, bytes, count, decoding } = values;
  const source = withRoom(datatype, bytes.length / count);
  const from = { foldAddress: decoding.foldAddress, ...packedElements(bytes, source.size, count) };
  if (!hasAddresses(datatype)) return new Uint8Array(bytes.subarray(0, count * source.size));
  const target = withOffsetSize(datatype, OFFSET_SIZE);
  const transferred = new Uint8Array(count * target.size);
  transfer(source, from, target, packedElements(transferred, target.size, count), { decoding, options });
  return transferred;
}

interface Transfer {
  readonly decoding: StoredValues["decoding"];
  readonly options: TransferOptions;
}

/** `target` is `source` with addresses of another width, or just the same. */
function transfer(source: Datatype, from: Elements, target: Datatype, to: Elements, context: Transfer): void {
  switch (source.class) {
    case "compound":
      transferMembers(source, from, target as typeof source, to, context);
      break;
    case "array":
      transferArrays(source, from, target as typeof source, to, context);
      break;
    case "vlen":
      transferSequences(source, from, target as typeof source, to, context);
      break;
    case "reference":
      transferReferences(source, from, target as typeof source, to, context);
      break;
    default:
      copyElements(from, to, source.size);
  }
}

function transferArrays(
  source: ArrayDatatype,
  from: Elements,
  target: ArrayDatatype,
  to: Elements,
  context: Transfer,
): void {
  const length = arrayLength(source);
  for (let i = 0; i < from.count; i++) {
    const own = insideOf(from, i, source.base.size, length);
    transfer(source.base, own, target.base, insideOf(to, i, target.base.size, length), context);
  }
}

function copyElements(from: Elements, to: Elements, size: number): void {
  for (let i = 0; i < from.count; i++) {
    const start = from.start + i * from.stride;
    to.bytes.set(from.bytes.subarray(start, start + size), to.start + i * to.stride);
  }
}

function transferMembers(
  source: CompoundDatatype,
  from: Elements,
  target: CompoundDatatype,
  to: Elements,
  context: Transfer,
): void {
  const inPlace = source.size === target.size;
  // With the room between members.
  if (inPlace) copyElements(from, to, source.size);
  for (const [i, { offset, type }] of source.members.entries()) {
    const into = target.members[i]!;
    if (inPlace && !hasAddresses(type)) continue;
    transfer(type, partOf(from, offset), into.type, partOf(to, into.offset), context);
  }
}

function transferSequences(
  source: VlenDatatype,
  from: Elements,
  target: VlenDatatype,
  to: Elements,
  { decoding, options }: Transfer,
): void {
  const width = vlenAddressWidth(source, decoding.offsetSize);
  const base = source.kind === "string" ? source.base : storedBase(source.base, width);
  for (let i = 0; i < from.count; i++) {
    const [at, into] = [from.start + i * from.stride, to.start + i * to.stride];
    const count = from.view.getUint32(at, true);
    // An ID that nothing is read by is nobody's to follow in the other file.
    const id = count === 0 ? undefined : readHeapId(from, at + 4, width);
    to.bytes.fill(0, into, into + target.size);
    if (id === undefined) continue;
    const bytes = heapBytes(id, decoding, count * base.size);
    const payload = transferValues({ datatype: base, bytes, count, decoding }, options);
    to.view.setUint32(into, count, true);
    writeHeapId(to.view, into + 4, OFFSET_SIZE, storeBytes(payload, { base: target.base }, { store: options.store }));
  }
}

function transferReferences(
  source: ReferenceDatatype,
  from: Elements,
  target: ReferenceDatatype,
  to: Elements,
  { decoding, options }: Transfer,
): void {
  const references = decodeReferences(source, from, decoding).map(
    (reference) => reference && options.reference(reference),
  );
  for (let i = 0; i < to.count; i++) to.bytes.fill(0, to.start + i * to.stride, to.start + i * to.stride + target.size);
  encodeReferences(target, references, to, { store: options.store, offsetSize: OFFSET_SIZE });
}
