import {
  attemptNow,
  ByteReader,
  ByteWriter,
  checkLimit,
  compareBytes,
  decodeSymbolTableEntry,
  decodeVersion,
  encodeSymbolTableEntry,
  type FileContext,
  type H5Error,
  InvalidFieldError,
  inAddressOrder,
  needSized,
  type Plan,
  type SymbolTableEntry,
  sizeOfSymbolTableEntry,
  visitOnce,
  type Widths,
} from "@h5/framing";
import { readV1Node, type V1KeyCodec, walkV1Tree } from "./v1-node.ts";

const STRUCTURE = "symbol table node";
/** Entries of a node at the default leaf K of 4: what is asked for before the count is known. */
const USUAL_ENTRIES = 8;

/**
 * Keys of a group's tree: offsets of names in the group's local heap. A child's names are above its left key and not
 * above its right key; the leftmost key is the empty name at offset 0 (H5Gnode.c).
 */
export function groupKeys(widths: Widths): V1KeyCodec<number> {
  return {
    nodeType: 0,
    size: widths.lengthSize,
    decode: (reader) => reader.lengthField(widths, "name offset"),
    encode: (writer, key) => writer.lengthField(key, widths),
  };
}

/** Bytes of a symbol table node with room for `capacity` entries (twice the group leaf K), as it lies in a file. */
export function sizeOfSymbolTableNode(capacity: number, widths: Widths): number {
  return 8 + capacity * sizeOfSymbolTableEntry(widths);
}

/*
 * Symbol table node (spec III.B)
 *
 *   0  4  "SNOD"
 *   4  1  version, 1
 *   5  1  reserved
 *   6  2  entries in use
 *   8     the entries, in the order of their names
 */

/** What makes an entry of its bytes: `decodeSymbolTableEntry`, or {@link attemptGroupEntry}. */
export type EntryDecoder<E extends SymbolTableEntry> = (bytes: Uint8Array, widths: Widths, address?: number) => E;

/** An entry of a node, or why it is none. */
export interface GroupEntry extends SymbolTableEntry {
  /** With this, the name's offset is all that is known; an offset that is none lies outside any heap. */
  readonly error?: H5Error | undefined;
}

/** The entry in `bytes`; what keeps one from being read does not keep others, and not its own name. */
export function attemptGroupEntry(bytes: Uint8Array, widths: Widths, address?: number): GroupEntry {
  const { value, error } = attemptNow(() => decodeSymbolTableEntry(bytes, widths, address));
  if (error === undefined) return value;
  const { value: nameOffset } = attemptNow(() => new ByteReader(bytes, STRUCTURE).lengthField(widths));
  return { nameOffset: nameOffset ?? Number.MAX_SAFE_INTEGER, cacheType: 0, error };
}

/**
 * Decodes a symbol table node, a leaf of a group's tree. Bytes behind the entries in use are not looked at.
 *
 * @param decodeEntry - what makes the entries; by default one that is none is thrown for
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeSymbolTableNode<E extends SymbolTableEntry = SymbolTableEntry>(
  bytes: Uint8Array,
  widths: Widths,
  address?: number,
  decodeEntry: EntryDecoder<E> = decodeSymbolTableEntry as EntryDecoder<E>,
): E[] {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const count = readCount(reader);
  const entries: E[] = [];
  for (let i = 0; i < count; i++) {
    const here = reader.here;
    entries.push(decodeEntry(reader.take(sizeOfSymbolTableEntry(widths)), widths, here));
  }
  return entries;
}

function readCount(reader: ByteReader): number {
  reader.signature("SNOD");
  decodeVersion(reader, 1);
  reader.skip(1);
  return reader.u16();
}

/** Encodes a symbol table node with room for `capacity` entries (default: those it has); the room left over is zero. */
export function encodeSymbolTableNode(
  entries: readonly SymbolTableEntry[],
  widths: Widths,
  capacity: number = entries.length,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSymbolTableNode(capacity, widths), STRUCTURE);
  writer.ascii("SNOD");
  writer.u8(1);
  writer.u8(0);
  writer.u16(entries.length);
  for (const entry of entries) writer.put(encodeSymbolTableEntry(entry, widths));
  writer.skip(writer.bytes.length - writer.offset);
  return writer.finish();
}

