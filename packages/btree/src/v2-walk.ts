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
import type { V2RecordCodec } from "./v2-records.ts";

const HEADER = "version 2 B-tree header";
const NODE = "version 2 B-tree node";

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
  readonly codec: V2RecordCodec<R>;
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

/** What stands at one place of the sequence: a record, or a subtree of the records that belong there. */
type Item<R> = { readonly record: R; readonly subtree?: undefined } | { readonly subtree: Subtree<R> };

/**
 * The records of a tree in its order, with one batch of reads for each level. Subtrees that can hold no wanted record
 * are not read.
 *
 * @param address - of the tree's header
 * @param choice - default: all records
 * @throws InvalidFieldError for counts that do not add up, records out of order, nodes reached twice, checksums;
 *   UnexpectedEofError; LimitExceededError (`treeDepth`, `nodes`)
 */
export function* readV2Records<R>(
  context: FileContext,
  address: number,
  codec: V2RecordCodec<R>,
  choice: V2Choice<R> = { keep: () => true, between: () => true },
): Plan<R[]> {
  const header = yield* readV2Header(context, address, codec);
  if (header.root === undefined || header.root.total === 0) return [];
  const levels = v2Levels(header, context);
  const walk: Walk<R> = { context, codec, choice, levels, visited: new Set() };
  let items: Item<R>[] = [{ subtree: { pointer: header.root, left: undefined, right: undefined } }];
  for (let depth = header.depth; depth >= 0; depth--) items = yield* readLevel(walk, items, depth);
  return items.flatMap((item) => (item.subtree === undefined ? [item.record] : []));
}

/** Puts the nodes of one level, with the subtrees below them, in the place of the subtrees that they are the roots of. */
function* readLevel<R>(walk: Walk<R>, items: readonly Item<R>[], depth: number): Plan<Item<R>[]> {
  const subtrees = items.flatMap(({ subtree }) => subtree ?? []);
  for (const { pointer } of subtrees) visitOnce(walk.visited, pointer.address, NODE, walk.context.limits);
  const nodes = yield* inAddressOrder(
    subtrees,
    ({ pointer }) => pointer.address,
    (subtree) => readNode(walk, subtree, depth),
  );
  let next = 0;
  return items.flatMap((item) => (item.subtree === undefined ? item : itemsOf(walk, item.subtree, nodes[next++]!)));
}

function itemsOf<R>({ choice }: Walk<R>, { left, right }: Subtree<R>, { records, children }: V2Node<R>): Item<R>[] {
  const items: Item<R>[] = [];
  for (let i = 0; i <= records.length; i++) {
    const pointer = children[i];
    const before = i === 0 ? left : records[i - 1];
    const after = i === records.length ? right : records[i];
    if (pointer !== undefined && choice.between(before, after)) {
      items.push({ subtree: { pointer, left: before, right: after } });
    }
    const record = records[i];
    if (record !== undefined && choice.keep(record)) items.push({ record });
  }
  return items;
}

function* readNode<R>({ context, codec, levels }: Walk<R>, subtree: Subtree<R>, depth: number): Plan<V2Node<R>> {
  const { address, records, total } = subtree.pointer;
  const level = levels[depth]!;
  const fail = (message: string): never => {
    throw new InvalidFieldError(message, { structure: NODE, address });
  };
  if (records > level.capacity) fail(`expected at most ${level.capacity} records, got ${records}`);
  const bytes = yield* need(NODE, address, sizeOfV2Node(records, depth, level, codec, context));
  const node = decodeV2Node(bytes, records, depth, level, codec, context, address);
  const below = node.children.reduce((sum, child) => sum + child.total, records);
  if (below !== total) fail(`expected ${total} records in and below the node, got ${below}`);
  const sequence = [subtree.left, ...node.records, subtree.right].filter((record) => record !== undefined);
  for (let i = 1; i < sequence.length; i++) {
    if (codec.compare(sequence[i - 1]!, sequence[i]!) > 0) fail("records out of order");
  }
  return node;
}
