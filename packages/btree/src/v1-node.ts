import {
  ByteReader,
  ByteWriter,
  checkLimit,
  type FileContext,
  InvalidFieldError,
  inAddressOrder,
  needSized,
  type Plan,
  visitOnce,
  type Widths,
} from "@h5/framing";

const STRUCTURE = "version 1 B-tree node";
/** Children of a node at the default K of 16 (groups) and 32 (chunks): what is asked for before the count is known. */
const USUAL_CHILDREN = 64;

/** How the keys of one kind of tree look; the node itself is the same for both kinds (spec III.A.1). */
export interface V1KeyCodec<K> {
  /** Node type: 0 for groups, 1 for chunks. */
  readonly nodeType: 0 | 1;
  /** Bytes of a key. */
  readonly size: number;
  decode(reader: ByteReader): K;
  encode(writer: ByteWriter, key: K): void;
  /** Negative, 0 or positive; left out where the file's own bytes do not tell (names in a heap). */
  compare?(a: K, b: K): number;
}

/** A node: `children[i]` lies between `keys[i]` and `keys[i + 1]`. An empty node (an empty root) has no keys. */
export interface V1Node<K> {
  /** 0 where the children are what the tree is about, else one more than the children's level. */
  readonly level: number;
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly keys: readonly K[];
  readonly children: readonly number[];
}

/** A child with the keys on both its sides. */
export interface V1Entry<K> {
  readonly left: K;
  readonly right: K;
  readonly child: number;
}

/** Bytes of a node with room for `capacity` children (twice the tree's K), which is what one takes in a file. */
export function sizeOfV1Node(capacity: number, keySize: number, widths: Widths): number {
  return sizeOfV1Head(widths) + capacity * (keySize + widths.offsetSize) + keySize;
}

function sizeOfV1Head(widths: Widths): number {
  return 8 + 2 * widths.offsetSize;
}

/*
 * Version 1 B-tree node (spec III.A.1)
 *
 *   0  4  "TREE"
 *   4  1  node type, 0 group or 1 chunk
 *   5  1  level
 *   6  2  children in use, n
 *   8  O  left sibling
 *      O  right sibling
 *   then n times key, O child address; then one more key (none where n is 0)
 */

/**
 * Decodes a node of either kind. Bytes behind the children in use are not looked at.
 *
 * @throws InvalidFieldError (another signature or type, keys out of order, an undefined child), UnexpectedEofError
 */
export function decodeV1Node<K>(bytes: Uint8Array, codec: V1KeyCodec<K>, widths: Widths, address?: number): V1Node<K> {
  const reader = new ByteReader(bytes, STRUCTURE, address);
  const { level, count } = readHead(reader, codec);
  const left = reader.offsetField(widths, "left sibling");
  const right = reader.offsetField(widths, "right sibling");
  const keys: K[] = [];
  const children: number[] = [];
  for (let i = 0; i < count; i++) {
    keys.push(codec.decode(reader));
    children.push(reader.definedOffset(widths, "child address"));
  }
  if (count > 0) keys.push(codec.decode(reader));
  for (let i = 0; i < count; i++) {
    if (codec.compare !== undefined && codec.compare(keys[i]!, keys[i + 1]!) >= 0) {
      reader.fail(`keys ${i} and ${i + 1} are out of order`, sizeOfV1Head(widths));
    }
  }
  return { level, left, right, keys, children };
}

function readHead<K>(reader: ByteReader, codec: V1KeyCodec<K>): { level: number; count: number } {
  reader.signature("TREE");
  const nodeType = reader.u8();
  if (nodeType !== codec.nodeType) reader.fail(`expected node type ${codec.nodeType}, got ${nodeType}`, 4);
  return { level: reader.u8(), count: reader.u16() };
}

/** Encodes a node with room for `capacity` children (default: those it has); the room left over is zero. */
export function encodeV1Node<K>(
  node: V1Node<K>,
  codec: V1KeyCodec<K>,
  widths: Widths,
  capacity: number = node.children.length,
): Uint8Array<ArrayBuffer> {
  const size = sizeOfV1Node(capacity, codec.size, widths);
  const writer = new ByteWriter(size, STRUCTURE);
  writer.ascii("TREE");
  writer.u8(codec.nodeType);
  writer.u8(node.level);
  writer.u16(node.children.length);
  writer.offsetField(node.left, widths);
  writer.offsetField(node.right, widths);
  node.keys.forEach((key, i) => {
    codec.encode(writer, key);
    if (i < node.children.length) writer.offsetField(node.children[i], widths);
  });
  writer.skip(size - writer.offset);
  return writer.finish();
}

