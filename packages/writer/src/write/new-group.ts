import {
  type DenseStorage,
  encodeGroupInfo,
  encodeLink,
  encodeLinkInfo,
  linkFlags,
  messageFlag,
  messageType,
  sizeOfLinkInfo,
  sizeOfText,
  type Widths,
} from "@h5/framing";
import { SmallBytes } from "../data/small-bytes.ts";
import type { GroupModel, LinkModel, ObjectModel } from "../model/objects.ts";
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
  const { links, trackOrder } = group;
  const info: DenseStorage = { flags: trackOrder ? TRACKED_AND_INDEXED : 0, maxCreationOrder: links.size };
  if (links.size <= MOST_COMPACT) {
    const messages = Array.from(
      linkBodies(group, () => 0, space),
      ({ link, body }) => ({
        type: messageType.link,
        flags: 0,
        size: body.length,
        body,
        target: link.type === "hard" ? link.target : undefined,
      }),
    );
    if (messages.every(({ size }) => size <= LARGEST_MESSAGE))
      return { messages: [plainMessage(messageType.linkInfo, encodeLinkInfo(info, space)), groupInfo(), ...messages] };
  }
  let dense = info;
  const size = sizeOfLinkInfo(info, space);
  return {
    messages: [{ type: messageType.linkInfo, flags: 0, size, body: () => encodeLinkInfo(dense, space) }, groupInfo()],
    steps: {
      build(file) {
        const small = new SmallBytes();
        const bodies = linkBodies(group, (target) => context.addressOf(target), space);
        const members = Array.from(bodies, ({ name, body }) => ({ name, body: small.kept(body) }));
        dense = { ...info, ...buildDenseLinks(file, members, trackOrder) };
      },
    },
  };
}

interface LinkBody {
  readonly name: string;
  readonly link: LinkModel;
  readonly body: Uint8Array<ArrayBuffer>;
}

function* linkBodies(
  { links, trackOrder }: GroupModel,
  addressOf: (target: ObjectModel) => number,
  widths: Widths,
): Generator<LinkBody> {
  let order = 0;
  for (const [name, link] of links) {
    const creationOrder = trackOrder ? order : undefined;
    const charset = sizeOfText(name) === name.length ? "ascii" : "utf8";
    const flags = linkFlags({ name, type: link.type, charset, creationOrder });
    const target = link.type === "hard" ? { type: link.type, address: addressOf(link.target) } : link;
    yield { name, link, body: encodeLink({ version: 1, flags, name, charset, creationOrder, ...target }, widths) };
    order++;
  }
}

/** Without it libhdf5 can add nothing to the group (H5Gobj.c). */
function groupInfo(): PlannedMessage {
  return plainMessage(messageType.groupInfo, encodeGroupInfo({}), messageFlag.constant);
}
