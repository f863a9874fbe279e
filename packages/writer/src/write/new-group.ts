import {
  type DenseStorage,
  encodeGroupInfo,
  encodeLink,
  encodeLinkInfo,
  type Link,
  linkFlags,
  messageFlag,
  messageType,
  sizeOfLink,
  sizeOfLinkInfo,
  sizeOfText,
} from "@h5/framing";
import type { GroupModel, LinkModel } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import { buildDenseLinks } from "./dense.ts";
import { bodyOf, LARGEST_MESSAGE, type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";

/** Links that a header holds before they go to dense storage; libhdf5's default. */
const MOST_COMPACT = 8;
const TRACKED_AND_INDEXED = 3;

/** The links of a group in the header itself, or in dense storage (spec IV.A.2.c, IV.A.2.g). */
export function newGroupPart(group: GroupModel, context: WriteContext): Part {
  const { space } = context;
  const { links, trackOrder } = group;
  const info: DenseStorage = { flags: trackOrder ? TRACKED_AND_INDEXED : 0, maxCreationOrder: links.size };
  if (links.size <= MOST_COMPACT) {
    const messages = [...linkMessages(group, context)].map(({ message }) => message);
    if (messages.every(({ size }) => size <= LARGEST_MESSAGE))
      return { messages: [plainMessage(messageType.linkInfo, encodeLinkInfo(info, space)), groupInfo(), ...messages] };
  }
  let dense = info;
  const size = sizeOfLinkInfo(info, space);
  return {
    messages: [{ type: messageType.linkInfo, flags: 0, size, body: () => encodeLinkInfo(dense, space) }, groupInfo()],
    steps: {
      build(file) {
        const members = Array.from(linkMessages(group, context), ({ name, message }) => ({
          name,
          body: bodyOf(message),
        }));
        dense = { ...info, ...buildDenseLinks(file, members, trackOrder) };
      },
    },
  };
}

function* linkMessages(
  { links, trackOrder }: GroupModel,
  context: WriteContext,
): Generator<{ readonly name: string; readonly message: PlannedMessage }> {
  let order = 0;
  for (const [name, link] of links) {
    yield { name, message: linkMessage(name, link, trackOrder ? order : undefined, context) };
    order++;
  }
}

function linkMessage(
  name: string,
  link: LinkModel,
  creationOrder: number | undefined,
  context: WriteContext,
): PlannedMessage {
  if (link.type !== "hard") {
    const head = linkHead(name, link.type, creationOrder);
    return plainMessage(messageType.link, encodeLink({ ...head, ...link }, context.space));
  }
  const size = sizeOfLink(hardLink(name, creationOrder, 0), context.space);
  const body = (): Uint8Array =>
    encodeLink(hardLink(name, creationOrder, context.addressOf(link.target)), context.space);
  return { type: messageType.link, flags: 0, size, body };
}

function hardLink(name: string, creationOrder: number | undefined, address: number): Link {
  return { ...linkHead(name, "hard", creationOrder), type: "hard", address };
}

function linkHead(name: string, type: Link["type"], creationOrder: number | undefined) {
  const charset = sizeOfText(name) === name.length ? "ascii" : "utf8";
  return {
    version: 1,
    flags: linkFlags({ name, type, charset, creationOrder }),
    name,
    charset,
    creationOrder,
  } as const;
}

/** Without it libhdf5 can add nothing to the group (H5Gobj.c). */
function groupInfo(): PlannedMessage {
  return plainMessage(messageType.groupInfo, encodeGroupInfo({}), messageFlag.constant);
}
