import { type FileSpace, place, type SymbolTableEntry } from "@h5/framing";
import { buildV1Tree, equalCuts } from "./v1-build.ts";
import { encodeSymbolTableNode, groupKeys } from "./v1-group.ts";

/** Half of what the nodes of groups have room for, which a file's superblock says once for all. */
export interface GroupTreeOptions {
  /** Of symbol table nodes; 4. */
  readonly leafK?: number | undefined;
  /** Of B-tree nodes; 16. */
  readonly internalK?: number | undefined;
}

/**
 * Writes a group's symbol table nodes and the B-tree over them, and gives the address of its root (spec III.A.1 and
 * III.B). A group without links has a root without children.
 *
 * @param entries - in the order of their names' bytes, which are in the local heap and cannot be checked here
 */
export function buildGroupTree(
  space: FileSpace,
  entries: readonly SymbolTableEntry[],
  options: GroupTreeOptions = {},
): number {
  const { leafK = 4, internalK = 16 } = options;
  const codec = groupKeys(space);
  if (entries.length === 0) return buildV1Tree(space, codec, [], [], internalK);
  const capacity = 2 * leafK;
  // The first key is the empty name, at offset 0 of the heap; each other one the last name to its left (H5Gnode.c).
  const keys = [0];
  const nodes: number[] = [];
  equalCuts(entries.length, capacity).forEach((cut, i, cuts) => {
    if (i === 0) return;
    nodes.push(place(space, encodeSymbolTableNode(entries.slice(cuts[i - 1], cut), space, capacity)));
    keys.push(entries[cut - 1]!.nameOffset);
  });
  return buildV1Tree(space, codec, keys, nodes, internalK);
}
