import { type Datatype, describeDatatype, scalarOf, type Values } from "@h5/datatypes";
import type { Attribute, H5File, H5Object } from "@h5/reader";
import { showData } from "./data-view.ts";
import { element } from "./element.ts";
import { cancel, errorElement, task } from "./task.ts";
import { elementType, factsOf, listText, textOf } from "./text.ts";

/** Shows an object: what it is, its attributes, and of a dataset its values. */
export async function showObject(host: HTMLElement, file: H5File, object: H5Object, path: string): Promise<void> {
  cancel("data");
  const attributes = element("section", { className: "attributes" });
  const data = element("section", { className: "data" });
  host.replaceChildren(
    element("h2", {}, path, " ", element("small", {}, object.kind)),
    factsList(object),
    data,
    attributes,
  );
  const rows = await task("object", `Reading the attributes of ${path}`, async ({ signal }) => {
    const { attributes: found, errors } = await object.attrs.survey({ signal });
    const values = await Promise.all(found.map((attribute) => attributeRow(attribute, signal)));
    return [...values, ...errors.map((error) => element("tr", {}, element("td", { colSpan: 3 }, errorElement(error))))];
  });
  if (rows?.length) attributes.append(element("h3", {}, "Attributes"), attributeTable(rows));
  if (rows !== undefined && object.kind === "dataset") await showData(data, file, object);
}

function factsList(object: H5Object): HTMLElement {
  const facts =
    object.kind === "dataset"
      ? factsOf(object)
      : object.kind === "datatype"
        ? [["type", describeDatatype(object.datatype)] as const]
        : [];
  return element("dl", {}, ...facts.flatMap(([word, text]) => [element("dt", {}, word), element("dd", {}, text)]));
}

function attributeTable(rows: readonly HTMLElement[]): HTMLElement {
  const head = element("tr", {}, ...["name", "value", "type"].map((name) => element("th", { scope: "col" }, name)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

/** A row of the table; what cannot be read says why. */
async function attributeRow(attribute: Attribute, signal: AbortSignal | undefined): Promise<HTMLElement> {
  const name = element("th", { scope: "row" }, attribute.name);
  try {
    const { data } = await attribute.get({ signal });
    const value = attributeText(attribute, data as Values);
    return element("tr", {}, name, element("td", {}, value), element("td", {}, describeDatatype(attribute.datatype)));
  } catch (error) {
    signal?.throwIfAborted();
    return element("tr", {}, name, element("td", { colSpan: 2 }, errorElement(error)));
  }
}

function attributeText({ datatype, dataspace }: Attribute, data: Values): string {
  if (dataspace.class === "null") return "null";
  const base: Datatype = elementType(datatype);
  return dataspace.class === "scalar" && base === datatype
    ? textOf(base, scalarOf(base, data, 0))
    : listText(base, data);
}
