import { describeDatatype } from "@h5/datatypes";
import { filterName } from "@h5/filters";
import type { Dataset, H5Object, Link } from "@h5/reader";
import type { Output } from "./output.ts";

/** `(3, 4)`, `()` for a scalar, `null` for a null dataspace; with the maximum shape where it differs. */
export function describeShape({ class: space, shape, maxShape }: Dataset["dataspace"]): string {
  if (space === "null") return "null";
  const own = `(${shape.join(", ")})`;
  if (maxShape.every((length, i) => length === shape[i])) return own;
  return `${own} of (${maxShape.map((length) => (length === Number.POSITIVE_INFINITY ? "unlimited" : length)).join(", ")})`;
}

/** Kind, shape and type of an object, as cells; a part that cannot be read says so. */
export function describeObject(object: H5Object, output: Output): string[] {
  switch (object.kind) {
    case "group":
      return ["group"];
    case "datatype":
      return ["datatype", "", orUnreadable(() => describeDatatype(object.datatype), output)];
    case "dataset":
      return [
        "dataset",
        orUnreadable(() => describeShape(object.dataspace), output),
        orUnreadable(() => describeDatatype(object.datatype), output),
      ];
  }
}

/** What a link that is not hard points to. */
export function describeLink(link: Exclude<Link, { type: "hard" | "broken" }>): string[] {
  switch (link.type) {
    case "soft":
      return ["soft link", `-> ${link.target}`];
    case "external":
      return ["external link", `-> ${link.file}:${link.target}`];
    case "user":
      return [`user-defined link of class ${link.class}`];
  }
}

/** How a dataset is stored: `chunked (10, 10), deflate 6, shuffle`. */
export function describeStorage(dataset: Dataset): string {
  const chunks = dataset.chunkShape === undefined ? "" : ` (${dataset.chunkShape.join(", ")})`;
  const filters = dataset.filters.map(({ id, name, params }) =>
    [filterName(id) ?? name ?? `filter ${id}`, ...params].join(" "),
  );
  return [dataset.layout.class + chunks, ...filters].join(", ");
}

/** What `describe` gives, or words for the error it throws. */
export function orUnreadable(describe: () => string, output: Output): string {
  try {
    return describe();
  } catch (error) {
    return output.unreadable(error);
  }
}
