// A reader that lists groups, however they are stored, and does nothing else: enough for a page that shows what is in a
// file, in less than 10 kB. What few groups need is loaded when one is met that does.
import { readGroupEntries } from "@h5/btree";
import {
  type ByteSource,
  decodeLink,
  decodeLinkInfo,
  decodeSymbolTableMessage,
  defaultLimits,
  type FileContext,
  type HeaderMessage,
  locateSuperblock,
  messageType,
  offsetSource,
  type Plan,
  readObjectHeader,
  run,
  wait,
} from "@h5/framing";
import { localHeapString, readLocalHeap } from "@h5/heap";

/** An open file: its bytes from the superblock on, and what every plan must know of it. */
export interface CustomFile {
  readonly source: ByteSource;
  readonly context: FileContext;
  readonly rootAddress: number;
}

export async function openFile(source: ByteSource): Promise<CustomFile> {
  const { superblock, address } = await run(locateSuperblock(), source);
  const { offsetSize, lengthSize, rootAddress } = superblock;
  return {
    source: offsetSource(source, address),
    context: { offsetSize, lengthSize, limits: defaultLimits },
    rootAddress,
  };
}

/** Names of links, with the addresses of the objects that hard ones lead to. */
export type Links = Map<string, number | undefined>;

/** The links of a group, by default the root; `address` is that of its object header. */
export function listGroup({ source, context, rootAddress }: CustomFile, address: number = rootAddress): Promise<Links> {
  return run(linksOf(context, address), source);
}

function* linksOf(context: FileContext, address: number): Plan<Links> {
  const { messages } = yield* readObjectHeader(context, address);
  const find = (wanted: number) => messages.find(({ type }) => type === wanted);
  const table = find(messageType.symbolTable);
  if (table !== undefined) return yield* tableLinks(context, table);
  const links = messages.filter(({ type }) => type === messageType.link).map(({ body }) => decodeLink(body, context));
  const info = find(messageType.linkInfo);
  const storage = info && decodeLinkInfo(info.body, context, info.address);
  if (storage?.heapAddress !== undefined) {
    const { denseLinks } = yield* wait(() => import("./dense-links.ts"));
    links.push(...(yield* denseLinks(context, storage)));
  }
  return new Map(links.map((link) => [link.name, link.type === "hard" ? link.address : undefined]));
}

/** An old-style group: a tree of entries, whose names are in a heap. */
function* tableLinks(context: FileContext, table: HeaderMessage): Plan<Links> {
  const { btreeAddress, heapAddress } = decodeSymbolTableMessage(table.body, context, table.address);
  const heap = yield* readLocalHeap(context, heapAddress);
  const entries = yield* readGroupEntries(context, btreeAddress);
  return new Map(entries.map(({ nameOffset, headerAddress }) => [localHeapString(heap, nameOffset), headerAddress]));
}
