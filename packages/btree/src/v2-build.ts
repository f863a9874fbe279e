import { type FileSpace, InvalidArgumentError, place } from "@h5/framing";
import { encodeV2Header, type V2Level, type V2NodePointer, v2Levels } from "./v2-header.ts";
import { encodeV2Node } from "./v2-node.ts";
import type { V2RecordCodec } from "./v2-records.ts";

const STRUCTURE = "version 2 B-tree";

/** How a tree's nodes are cut. The defaults are libhdf5's for links, attributes, huge objects and shared messages. */
export interface V2TreeOptions {
  /** Bytes of every node; 512. */
  readonly nodeSize?: number | undefined;
  /** Fullness in percent at which libhdf5 splits a node; 100. */
  readonly splitPercent?: number | undefined;
  /** Fullness in percent at which libhdf5 merges a node, less than half of `splitPercent`; 40. */
  readonly mergePercent?: number | undefined;
}

/** What building one tree takes at every node. */
interface Build<R> {
  readonly space: FileSpace;
  readonly codec: V2RecordCodec<R>;
  readonly records: readonly R[];
  readonly nodeSize: number;
  readonly levels: readonly V2Level[];
  /** Most records of a subtree, for each level. */
  readonly room: readonly number[];
}

/**
 * Writes a version 2 B-tree of sorted records and gives the address of its header (spec III.A.2). Every subtree is of
 * as few and as equal parts as can be, so that no node but the root is less than half full: libhdf5 can insert into the
 * tree and delete from it, which it can only where no node is above the split threshold or below the merge threshold
 * (H5B2internal.c compares a node's records with both for equality alone).
 *
 * @param records - in the tree's order; equal ones, as far as the codec tells, stay as they are
 * @throws InvalidArgumentError for records out of order, or nodes too small for them
 */
export function buildV2Tree<R>(
  space: FileSpace,
  codec: V2RecordCodec<R>,
  records: readonly R[],
  options: V2TreeOptions = {},
): number {
  const { nodeSize = 512, splitPercent = 100, mergePercent = 40 } = options;
  if (!(splitPercent <= 100 && 2 * mergePercent < splitPercent)) {
    throw new InvalidArgumentError(`cannot split nodes at ${splitPercent} and merge them at ${mergePercent} percent`, {
      structure: STRUCTURE,
    });
  }
  checkOrder(codec, records);
  const shape = { nodeSize, recordSize: codec.size };
  const { levels, room } = levelsFor(records.length, shape, splitPercent, space);
  const depth = levels.length - 1;
  const build = { space, codec, records, nodeSize, levels, room };
  const root = records.length === 0 ? undefined : buildNode(build, 0, records.length, depth);
  return place(space, encodeV2Header({ type: codec.type, ...shape, depth, splitPercent, mergePercent, root }, space));
}

function checkOrder<R>(codec: V2RecordCodec<R>, records: readonly R[]): void {
  for (let i = 1; i < records.length; i++) {
    if (codec.compare(records[i - 1]!, records[i]!) <= 0) continue;
    throw new InvalidArgumentError(`records ${i - 1} and ${i} are out of order`, { structure: STRUCTURE });
  }
}

/** As many levels as `count` records need, and how many fit into a subtree of each. */
function levelsFor(
  count: number,
  shape: { readonly nodeSize: number; readonly recordSize: number },
  splitPercent: number,
  space: FileSpace,
): { levels: V2Level[]; room: number[] } {
  const room: number[] = [];
  for (let depth = 0; ; depth++) {
    const levels = v2Levels({ ...shape, depth }, space);
    const inNode = Math.floor((levels[depth]!.capacity * splitPercent) / 100);
    if (inNode < 1) {
      throw new InvalidArgumentError(`nodes of ${shape.nodeSize} bytes cannot hold records of ${shape.recordSize}`, {
        structure: STRUCTURE,
      });
    }
    // Every child but the last is followed by a record.
    room.push(depth === 0 ? inNode : (inNode + 1) * (room[depth - 1]! + 1) - 1);
    if (count <= room[depth]!) return { levels, room };
  }
}

/** Writes the subtree of the records `[from, to)`, its leaves first. */
function buildNode<R>(build: Build<R>, from: number, to: number, depth: number): V2NodePointer {
  const { space, codec, levels, nodeSize } = build;
  const records: R[] = [];
  const children: V2NodePointer[] = [];
  if (depth === 0) for (let i = from; i < to; i++) records.push(build.records[i]!);
  else {
    const total = to - from + 1;
    const parts = Math.ceil(total / (build.room[depth - 1]! + 1));
    for (let part = 0, start = from; part < parts; part++) {
      const end = from + Math.floor((total * (part + 1)) / parts) - 1;
      children.push(buildNode(build, start, end, depth - 1));
      if (end < to) records.push(build.records[end]!);
      start = end + 1;
    }
  }
  const bytes = encodeV2Node({ records, children }, depth, levels[depth]!, codec, space, nodeSize);
  return { address: place(space, bytes), records: records.length, total: to - from };
}
