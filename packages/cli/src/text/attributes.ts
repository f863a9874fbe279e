import { describeDatatype } from "@h5/datatypes";
import type { Attribute, H5Object } from "@h5/reader";
import { attributeElements } from "../json/elements.ts";
import { type ReferenceNamer, referenceNamer } from "../json/references.ts";
import { describeShape } from "./describe.ts";
import type { Output } from "./output.ts";
import { LONG, textOf } from "./values.ts";

/** Values of an attribute that are shown. */
const SHOWN = 20;

/** A line for each attribute of an object: name, value, and shape and type where the value does not tell them. */
export async function attributeLines(object: H5Object, indent: string, output: Output): Promise<string[]> {
  try {
    const { attributes, errors } = await object.attrs.survey();
    const lines = [];
    for (const attribute of attributes)
      lines.push(`${indent}@${attribute.name} ${await describeValue(attribute, output)}`);
    return [...lines, ...errors.map((error) => indent + output.unreadable(error))];
  } catch (error) {
    return [indent + output.unreadable(error)];
  }
}

async function describeValue(attribute: Attribute, output: Output): Promise<string> {
  let type = "";
  try {
    type = output.colors.dim(`${describeShape(attribute.dataspace)} ${describeDatatype(attribute.datatype)}`);
    if (attribute.dataspace.class === "null") return type;
    const source = attributeElements(attribute, nameByAddress);
    const shown = await source.list(0, Math.min(source.count, SHOWN));
    const values = shown.map((value) => textOf(attribute.datatype, value, LONG));
    if (attribute.dataspace.class === "scalar") return `${values[0]}  ${type}`;
    const more = source.count > SHOWN ? `, … ${source.count - SHOWN} more` : "";
    return `[${values.join(", ")}${more}]  ${type}`;
  } catch (error) {
    return `${type} ${output.unreadable(error)}`.trimStart();
  }
}

/** Naming a reference by path would take a walk of the whole file. */
export const nameByAddress: ReferenceNamer = (reference, datatype) =>
  referenceNamer((address) => `object at ${address}`)(reference, datatype);
