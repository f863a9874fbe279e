import { buildGroupTree } from "@h5/btree";
import {
  compareBytes,
  encodeSymbolTableMessage,
  encodeText,
  type FileSpace,
  messageType,
  type SymbolTable,
  type SymbolTableEntry,
  sizeOfSymbolTableMessage,
} from "@h5/framing";
import { buildLocalHeap } from "@h5/heap";
import type { GroupModel } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import type { Part } from "./part.ts";

/** The links of an old-style group being written. */
export interface OldGroupPart extends Part {
  /** Where they are, once they are written. */
  table(): SymbolTable | undefined;
}

/** The links of an old-style group: a local heap with names, a B-tree of symbol table entries (spec III.B to III.D). */
export function oldGroupPart(group: GroupModel, context: WriteContext): OldGroupPart {
  let table: SymbolTable | undefined;
  const size = sizeOfSymbolTableMessage(context.space);
  return {
    messages: [
      { type: messageType.symbolTable, flags: 0, size, body: () => encodeSymbolTableMessage(table!, context.space) },
    ],
    steps: {
      build(space) {
        table = buildTable(space, group, context);
      },
    },
    table: () => table,
  };
}

function buildTable(space: FileSpace, group: GroupModel, context: WriteContext): SymbolTable {
  const members = [...group.links]
    .map(([name, link]) => ({ name: encodeText(name), link }))
    .sort((a, b) => compareBytes(a.name, b.name));
  const names = members.map(({ name }) => name);
  const targets = members.flatMap(({ link }) => (link.type === "soft" ? [encodeText(link.target)] : []));
  const heap = buildLocalHeap(space, [...names, ...targets]);
  let nextTarget = names.length;
  const entries = members.map(({ link }, i): SymbolTableEntry => {
    const nameOffset = heap.offsets[i]!;
    if (link.type === "hard") return { nameOffset, headerAddress: context.addressOf(link.target), cacheType: 0 };
    return { nameOffset, headerAddress: undefined, cacheType: 2, linkOffset: heap.offsets[nextTarget++]! };
  });
  return { btreeAddress: buildGroupTree(space, entries), heapAddress: heap.address };
}
