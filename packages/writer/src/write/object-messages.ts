import { encodeDatatype } from "@h5/datatypes";
import { encodeComment, encodeReferenceCount, messageFlag, messageType } from "@h5/framing";
import type { DatatypeModel } from "../model/objects.ts";
import { type PlannedMessage, plainMessage } from "./object-header.ts";

/** What makes an object a named datatype (spec IV.A.2.d). */
export function namedTypeMessage({ datatype }: DatatypeModel): PlannedMessage {
  return plainMessage(messageType.datatype, encodeDatatype(datatype), messageFlag.constant);
}

/** A comment (spec IV.A.2.n). */
export function commentMessage(comment: string): PlannedMessage {
  return plainMessage(messageType.comment, encodeComment(comment));
}

/** How many hard links lead to an object, where it is not one (spec IV.A.2.w). */
export function referenceCountMessage(count: number): PlannedMessage {
  return plainMessage(messageType.referenceCount, encodeReferenceCount(count), messageFlag.dontShare);
}
