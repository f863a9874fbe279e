import { hasAddresses } from "@h5/datatypes";
import {
  type DenseStorage,
  encodeAttribute,
  encodeAttributeInfo,
  type FileSpace,
  InvalidArgumentError,
  messageFlag,
  messageType,
  sizeOfAttribute,
  sizeOfAttributeInfo,
} from "@h5/framing";
import { dataspaceElementCount } from "@h5/selection";
import { attributeContent } from "../model/attribute-content.ts";
import type { AttributeModel, ObjectModel } from "../model/objects.ts";
import { placeElements } from "../model/placement.ts";
import type { WriteContext } from "./context.ts";
import { datatypeBody } from "./datatype-message.ts";
import { buildDenseAttributes } from "./dense.ts";
import { bodyOf, LARGEST_MESSAGE, type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";

/** Attributes that a header holds before they go to dense storage; libhdf5's default. */
const MOST_COMPACT = 8;
const TRACKED_AND_INDEXED = 3;
/** The order of creation is stored in 16 bits. */
const MOST_ORDERED = 65535;

interface Member {
  readonly name: string;
  readonly message: PlannedMessage;
}

/** The attributes of an object, in its header or in dense storage (spec IV.A.2.m, IV.A.2.v). */
export function attributesPart(object: ObjectModel, context: WriteContext): Part {
  const { earliest } = context.model;
  const ordered = object.trackAttributeOrder;
  const members = [...(object.attributes?.values() ?? [])].map((attribute, order): Member => {
    const planned = attributeMessage(attribute, ordered ? order : undefined, context);
    return { name: attribute.name, message: context.share(planned) };
  });
  if (earliest) return { messages: members.map(({ message }) => message) };
  if (ordered && members.length > MOST_ORDERED) {
    throw new InvalidArgumentError(
      `${members.length} attributes with creation order, at most ${MOST_ORDERED} have one`,
    );
  }
  const fits = members.length <= MOST_COMPACT && members.every(({ message }) => message.size <= LARGEST_MESSAGE);
  return fits ? compactAttributes(members, ordered, context) : denseAttributes(members, ordered, context);
}

function compactAttributes(members: readonly Member[], ordered: boolean, context: WriteContext): Part {
  // libhdf5 counts no attributes where this message is missing (H5Aint.c, `H5A__get_ainfo`).
  if (!ordered && members.length === 0) return { messages: [] };
  const info = infoMessage(infoOf(members, ordered), context);
  return { messages: [info, ...members.map(({ message }) => message)] };
}

function denseAttributes(members: readonly Member[], ordered: boolean, context: WriteContext): Part {
  let info = infoOf(members, ordered);
  const build = (space: FileSpace): void => {
    const bodies = members.map(({ name, message }) => ({ name, body: bodyOf(message), flags: message.flags }));
    info = { ...info, ...buildDenseAttributes(space, bodies, ordered) };
  };
  return { messages: [infoMessage(() => info, context)], steps: { build } };
}

function infoOf(members: readonly Member[], ordered: boolean): DenseStorage {
  return { flags: ordered ? TRACKED_AND_INDEXED : 0, maxCreationOrder: members.length };
}

function infoMessage(info: DenseStorage | (() => DenseStorage), { space }: WriteContext): PlannedMessage {
  const type = messageType.attributeInfo;
  // The flag that libhdf5 sets: older software need not know the message to read the object.
  const flags = messageFlag.dontShare;
  if (typeof info !== "function") return plainMessage(type, encodeAttributeInfo(info, space), flags);
  const body = (): Uint8Array => encodeAttributeInfo(info(), space);
  return { type, flags, size: sizeOfAttributeInfo(info(), space), body };
}

function attributeMessage(
  attribute: AttributeModel,
  creationOrder: number | undefined,
  context: WriteContext,
): PlannedMessage {
  const content = attributeContent(attribute, context.model);
  if (attribute.named !== undefined || hasAddresses(attribute.datatype))
    return new LateAttribute(attribute, sizeOfAttribute(content), creationOrder, context);
  const body = encodeAttribute(content);
  return { type: messageType.attribute, flags: 0, size: body.length, body, creationOrder };
}

/** An attribute with addresses. It is encoded from the start once they are known, so that little is kept until then. */
class LateAttribute implements PlannedMessage {
  readonly size: number;
  readonly creationOrder: number | undefined;
  readonly #attribute: AttributeModel;
  readonly #context: WriteContext;

  constructor(attribute: AttributeModel, size: number, creationOrder: number | undefined, context: WriteContext) {
    this.size = size;
    this.creationOrder = creationOrder;
    this.#attribute = attribute;
    this.#context = context;
  }

  get type(): number {
    return messageType.attribute;
  }

  get flags(): number {
    return 0;
  }

  body(): Uint8Array<ArrayBuffer> {
    const { space, datatype, elements } = this.#attribute;
    const data = elements.slice();
    placeElements(datatype, data, dataspaceElementCount(space), this.#context);
    const type = datatypeBody(this.#attribute, this.#context).body();
    return encodeAttribute({ ...attributeContent(this.#attribute, this.#context.model), datatype: type, data });
  }
}
