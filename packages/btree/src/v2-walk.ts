import {
  checkLimit,
  type FileContext,
  InvalidFieldError,
  inAddressOrder,
  need,
  type Plan,
  visitOnce,
} from "@h5/framing";
import {
  decodeV2Header,
  sizeOfV2Header,
  type V2Header,
  type V2Level,
  type V2NodePointer,
  v2Levels,
} from "./v2-header.ts";
import { decodeV2Node, sizeOfV2Node, type V2Node } from "./v2-node.ts";
import type { V2RecordDecoder } from "./v2-records.ts";

const HEADER = "version 2 B-tree header";
const NODE = "version 2 B-tree node";

/** About what a decoded record, or a pointer to a child, takes of memory. */
const RECORD_BYTES = 128;

/** Which records of a tree are wanted. */
export interface V2Choice<R> {
  readonly keep: (record: R) => boolean;
  /** Whether a subtree between two records (undefined: no bound) may hold wanted ones. */
  readonly between: (left: R | undefined, right: R | undefined) => boolean;
}

/**
 * The records for which `where` gives 0. It gives a negative number for records that come before the wanted ones in the
 * tree's order, a positive one for those after.
 */
export function recordsWhere<R>(where: (record: R) => number): V2Choice<R> {
  return {
    keep: (record) => where(record) === 0,
    between: (left, right) => (left === undefined || where(left) <= 0) && (right === undefined || where(right) >= 0),
  };
}

/**
 * Reads the header of a tree, checked against what its records must be.
 *
 * @throws InvalidFieldError, UnexpectedEofError, LimitExceededError (`treeDepth`)
 */
export function* readV2Header(
  context: FileContext,
  address: number,
  codec: { readonly type: number; readonly size: number },
): Plan<V2Header> {
  const header = decodeV2Header(yield* need(HEADER, address, sizeOfV2Header(context)), context, address);
  const place = { structure: HEADER, address };
  checkLimit(context.limits, "treeDepth", header.depth + 1, place);
  if (header.type !== codec.type || header.recordSize !== codec.size) {
    const got = `${header.type} of ${header.recordSize}`;
    throw new InvalidFieldError(`expected records of type ${codec.type} of ${codec.size} bytes, got ${got}`, place);
  }
  return header;
}

/** A walk over one tree. */
interface Walk<R> {
  readonly context: FileContext;
  readonly codec: V2RecordDecoder<R>;
  readonly choice: V2Choice<R>;
  readonly levels: readonly V2Level[];
  readonly visited: Set<number>;
}

/** A subtree yet to be read, with the records on both its sides. */
interface Subtree<R> {
  readonly pointer: V2NodePointer;
  readonly left: R | undefined;
  readonly right: R | undefined;
}

/**
 * The records of a tree in its order, with one batch of reads for each level. Subtrees that can hold no wanted record
 * are not read.
 *
 * @param address - of the tree's header
 * @param context - where it keeps structures, one tree's records are always to be of one codec
 * @param choice - default: all records
 * @throws InvalidFieldError for counts that do not add up, records out of order, nodes reached twice, checksums;
 *   UnexpectedEofError; LimitExceededError (`treeDepth`, `nodes`)
 */
export function* readV2Records<R>(
  context: FileContext,
  address: number,
  codec: V2RecordDecoder<R>,
  choice: V2Choice<R> = { keep: () => true, between: () => true },
): Plan<R[]> {
  const { root, levels } = yield* openTree(context, address, codec);
  if (root === undefined || root.total === 0) return [];
  const walk: Walk<R> = { context, codec, choice, levels, visited: new Set() };
  return yield* readSubtree(walk, { pointer: root, left: undefined, right: undefined }, levels.length - 1);
}

/** What a walk needs of a tree's header. */
interface OpenTree {
  readonly root: V2NodePointer | undefined;
  readonly levels: readonly V2Level[];
}