/** Reads one symbol table node. */
export function* readSymbolTableNode<E extends SymbolTableEntry>(
  context: FileContext,
  address: number,
  decodeEntry?: EntryDecoder<E>,
): Plan<E[]> {
  const options = { guess: sizeOfSymbolTableNode(USUAL_ENTRIES, context), min: 8, limits: context.limits };
  const bytes = yield* needSized(STRUCTURE, address, options, (head) => {
    const reader = new ByteReader(head, STRUCTURE, address);
    const count = readCount(reader);
    const { groupLeafK = count } = context;
    // What is behind a node is no part of it, and would pass for links.
    if (count > 2 * groupLeafK) reader.fail(`${count} entries, expected at most ${2 * groupLeafK}`, 6);
    return sizeOfSymbolTableNode(count, context);
  });
  return decodeSymbolTableNode(bytes, context, address, decodeEntry);
}

/**
 * All entries of a group, in the order of their names, with one batch of reads for each level of the tree.
 *
 * @param btreeAddress - from the symbol table message or the symbol table entry that leads to the group
 * @param decodeEntry - as that of {@link decodeSymbolTableNode}
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`, `nodes`, `objects`)
 */
export function* readGroupEntries<E extends SymbolTableEntry = SymbolTableEntry>(
  context: FileContext,
  btreeAddress: number,
  decodeEntry?: EntryDecoder<E>,
): Plan<E[]> {
  const leaves = yield* walkV1Tree(context, btreeAddress, groupKeys(context));
  const visited = new Set<number>();
  for (const { child } of leaves) visitOnce(visited, child, STRUCTURE, context.limits);
  const nodes = yield* inAddressOrder(
    leaves,
    ({ child }) => child,
    ({ child }) => readSymbolTableNode(context, child, decodeEntry),
  );
  const entries = nodes.flat();
  checkLimit(context.limits, "objects", entries.length, { structure: STRUCTURE, address: btreeAddress });
  return entries;
}

/**
 * The entry of one name, by descent through the tree; `undefined` where the group has none.
 *
 * @param name - the name's bytes, without a NUL
 * @param nameAt - the bytes at an offset in the group's local heap, without the NUL
 * @param decodeEntry - as that of {@link decodeSymbolTableNode}
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`), and what `nameAt` throws
 */
export function* findGroupEntry<E extends SymbolTableEntry = SymbolTableEntry>(
  context: FileContext,
  btreeAddress: number,
  name: Uint8Array,
  nameAt: (offset: number) => Uint8Array,
  decodeEntry?: EntryDecoder<E>,
): Plan<E | undefined> {
  const codec = groupKeys(context);
  let address = btreeAddress;
  for (let level: number | undefined; level !== 0; ) {
    const node = yield* readV1Node(context, address, codec);
    if (level !== undefined && node.level !== level - 1) {
      const place = { structure: "version 1 B-tree node", address };
      throw new InvalidFieldError(`expected level ${level - 1}, got ${node.level}`, place);
    }
    level = node.level;
    checkLimit(context.limits, "treeDepth", level + 1, { structure: STRUCTURE, address });
    // Child i holds the names above key i up to key i + 1, which is thus the first key not below the name.
    const child = firstNotBelow(node.keys.slice(1), name, nameAt);
    if (child === node.children.length || compareBytes(nameAt(node.keys[child]!), name) >= 0) return undefined;
    address = node.children[child]!;
  }
  const entries = yield* readSymbolTableNode(context, address, decodeEntry);
  const offsets = entries.map(({ nameOffset }) => nameOffset);
  const found = entries[firstNotBelow(offsets, name, nameAt)];
  return found !== undefined && compareBytes(nameAt(found.nameOffset), name) === 0 ? found : undefined;
}

/** Index of the first of the sorted names that is not below `name`; their count where all are. */
function firstNotBelow(offsets: readonly number[], name: Uint8Array, nameAt: (offset: number) => Uint8Array): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (compareBytes(nameAt(offsets[middle]!), name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
