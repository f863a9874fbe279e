import { decodeV1Node, sizeOfV1Node, type V1KeyCodec, type V1Node } from "@h5/btree";
import { checkLimit, InvalidFieldError, type Plan } from "@h5/framing";
import { type Check, guard, guardNow, read } from "./check.ts";

/** A child of the lowest nodes with the keys on both its sides. */
export interface V1Leaf<K> {
  readonly left: K;
  readonly right: K;
  readonly child: number;
}

/** How one tree looks, and whose it is. */
export interface V1Tree<K> {
  readonly codec: V1KeyCodec<K>;
  /** Children a node has room for. */
  readonly capacity: number;
  readonly path: string;
}

const STRUCTURE = "version 1 B-tree node";

/** What a parent says of a node. */
interface Expected<K> {
  readonly address: number;
  readonly level: number;
  readonly left: K;
  readonly right: K;
}

/** A node and what a parent says of it; the root has none. */
interface Reached<K> {
  readonly node: V1Node<K>;
  readonly address: number;
}

/** Checks the nodes of a tree, level by level, and gives what the lowest of those that could be read lead to. */
export function* checkV1Tree<K>(check: Check, root: number, tree: V1Tree<K>): Plan<V1Leaf<K>[]> {
  const top = yield* guard(check, tree.path, readNode(check, root, tree));
  if (top === undefined) return [];
  let level: (Reached<K> | undefined)[] = [{ node: top, address: root }];
  for (let depth = top.level; depth > 0; depth--) {
    const expected = level.flatMap((reached) => (reached === undefined ? [] : childrenOf(reached, depth - 1)));
    level = [];
    for (const child of expected) level.push(yield* guard(check, tree.path, readChild(check, child, tree)));
    for (const [i, reached] of level.entries()) {
      guardNow(check, tree.path, () => checkSiblings(level[i - 1], reached, i === 0));
    }
  }
  return level.flatMap((reached) =>
    reached === undefined
      ? []
      : childrenOf(reached, 0).map(({ left, right, address }) => ({ left, right, child: address })),
  );
}

function childrenOf<K>({ node: { children, keys } }: Reached<K>, level: number): Expected<K>[] {
  return children.map((address, i) => ({ address, level, left: keys[i]!, right: keys[i + 1]! }));
}

function* readNode<K>(
  check: Check,
  address: number,
  { codec, capacity, path }: V1Tree<K>,
): Plan<V1Node<K> | undefined> {
  const size = sizeOfV1Node(capacity, codec.size, check);
  if (!check.space.claim(STRUCTURE, address, size, path)) return undefined;
  // The room that is left at a node's end need not be in the file.
  const node = decodeV1Node(yield* read(check, STRUCTURE, address, size, 0), codec, check, address);
  const place = { structure: STRUCTURE, address };
  checkLimit(check.limits, "treeDepth", node.level + 1, place);
  if (node.children.length > capacity) {
    throw new InvalidFieldError(`expected at most ${capacity} children, got ${node.children.length}`, place);
  }
  return node;
}

function* readChild<K>(
  check: Check,
  { address, level, left, right }: Expected<K>,
  tree: V1Tree<K>,
): Plan<Reached<K> | undefined> {
  const node = yield* readNode(check, address, tree);
  if (node === undefined) return undefined;
  const { compare } = tree.codec;
  const place = { structure: STRUCTURE, address };
  if (node.level !== level) throw new InvalidFieldError(`expected level ${level}, got ${node.level}`, place);
  if (node.children.length === 0) throw new InvalidFieldError("no children in a node below the root", place);
  if (compare !== undefined && (compare(left, node.keys[0]!) > 0 || compare(node.keys.at(-1)!, right) > 0)) {
    throw new InvalidFieldError("keys outside those its parent has for it", place);
  }
  return { node, address };
}

function checkSiblings<K>(before: Reached<K> | undefined, reached: Reached<K> | undefined, first: boolean): void {
  if (reached === undefined || (!first && before === undefined)) return;
  const { node, address } = reached;
  const place = { structure: STRUCTURE, address };
  if (node.left !== before?.address) {
    throw new InvalidFieldError(`expected the left sibling ${before?.address}, got ${node.left}`, place);
  }
  if (before !== undefined && before.node.right !== address) {
    const got = before.node.right;
    throw new InvalidFieldError(`expected the right sibling ${address}, got ${got}`, {
      ...place,
      address: before.address,
    });
  }
}