function* openTree<R>(context: FileContext, address: number, codec: V2RecordDecoder<R>): Plan<OpenTree> {
  const key = `BTHD ${codec.type} ${address}`;
  const known = context.kept?.get(key);
  if (known !== undefined) return known as OpenTree;
  const header = yield* readV2Header(context, address, codec);
  const tree = { root: header.root, levels: v2Levels(header, context) };
  context.kept?.set(key, tree, 512);
  return tree;
}

/** The wanted records of a subtree. Those of one level are asked for together, for all walk down in step. */
function* readSubtree<R>(walk: Walk<R>, subtree: Subtree<R>, depth: number): Plan<R[]> {
  const { context, visited } = walk;
  const { pointer } = subtree;
  visitOnce(visited, pointer.address, NODE, context.limits);
  const known = context.kept?.get(pointer) as V2Node<R> | undefined;
  const node = known ?? (yield* readNode(walk, subtree, depth));
  if (depth === 0) return node.records.filter(walk.choice.keep);
  const below = wantedChildren(walk, subtree, node);
  const read = yield* inAddressOrder(
    below,
    ({ pointer }) => pointer.address,
    (child) => readSubtree(walk, child, depth - 1),
  );
  return inOrder(walk, node, below, read);
}

function* readNode<R>(walk: Walk<R>, subtree: Subtree<R>, depth: number): Plan<V2Node<R>> {
  const { context, codec, levels } = walk;
  const { address, records } = subtree.pointer;
  const level = levels[depth]!;
  if (records > level.capacity) {
    const place = { structure: NODE, address };
    throw new InvalidFieldError(`expected at most ${level.capacity} records, got ${records}`, place);
  }
  const bytes = yield* need(NODE, address, sizeOfV2Node(records, depth, level, codec, context));
  // A copy, for records that are kept may be views, which would keep all that was read with them.
  const own = context.kept === undefined ? bytes : bytes.slice();
  const node = decodeV2Node(own, records, depth, level, codec, context, address);
  checkNode(walk, subtree, node);
  context.kept?.set(subtree.pointer, node, bytes.length + RECORD_BYTES * (2 * records + 1));
  return node;
}

function checkNode<R>(
  { codec }: Walk<R>,
  { pointer, left, right }: Subtree<R>,
  { records, children }: V2Node<R>,
): void {
  const place = { structure: NODE, address: pointer.address };
  const total = children.reduce((sum, child) => sum + child.total, records.length);
  if (total !== pointer.total) {
    throw new InvalidFieldError(`expected ${pointer.total} records in and below the node, got ${total}`, place);
  }
  for (let i = 0; i <= records.length; i++) {
    const before = i === 0 ? left : records[i - 1];
    const after = i === records.length ? right : records[i];
    if (before !== undefined && after !== undefined && codec.compare(before, after) > 0) {
      throw new InvalidFieldError("records out of order", place);
    }
  }
}

/** A subtree that may hold wanted records, and which child of its parent it is. */
interface Child<R> extends Subtree<R> {
  readonly place: number;
}

function wantedChildren<R>(
  { choice }: Walk<R>,
  { left, right }: Subtree<R>,
  { records, children }: V2Node<R>,
): Child<R>[] {
  const wanted: Child<R>[] = [];
  for (const [place, pointer] of children.entries()) {
    const before = place === 0 ? left : records[place - 1];
    const after = place === records.length ? right : records[place];
    if (choice.between(before, after)) wanted.push({ pointer, place, left: before, right: after });
  }
  return wanted;
}

/** The wanted records of a node and of what is `below` it, in the tree's order. A loop: `flat` takes many times as long. */
function inOrder<R>(
  { choice }: Walk<R>,
  { records }: V2Node<R>,
  below: readonly Child<R>[],
  read: readonly R[][],
): R[] {
  const wanted: R[] = [];
  let next = 0;
  for (let place = 0; place <= records.length; place++) {
    const subtree = below[next]?.place === place ? read[next++]! : [];
    for (let i = 0; i < subtree.length; i++) wanted.push(subtree[i]!);
    const record = records[place];
    if (record !== undefined && choice.keep(record)) wanted.push(record);
  }
  return wanted;
}
