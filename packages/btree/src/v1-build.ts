import { type FileSpace, InvalidArgumentError } from "@h5/framing";
import { encodeV1Node, sizeOfV1Node, type V1KeyCodec } from "./v1-node.ts";

/** What lies below one level of a tree: `children[i]` between `keys[i]` and `keys[i + 1]`. */
interface Row<K> {
  readonly keys: readonly K[];
  readonly children: readonly number[];
}

/** The cuts of `count` things into as few and as equal parts of at most `most` as can be; one part where there are none. */
export function equalCuts(count: number, most: number): number[] {
  const parts = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: parts + 1 }, (_, part) => Math.floor((count * part) / parts));
}

/**
 * Writes the nodes of a version 1 B-tree over `children` and gives the address of the root (spec III.A.1). Nodes are of
 * full size, with room for 2k children, and the nodes of a level are siblings, as libhdf5 makes them (H5B.c).
 *
 * @param keys - ascending, one more than there are children; none where there are no children
 * @throws InvalidArgumentError for keys out of order
 */
export function buildV1Tree<K>(
  space: FileSpace,
  codec: V1KeyCodec<K>,
  keys: readonly K[],
  children: readonly number[],
  k: number,
): number {
  for (let i = 1; i < keys.length; i++) {
    if (codec.compare === undefined || codec.compare(keys[i - 1]!, keys[i]!) < 0) continue;
    const structure = "version 1 B-tree";
    throw new InvalidArgumentError(`keys ${i - 1} and ${i} are out of order`, { structure });
  }
  let row: Row<K> = { keys, children };
  for (let level = 0; ; level++) {
    row = buildLevel(space, codec, row, level, 2 * k);
    if (row.children.length === 1) return row.children[0]!;
  }
}

/** Writes the nodes of one level; gives the row that they are to the level above. */
function buildLevel<K>(
  space: FileSpace,
  codec: V1KeyCodec<K>,
  { keys, children }: Row<K>,
  level: number,
  capacity: number,
): Row<K> {
  const cuts = equalCuts(children.length, capacity);
  const size = sizeOfV1Node(capacity, codec.size, space);
  const addresses = cuts.slice(1).map(() => space.allocate(size));
  addresses.forEach((address, i) => {
    const from = cuts[i]!;
    const to = cuts[i + 1]!;
    const node = {
      level,
      left: addresses[i - 1],
      right: addresses[i + 1],
      keys: keys.slice(from, to + 1),
      children: children.slice(from, to),
    };
    space.put(address, encodeV1Node(node, codec, space, capacity));
  });
  return { keys: cuts.map((cut) => keys[cut]!), children: addresses };
}
