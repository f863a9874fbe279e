import { attributeNameRecords, buildGroupTree, buildV2Tree, linkNameRecords, linkOrderRecords } from "@h5/btree";
import {
  compareBytes,
  encodeAttribute,
  encodeAttributeInfo,
  encodeGroupInfo,
  encodeLink,
  encodeLinkInfo,
  encodeObjectHeaderV1,
  encodeObjectHeaderV2,
  encodeSharedMessage,
  encodeSuperblock,
  encodeSymbolTableMessage,
  encodeSharedMessageTable as encodeTableMessage,
  encodeText,
  type FileSpace,
  type Link,
  linkFlags,
  lookup3,
  type MessageContent,
  messageFlag,
  messageType,
  objectHeaderFlag,
  place,
} from "@h5/framing";
import {
  attributeHeap,
  buildFractalHeap,
  buildLocalHeap,
  buildSharedMessages,
  buildSharedMessageTable,
  linkHeap,
  type SharedMessageOptions,
} from "../src/index.ts";
import { memorySpace } from "./memory-space.ts";

const widths = { offsetSize: 8, lengthSize: 8 };
const common = { ...widths, baseAddress: 0, consistencyFlags: 0 };

/** A link as libhdf5 writes it in a group with creation order. */
export function softLink(name: string, target: string, creationOrder: number): Link {
  const link = { name, type: "soft", target, charset: "ascii", creationOrder } as const;
  return { version: 1, flags: linkFlags(link), ...link };
}

/** A file with a superblock 3 and nothing but a root group with these messages. */
export function builtFile(
  messages: (space: FileSpace) => MessageContent[],
  extension?: (space: FileSpace) => MessageContent[],
): Uint8Array<ArrayBuffer> {
  const superblock = { ...common, version: 3, endOfFileAddress: 0, rootAddress: 0 } as const;
  const space = memorySpace(encodeSuperblock(superblock).length);
  const header = (content: MessageContent[]) => {
    // Where a file shares attributes libhdf5 counts on all its headers keeping their messages' order (H5Oint.c).
    const flags = 2 | (extension === undefined ? 0 : objectHeaderFlag.trackCreationOrder);
    const numbered = content.map((message, creationOrder) => ({ ...message, creationOrder }));
    return place(space, encodeObjectHeaderV2({ flags, messages: numbered }));
  };
  const rootAddress = header(messages(space));
  const extensionAddress = extension && header(extension(space));
  const file = space.file();
  file.set(encodeSuperblock({ ...superblock, endOfFileAddress: file.length, rootAddress, extensionAddress }));
  return file;
}

/** The messages of a group with its links in a heap and in trees by name and creation order. */
export function denseLinks(space: FileSpace, links: readonly Link[]): MessageContent[] {
  const objects = links.map((link) => encodeLink(link, space));
  const { address: heapAddress, ids } = buildFractalHeap(space, objects, linkHeap);
  const byOrder = links.map(({ creationOrder }, i) => ({ creationOrder: creationOrder!, heapId: ids[i]! }));
  const names = links.map(({ name }) => encodeText(name));
  const byName = names.map((name, i) => ({ name, hash: lookup3(name), heapId: ids[i]! }));
  byName.sort((a, b) => a.hash - b.hash || compareBytes(a.name, b.name));
  const info = {
    flags: 3,
    maxCreationOrder: links.length,
    heapAddress,
    nameIndexAddress: buildV2Tree(space, linkNameRecords(), byName),
    orderIndexAddress: buildV2Tree(space, linkOrderRecords(), byOrder),
  };
  return [
    { type: messageType.linkInfo, flags: 0, body: encodeLinkInfo(info, space) },
    { type: messageType.groupInfo, flags: messageFlag.constant, body: encodeGroupInfo({}) },
  ];
}

/** The messages of a group without links. */
export function noLinks(): MessageContent[] {
  return [
    { type: messageType.linkInfo, flags: 0, body: encodeLinkInfo({ flags: 0 }, widths) },
    { type: messageType.groupInfo, flags: messageFlag.constant, body: encodeGroupInfo({}) },
  ];
}

