import {
  decodeV2Header,
  decodeV2Node,
  sizeOfV2Header,
  type V2Header,
  type V2Level,
  type V2NodePointer,
  type V2RecordDecoder,
  v2Levels,
} from "@h5/btree";
import { checkLimit, InvalidFieldError, type Plan } from "@h5/framing";
import { type Check, fault, guard, read } from "./check.ts";

const HEADER = "version 2 B-tree header";
const NODE = "version 2 B-tree node";

/** What the nodes of one tree have in common. */
interface Tree<R> {
  readonly codec: V2RecordDecoder<R>;
  readonly header: V2Header;
  readonly levels: readonly V2Level[];
  readonly path: string;
}

/** Checks a tree, and gives the records of the nodes that could be read, in its order. */
export function* checkV2Tree<R>(check: Check, address: number, codec: V2RecordDecoder<R>, path: string): Plan<R[]> {
  const header = yield* guard(check, path, readHeader(check, address, codec, path));
  if (header?.root === undefined || header.root.total === 0) return [];
  const tree: Tree<R> = { codec, header, levels: v2Levels(header, check), path };
  const { records, whole } = yield* checkSubtree(check, tree, header.root, header.depth);
  if (whole && records.length !== header.root.total) {
    const message = `expected ${header.root.total} records in the tree, got ${records.length}`;
    fault(check, { structure: HEADER, address, path, message });
  }
  const unordered = records.findIndex((record, i) => i > 0 && codec.compare(records[i - 1]!, record) > 0);
  if (unordered > 0) {
    const message = `records ${unordered - 1} and ${unordered} are out of order`;
    fault(check, { structure: NODE, address: header.root.address, path, message });
  }
  return records;
}

function* readHeader<R>(
  check: Check,
  address: number,
  codec: V2RecordDecoder<R>,
  path: string,
): Plan<V2Header | undefined> {
  const size = sizeOfV2Header(check);
  if (!check.space.claim(HEADER, address, size, path)) return undefined;
  const header = decodeV2Header(yield* read(check, HEADER, address, size), check, address);
  const place = { structure: HEADER, address };
  checkLimit(check.limits, "treeDepth", header.depth + 1, place);
  if (header.type !== codec.type || header.recordSize !== codec.size) {
    const got = `${header.type} of ${header.recordSize}`;
    throw new InvalidFieldError(`expected records of type ${codec.type} of ${codec.size} bytes, got ${got}`, place);
  }
  return header;
}

/** Records found, and whether they are all there are below a node. */
interface Found<R> {
  readonly records: R[];
  readonly whole: boolean;
}

function* checkSubtree<R>(check: Check, tree: Tree<R>, pointer: V2NodePointer, depth: number): Plan<Found<R>> {
  const node = yield* guard(check, tree.path, readNode(check, tree, pointer, depth));
  if (node === undefined) return { records: [], whole: false };
  const records: R[] = [];
  let whole = true;
  for (let i = 0; i <= node.records.length; i++) {
    const child = node.children[i];
    if (child !== undefined) {
      const below = yield* checkSubtree(check, tree, child, depth - 1);
      for (const record of below.records) records.push(record);
      whole &&= below.whole;
    }
    if (i < node.records.length) records.push(node.records[i]!);
  }
  if (whole && records.length !== pointer.total) {
    const message = `expected ${pointer.total} records in and below the node, got ${records.length}`;
    fault(check, { structure: NODE, address: pointer.address, path: tree.path, message });
  }
  return { records, whole };
}

function* readNode<R>(
  check: Check,
  { header, levels, codec, path }: Tree<R>,
  { address, records }: V2NodePointer,
  depth: number,
): Plan<ReturnType<typeof decodeV2Node<R>> | undefined> {
  if (!check.space.claim(NODE, address, header.nodeSize, path)) return undefined;
  const level = levels[depth]!;
  if (records > level.capacity) {
    const place = { structure: NODE, address };
    throw new InvalidFieldError(`expected at most ${level.capacity} records, got ${records}`, place);
  }
  const bytes = yield* read(check, NODE, address, header.nodeSize, 0);
  return decodeV2Node(bytes, records, depth, level, codec, check, address);
}
