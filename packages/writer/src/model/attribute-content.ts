import { type AttributeContent, sizeOfText } from "@h5/framing";
import { encodeDataspace } from "@h5/selection";
import { WIDTHS } from "../data/heap-pair.ts";
import type { FileModel } from "./file.ts";
import type { AttributeModel } from "./objects.ts";

/** Bytes of the pointer to a named datatype, in each version (spec IV.A.2, "Shared Message"). */
const POINTER = 10;

/**
 * The message of an attribute before anything has an address (spec IV.A.2.m): all parts have their sizes, elements and the
 * pointer to a named datatype not yet their values.
 */
export function attributeContent(attribute: AttributeModel, { earliest, types }: FileModel): AttributeContent {
  const { name, datatype, named, space, elements } = attribute;
  const shared = named !== undefined;
  const charset = sizeOfText(name) === name.length ? "ascii" : "utf8";
  return {
    version: !earliest || charset === "utf8" ? 3 : shared ? 2 : 1,
    flags: shared ? 1 : 0,
    name,
    charset,
    datatype: shared ? new Uint8Array(POINTER) : types.encoded(datatype),
    dataspace: encodeDataspace(space, WIDTHS),
    data: elements,
  };
}
