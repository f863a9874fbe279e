import { type Datatype, decodeDatatype } from "@h5/datatypes";
import { decodeFilterPipeline } from "@h5/filters";
import {
  decodeAttributeInfo,
  decodeComment,
  decodeExternalFiles,
  decodeFillValue,
  decodeGroupInfo,
  decodeLayout,
  decodeLink,
  decodeLinkInfo,
  decodeModificationTime,
  decodeOldFillValue,
  decodeOldModificationTime,
  decodeSymbolTableMessage,
  type Link,
  messageType,
  type Plan,
} from "@h5/framing";
import { decodeDataspace } from "@h5/selection";
import { checkAttributes, checkDenseAttributes } from "./attributes.ts";
import { type Check, fault, guard, guardNow, type Lead, warn } from "./check.ts";
import { checkDataset } from "./dataset.ts";
import { checkDenseLinks, checkLinks } from "./links.ts";
import { type CheckedHeader, checkHeader } from "./object-header.ts";
import { type FoundMessage, findShared } from "./shared.ts";
import { checkSymbolTable } from "./symbol-table.ts";

/** Link counts of the objects that were read, as their headers have them. */
export type LinkCounts = Map<number, { readonly counted: number; readonly path: string }>;

/** Checks all objects that links lead to, those that their links lead to among them. */
export function* checkObjects(check: Check): Plan<LinkCounts> {
  const counts: LinkCounts = new Map();
  const seen = new Set<number>();
  for (let next = check.queue.shift(); next !== undefined; next = check.queue.shift()) {
    if (seen.has(next.address)) continue;
    seen.add(next.address);
    const header = yield* guard(check, next.path, checkObject(check, next));
    if (header !== undefined) counts.set(header.address, { counted: header.referenceCount, path: header.path });
  }
  return counts;
}

function* checkObject(check: Check, { address, path }: Lead): Plan<CheckedHeader | undefined> {
  const header = yield* checkHeader(check, address, path);
  if (header === undefined) return undefined;
  const messages = yield* findShared(check, header.messages, path);
  yield* checkAttributes(check, messages, path);
  const first = <T>(type: number, decode: (message: FoundMessage) => T): T | undefined => {
    const message = messages.find((candidate) => candidate.type === type);
    return message && guardNow(check, path, () => decode(message));
  };
  first(messageType.comment, ({ body, address: at }) => decodeComment(body, at));
  first(messageType.modificationTime, ({ body, address: at }) => decodeModificationTime(body, at));
  first(messageType.modificationTimeOld, ({ body, address: at }) => decodeOldModificationTime(body, at));
  const attributes = first(messageType.attributeInfo, ({ body, address: at }) => decodeAttributeInfo(body, check, at));
  if (attributes !== undefined) yield* checkDenseAttributes(check, attributes, path);
  yield* checkContent(check, header, messages, first);
  return header;
}

/** Decodes the first message of a type, and reports that it cannot be. */
type First = <T>(type: number, decode: (message: FoundMessage) => T) => T | undefined;

/** Checks what an object has of its kind, which is told as libhdf5 does (H5Oint.c). */
function* checkContent(
  check: Check,
  header: CheckedHeader,
  messages: readonly FoundMessage[],
  first: First,
): Plan<void> {
  const { address, path } = header;
  // Also what could not be found where it is shared says what the object is.
  const has = (type: number): boolean => header.messages.some((message) => message.type === type);
  if (has(messageType.symbolTable) || has(messageType.linkInfo))
    return yield* checkGroup(check, header, messages, first);
  const place = { structure: "object header", address, path };
  if (!has(messageType.datatype)) return fault(check, { ...place, message: "no group, dataset or datatype" });
  const datatype = first(messageType.datatype, ({ body, address: at }): Datatype => {
    return decodeDatatype(body, { address: at, limits: check.limits });
  });
  if (!has(messageType.dataspace)) return;
  if (!has(messageType.layout)) return fault(check, { ...place, message: "a dataset without a data layout message" });
  const oldFill = first(messageType.fillValueOld, ({ body, address: at }) => decodeOldFillValue(body, at));
  yield* checkDataset(check, {
    address,
    path,
    datatype,
    dataspace: first(messageType.dataspace, ({ body, address: at }) => decodeDataspace(body, check, at)),
    layout: first(messageType.layout, ({ body, address: at }) => decodeLayout(body, check, at)),
    fill: first(messageType.fillValue, ({ body, address: at }) => decodeFillValue(body, at)) ?? oldFill,
    pipeline: first(messageType.filterPipeline, ({ body, address: at }) => decodeFilterPipeline(body, at)),
    externalFiles: first(messageType.externalFiles, ({ body, address: at }) => decodeExternalFiles(body, check, at)),
  });
}

function* checkGroup(
  check: Check,
  { address, path }: CheckedHeader,
  messages: readonly FoundMessage[],
  first: First,
): Plan<void> {
  first(messageType.groupInfo, ({ body, address: at }) => decodeGroupInfo(body, at));
  const table = first(messageType.symbolTable, ({ body, address: at }) => decodeSymbolTableMessage(body, check, at));
  if (table !== undefined) {
    check.symbolTables.set(address, table);
    yield* checkSymbolTable(check, table, path);
  }
  const links = messages.flatMap(({ type, body, address: at }): Link[] => {
    const link = type === messageType.link ? guardNow(check, path, () => decodeLink(body, check, at)) : undefined;
    return link === undefined ? [] : [link];
  });
  checkLinks(check, links, address, path);
  const info = first(messageType.linkInfo, ({ body, address: at }) => decodeLinkInfo(body, check, at));
  if (info !== undefined) yield* checkDenseLinks(check, info, path);
}

/** Holds what headers count against the links and uses that were found. */
export function checkLinkCounts(check: Check, counts: LinkCounts): void {
  for (const [address, { counted, path }] of counts) {
    const found = check.links.get(address) ?? 0;
    if (found === counted) continue;
    warn(check, { structure: "object header", address, path, message: `counts ${counted} links, ${found} were found` });
  }
}

/** Whether what references lead to is an object that was found. */
export function checkReferences(check: Check, counts: LinkCounts): void {
  for (const { address, path, at, unset } of check.references) {
    if (counts.has(address) || check.space.has("object header", address)) continue;
    const message = `leads to ${address}, where no object is that links lead to`;
    const report = unset ? warn : fault;
    report(check, { structure: "reference", address: at, path, message });
  }
}
