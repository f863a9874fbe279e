import {
  attemptNow,
  ByteReader,
  ByteWriter,
  checkLimit,
  compareBytes,
  decodeSymbolTableEntry,
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

/** An entry of a node, or why it is none, which does not keep the others from being read. */
export interface GroupEntry extends SymbolTableEntry {
  /** With this, the name's offset is all that is known, and lies outside any heap where it cannot be read. */
  readonly error?: H5Error | undefined;
}

/**
 * Decodes a symbol table node, a leaf of a group's tree. Bytes behind the entries in use are not looked at.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeSymbolTableNode(bytes: Uint8Array, widths: Widths, address?: number): GroupEntry[] {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const count = readCount(reader);
  const entries: GroupEntry[] = [];
  for (let i = 0; i < count; i++) {
    const here = reader.here;
    const body = reader.take(sizeOfSymbolTableEntry(widths));
    const { value, error } = attemptNow(() => decodeSymbolTableEntry(body, widths, here));
    entries.push(value ?? { nameOffset: nameOffsetIn(body, widths), cacheType: 0, error });
  }
  return entries;
}

function nameOffsetIn(entry: Uint8Array, widths: Widths): number {
  const { value } = attemptNow(() => new ByteReader(entry, STRUCTURE).lengthField(widths));
  return value ?? Number.MAX_SAFE_INTEGER;
}

function readCount(reader: ByteReader): number {
  reader.signature("SNOD");
  const version = reader.u8();
  if (version !== 1) reader.fail(`expected version 1, got ${version}`, 4);
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
export function* readSymbolTableNode(context: FileContext, address: number): Plan<GroupEntry[]> {
  const options = { guess: sizeOfSymbolTableNode(USUAL_ENTRIES, context), min: 8, limits: context.limits };
  const most = 2 * (context.groupLeafK ?? Number.POSITIVE_INFINITY);
  const bytes = yield* needSized(STRUCTURE, address, options, (head) => {
    const reader = new ByteReader(head, STRUCTURE, address);
    const count = readCount(reader);
    // What is behind a node is no part of it, and would pass for links.
    if (count > most) reader.fail(`${count} entries, expected at most ${most}`, 6);
    return sizeOfSymbolTableNode(count, context);
  });
  return decodeSymbolTableNode(bytes, context, address);
}

/**
 * All entries of a group, in the order of their names, with one batch of reads for each level of the tree.
 *
 * @param btreeAddress - from the symbol table message or the symbol table entry that leads to the group
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`, `nodes`, `objects`)
 */
export function* readGroupEntries(context: FileContext, btreeAddress: number): Plan<GroupEntry[]> {
  const leaves = yield* walkV1Tree(context, btreeAddress, groupKeys(context));
  const visited = new Set<number>();
  for (const { child } of leaves) visitOnce(visited, child, STRUCTURE, context.limits);
  const nodes = yield* inAddressOrder(
    leaves,
    ({ child }) => child,
    ({ child }) => readSymbolTableNode(context, child),
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
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`), and what `nameAt` throws
 */
export function* findGroupEntry(
  context: FileContext,
  btreeAddress: number,
  name: Uint8Array,
  nameAt: (offset: number) => Uint8Array,
): Plan<GroupEntry | undefined> {
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
  const entries = yield* readSymbolTableNode(context, address);
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