/** An attribute message of 32-bit integers in one dimension. */
export function integers(name: string, values: readonly number[]): Uint8Array<ArrayBuffer> {
  return encodeAttribute({
    version: 3,
    flags: 0,
    name,
    charset: "ascii",
    // What libhdf5 writes for H5T_STD_I32LE, and for one dimension without a maximum.
    datatype: Uint8Array.of(0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0),
    dataspace: Uint8Array.of(2, 1, 0, 1, ...new Uint8Array(new BigUint64Array([BigInt(values.length)]).buffer)),
    data: new Uint8Array(Int32Array.from(values).buffer),
  });
}

/** The message of an object with its attributes in a heap. */
export function denseAttributes(space: FileSpace, attributes: Readonly<Record<string, number[]>>): MessageContent {
  const names = Object.keys(attributes).map(encodeText);
  const objects = Object.entries(attributes).map(([name, values]) => integers(name, values));
  const { address: heapAddress, ids } = buildFractalHeap(space, objects, attributeHeap);
  // Without creation order its field holds the most it can (H5Adense.c).
  const records = names.map((name, i) => {
    return { name, hash: lookup3(name), heapId: ids[i]!, flags: 0, creationOrder: 65535 };
  });
  records.sort((a, b) => a.hash - b.hash || compareBytes(a.name, b.name));
  const nameIndexAddress = buildV2Tree(space, attributeNameRecords(), records);
  const body = encodeAttributeInfo({ flags: 0, heapAddress, nameIndexAddress }, space);
  return { type: messageType.attributeInfo, flags: 0, body };
}

/** A file whose root group's attributes are shared messages. */
export function sharedAttributesFile(
  attributes: Readonly<Record<string, number[]>>,
  phases: Pick<SharedMessageOptions, "listMax" | "btreeMin">,
): Uint8Array<ArrayBuffer> {
  const options = { messageTypes: 1 << messageType.attribute, minMessageSize: 10, ...phases };
  const messages = Object.entries(attributes).map(([name, values]) => ({
    type: messageType.attribute,
    body: integers(name, values),
    referenceCount: 1,
  }));
  let address = 0;
  const root = (space: FileSpace): MessageContent[] => {
    const { index, heapIds } = buildSharedMessages(space, options, messages);
    address = buildSharedMessageTable(space, [index]);
    const pointers = heapIds.map((heapId): MessageContent => {
      const body = encodeSharedMessage({ version: 3, type: 1, kind: "sohm", heapId }, space);
      return { type: messageType.attribute, flags: messageFlag.shared, body };
    });
    // Without this message libhdf5 takes a version 2 header for one without attributes (H5Aint.c).
    const info = { type: messageType.attributeInfo, flags: 0, body: encodeAttributeInfo({ flags: 0 }, space) };
    return [...noLinks(), info, ...pointers];
  };
  return builtFile(root, (space) => [
    {
      type: messageType.sharedMessageTable,
      flags: messageFlag.constant | messageFlag.dontShare,
      body: encodeTableMessage({ version: 0, address, indexCount: 1 }, space),
    },
  ]);
}

/** A file with a superblock 0 and soft links in the root group's symbol table. */
export function symbolTableFile(links: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const superblock = { ...common, version: 0, endOfFileAddress: 0, rootAddress: 0 } as const;
  const space = memorySpace(encodeSuperblock(superblock).length);
  const names = Object.keys(links).sort();
  const strings = [...names, ...names.map((name) => links[name]!)].map(encodeText);
  const { address: heapAddress, offsets } = buildLocalHeap(space, strings);
  const entries = names.map((_, i) => {
    return { nameOffset: offsets[i]!, cacheType: 2, linkOffset: offsets[names.length + i]! } as const;
  });
  const btreeAddress = buildGroupTree(space, entries);
  const body = encodeSymbolTableMessage({ btreeAddress, heapAddress }, space);
  const messages = [{ type: messageType.symbolTable, flags: 0, body }];
  const rootAddress = place(space, encodeObjectHeaderV1({ referenceCount: 1, messages }));
  const rootEntry = { nameOffset: 0, headerAddress: rootAddress, cacheType: 1, btreeAddress, heapAddress } as const;
  const file = space.file();
  file.set(encodeSuperblock({ ...superblock, endOfFileAddress: file.length, rootAddress, rootEntry }));
  return file;
}