/** Reads one node of either kind. */
export function* readV1Node<K>(context: FileContext, address: number, codec: V1KeyCodec<K>): Plan<V1Node<K>> {
  const guess = sizeOfV1Node(USUAL_CHILDREN, codec.size, context);
  const options = { guess, min: sizeOfV1Head(context), limits: context.limits };
  const bytes = yield* needSized(STRUCTURE, address, options, (head) => {
    const { count } = readHead(new ByteReader(head, STRUCTURE, address), codec);
    return count === 0 ? sizeOfV1Head(context) : sizeOfV1Node(count, codec.size, context);
  });
  return decodeV1Node(bytes, codec, context, address);
}

/** A node on the walk's current level, and whether it follows the one before it with none left out between them. */
interface Reached<K> {
  readonly node: V1Node<K>;
  readonly address: number;
  readonly follows: boolean;
}

/** A child yet to be read. */
interface Wanted<K> extends V1Entry<K> {
  readonly follows: boolean;
}

/**
 * Walks a tree level by level, a batch for each, and gives the entries of the lowest level in key order. Subtrees and
 * entries whose keys `wanted` refuses are not read and not given.
 *
 * @throws InvalidFieldError for a node reached twice, a wrong level, keys outside the parent's, siblings that do not
 *   point at each other; LimitExceededError (`treeDepth`, `nodes`)
 */
export function* walkV1Tree<K>(
  context: FileContext,
  root: number,
  codec: V1KeyCodec<K>,
  wanted: (left: K, right: K) => boolean = () => true,
): Plan<V1Entry<K>[]> {
  const visited = new Set<number>();
  visitOnce(visited, root, STRUCTURE, context.limits);
  const top = yield* readV1Node(context, root, codec);
  checkLimit(context.limits, "treeDepth", top.level + 1, { structure: STRUCTURE, address: root });
  let reached: Reached<K>[] = [{ node: top, address: root, follows: false }];
  for (let level = top.level - 1; level >= 0; level--) {
    const children = wantedChildren(reached, wanted);
    for (const { child } of children) visitOnce(visited, child, STRUCTURE, context.limits);
    reached = yield* inAddressOrder(
      children,
      ({ child }) => child,
      (entry) => readChild(context, entry, codec, level),
    );
    checkSiblings(reached);
  }
  return wantedChildren(reached, wanted);
}

function wantedChildren<K>(reached: readonly Reached<K>[], wanted: (left: K, right: K) => boolean): Wanted<K>[] {
  const children: Wanted<K>[] = [];
  let before = false;
  for (const { node, follows } of reached) {
    if (!follows) before = false;
    node.children.forEach((child, i) => {
      const left = node.keys[i]!;
      const right = node.keys[i + 1]!;
      const keep = wanted(left, right);
      if (keep) children.push({ left, right, child, follows: before });
      before = keep;
    });
  }
  return children;
}

function* readChild<K>(
  context: FileContext,
  { child: address, left, right, follows }: Wanted<K>,
  codec: V1KeyCodec<K>,
  level: number,
): Plan<Reached<K>> {
  const node = yield* readV1Node(context, address, codec);
  const place = { structure: STRUCTURE, address };
  if (node.level !== level) throw new InvalidFieldError(`expected level ${level}, got ${node.level}`, place);
  if (node.children.length === 0) throw new InvalidFieldError("no children in a node below the root", place);
  if (codec.compare !== undefined) {
    const inside = codec.compare(left, node.keys[0]!) <= 0 && codec.compare(node.keys.at(-1)!, right) <= 0;
    if (!inside) throw new InvalidFieldError("keys outside those its parent has for it", place);
  }
  return { node, address, follows };
}

function checkSiblings<K>(reached: readonly Reached<K>[]): void {
  reached.forEach(({ node, address, follows }, i) => {
    const before = reached[i - 1];
    if (!follows || before === undefined) return;
    if (before.node.right !== address || node.left !== before.address) {
      const got = `${before.node.right} and ${node.left}`;
      throw new InvalidFieldError(`expected siblings ${address} and ${before.address}, got ${got}`, {
        structure: STRUCTURE,
        address,
      });
    }
  });
}
