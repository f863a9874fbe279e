import {
  type DenseStorage,
  encodeGroupInfo,
  encodeLink,
  encodeLinkInfo,
  encodeText,
  type FileSpace,
  type Link,
  linkFlags,
  messageFlag,
  messageType,
  sizeOfLink,
  sizeOfLinkInfo,
} from "@h5/framing";
import type { GroupModel, LinkModel } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import { buildDenseLinks } from "./dense.ts";
import { LARGEST_MESSAGE, type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";

/** Links that a header holds before they go to dense storage; libhdf5's default. */
const MOST_COMPACT = 8;
const TRACKED_AND_INDEXED = 3;

/** The links of a group in the header itself, or in dense storage (spec IV.A.2.c, IV.A.2.g). */
export function newGroupPart(group: GroupModel, context: WriteContext): Part {
  const { space } = context;
  const members = [...group.links].map(([name, link], order) => {
    const creationOrder = group.trackOrder ? order : undefined;
    const measured = linkMessage(name, link, creationOrder, 0);
    const size = sizeOfLink(measured, space);
    const body = (): Uint8Array<ArrayBuffer> =>
      encodeLink(
        linkMessage(name, link, creationOrder, link.type === "hard" ? context.addressOf(link.target) : 0),
        space,
      );
    return { name, size, body };
  });
  const flags = group.trackOrder ? TRACKED_AND_INDEXED : 0;
  let info: DenseStorage = { flags, maxCreationOrder: members.length };
  const messages: PlannedMessage[] = [
    {
      type: messageType.linkInfo,
      flags: 0,
      size: sizeOfLinkInfo(info, space),
      body: () => encodeLinkInfo(info, space),
    },
    // Without it libhdf5 can add nothing to the group (H5Gobj.c).
    plainMessage(messageType.groupInfo, encodeGroupInfo({}), messageFlag.constant),
  ];
  if (members.length <= MOST_COMPACT && members.every(({ size }) => size <= LARGEST_MESSAGE)) {
    for (const { size, body } of members) messages.push({ type: messageType.link, flags: 0, size, body });
    return { messages };
  }
  const build = (file: FileSpace): void => {
    const bodies = members.map(({ name, body }) => ({ name, body: body() }));
    info = { ...info, ...buildDenseLinks(file, bodies, group.trackOrder) };
  };
  return { messages, build };
}

function linkMessage(name: string, link: LinkModel, creationOrder: number | undefined, address: number): Link {
  const charset = encodeText(name).length === name.length ? "ascii" : "utf8";
  const flags = linkFlags({ name, type: link.type, charset, creationOrder });
  const head = { version: 1, flags, name, charset, creationOrder } as const;
  if (link.type === "hard") return { ...head, type: "hard", address };
  if (link.type === "soft") return { ...head, type: "soft", target: link.target };
  if (link.type === "user") return { ...head, type: "user", class: link.class, value: link.value };
  return { ...head, type: "external", file: link.file, target: link.target };
}
