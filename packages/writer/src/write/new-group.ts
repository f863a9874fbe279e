import {
  type DenseStorage,
  encodeGroupInfo,
  encodeLink,
  encodeLinkInfo,
  type Link,
  linkFlags,
  messageFlag,
  messageType,
  sizeOfLinkInfo,
  sizeOfText,
} from "@h5/framing";
import type { GroupModel, LinkModel } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import { buildDenseLinks } from "./dense.ts";
import { LARGEST_MESSAGE, type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";

/** Links that a header holds before they go to dense storage; libhdf5's default. */
const MOST_COMPACT = 8;
const TRACKED_AND_INDEXED = 3;
/** Bytes of an address. */
const ADDRESS = 8;

/** The links of a group in the header itself, or in dense storage (spec IV.A.2.c, IV.A.2.g). */
export function newGroupPart(group: GroupModel, context: WriteContext): Part {
  const { space } = context;
  const members = [...group.links].map(([name, link], order) => {
    const message = encodeLink(linkMessage(name, link, group.trackOrder ? order : undefined), space);
    const body = link.type === "hard" ? () => withAddress(message, context.addressOf(link.target)) : () => message;
    return { name, size: message.length, body };
  });
  const info: DenseStorage = { flags: group.trackOrder ? TRACKED_AND_INDEXED : 0, maxCreationOrder: members.length };
  if (members.length <= MOST_COMPACT && members.every(({ size }) => size <= LARGEST_MESSAGE)) {
    const links = members.map(({ size, body }) => ({ type: messageType.link, flags: 0, size, body }));
    return { messages: [plainMessage(messageType.linkInfo, encodeLinkInfo(info, space)), groupInfo(), ...links] };
  }
  let dense = info;
  const size = sizeOfLinkInfo(info, space);
  return {
    messages: [{ type: messageType.linkInfo, flags: 0, size, body: () => encodeLinkInfo(dense, space) }, groupInfo()],
    build(file) {
      const bodies = members.map(({ name, body }) => ({ name, body: body() }));
      dense = { ...info, ...buildDenseLinks(file, bodies, group.trackOrder) };
    },
  };
}

/** Without it libhdf5 can add nothing to the group (H5Gobj.c). */
function groupInfo(): PlannedMessage {
  return plainMessage(messageType.groupInfo, encodeGroupInfo({}), messageFlag.constant);
}

/** A link as it is before anything has an address. */
function linkMessage(name: string, link: LinkModel, creationOrder: number | undefined): Link {
  const charset = sizeOfText(name) === name.length ? "ascii" : "utf8";
  const flags = linkFlags({ name, type: link.type, charset, creationOrder });
  const head = { version: 1, flags, name, charset, creationOrder } as const;
  return link.type === "hard" ? { ...head, type: "hard", address: 0 } : { ...head, ...link };
}

/** Puts an object's address, the last field of a hard link, into its message. */
function withAddress(message: Uint8Array<ArrayBuffer>, address: number): Uint8Array<ArrayBuffer> {
  let rest = address;
  for (let at = message.length - ADDRESS; at < message.length; at++) {
    message[at] = rest;
    rest = Math.floor(rest / 256);
  }
  return message;
}
