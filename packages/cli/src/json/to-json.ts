import { compareBytes, encodeText } from "@h5/framing";
import type { Attribute, Child, Dataset, Group, H5File, H5Object, Link } from "@h5/reader";
import { jsonData } from "./data.ts";
import { type JsonDatatype, jsonDatatype } from "./datatype.ts";
import { attributeElements, datasetElements } from "./elements.ts";
import { type JsonError, jsonError } from "./error.ts";
import { lateNamer, type ReferenceNamer } from "./references.ts";

/** Paths after which a listing ends, with `truncated`. */
const MAX_PATHS = 3000;

/** What `h5 dump --json` prints of a file. */
export interface JsonFile {
  readonly file: string;
  readonly userblock: number;
  readonly superblock: number;
  readonly objects: Record<string, unknown>;
  readonly truncated?: true;
}

/** One object, found at its path. */
interface Found {
  readonly path: string;
  readonly object: H5Object | undefined;
  /** Of its header, whether it can be read or not. */
  readonly address: number | undefined;
  /** Why the object, or the links of a group, cannot be read. */
  readonly error: JsonError | undefined;
  /** A group's links. */
  readonly links: Record<string, unknown> | undefined;
}

/**
 * The JSON document of a file: every object by every path of hard links, with its attributes, links, datatype and data
 * (abridged where there is much). What cannot be read carries an `error` in place of what is missing.
 */
export async function toJson(file: H5File, name: string = ""): Promise<JsonFile> {
  const found: Found[] = [];
  const complete = await collect(file, "/", new Set(), found);
  const paths = firstPaths(found);
  const { nameOf, settle } = lateNamer(file, (address) => paths.get(address));
  const objects: Record<string, unknown> = Object.create(null);
  for (const entry of found) objects[entry.path] = await jsonObject(entry, nameOf);
  await settle();
  const head = { file: name, userblock: file.userblockSize, superblock: file.superblock.version, objects };
  return complete ? head : { ...head, truncated: true };
}

/** Lists a group and all below it, depth first by name; false once there are too many paths. */
async function collect(group: Group, path: string, ancestors: Set<number>, into: Found[]): Promise<boolean> {
  const children = await childrenOf(group);
  if (!Array.isArray(children)) {
    into.push({ path, object: group, address: group.address, error: children, links: {} });
    return true;
  }
  const inside = new Set([...ancestors, group.address]);
  const links: Record<string, unknown> = Object.create(null);
  for (const { link, object } of children) links[link.name] = jsonLink(link, object, inside);
  const nameless = children.find(({ link }) => link.type === "broken" && link.name === "")?.error;
  into.push({ path, object: group, address: group.address, error: nameless && jsonError(nameless), links });
  for (const { link, object, error } of children) {
    if (link.type !== "hard" || (object !== undefined && inside.has(object.address))) continue;
    if (into.length >= MAX_PATHS) return false;
    const below = path === "/" ? `/${link.name}` : `${path}/${link.name}`;
    if (object?.kind === "group") {
      if (!(await collect(object, below, inside, into))) return false;
    } else
      into.push({ path: below, object, address: link.address, error: error && jsonError(error), links: undefined });
  }
  return true;
}

async function childrenOf(group: Group): Promise<Child[] | JsonError> {
  try {
    const keyed = (await group.children()).map((child) => ({ child, key: encodeText(child.link.name) }));
    return keyed.sort((a, b) => compareBytes(a.key, b.key)).map(({ child }) => child);
  } catch (error) {
    return jsonError(error);
  }
}

function jsonLink(link: Link, object: H5Object | undefined, ancestors: ReadonlySet<number>): unknown {
  switch (link.type) {
    case "hard":
      return object !== undefined && ancestors.has(object.address) ? { type: "hard", cycle: true } : { type: "hard" };
    case "soft":
      return { type: "soft", target: link.target };
    case "external":
      return { type: "external", file: link.file, target: link.target };
    case "user":
      return { type: "user", class: link.class };
    case "broken":
      return { type: "broken", error: jsonError(link.error) };
  }
}

/** The first path of each object, by the address of its header. */
function firstPaths(found: readonly Found[]): Map<number, string> {
  const paths = new Map<number, string>();
  for (const { address, path } of found) {
    if (address !== undefined && !paths.has(address)) paths.set(address, path);
  }
  return paths;
}

async function jsonObject({ object, error, links }: Found, nameOf: ReferenceNamer): Promise<unknown> {
  if (object === undefined) return { kind: "unknown", error };
  const attrs = await jsonAttributes(object, nameOf);
  switch (object.kind) {
    case "group":
      return { kind: "group", ...attrs, links, ...(error && { error }) };
    case "dataset":
      return { kind: "dataset", ...attrs, ...(await jsonDataset(object, nameOf)) };
    case "datatype":
      return { kind: "datatype", ...attrs, ...attempted(() => ({ dtype: jsonDatatype(object.datatype) })) };
  }
}

/** The parts that can be read, or `error`. */
function attempted(parts: () => object): object {
  try {
    return parts();
  } catch (error) {
    return { error: jsonError(error) };
  }
}

async function jsonAttributes(object: H5Object, nameOf: ReferenceNamer): Promise<object> {
  try {
    const { attributes, errors } = await object.attrs.survey();
    const attrs: Record<string, unknown> = Object.create(null);
    for (const attribute of attributes) attrs[attribute.name] ??= await jsonAttribute(attribute, nameOf);
    return errors.length === 0 ? { attrs } : { attrs, attrs_error: jsonError(errors[0]) };
  } catch (error) {
    return { attrs: {}, attrs_error: jsonError(error) };
  }
}

async function jsonAttribute(attribute: Attribute, nameOf: ReferenceNamer): Promise<object> {
  const metadata = attempted(() => ({
    shape: attribute.dataspace.class === "null" ? null : attribute.shape,
    dtype: jsonDatatype(attribute.datatype),
  }));
  return "error" in metadata
    ? metadata
    : await withData(metadata, attribute.dataspace.class, () => jsonData(attributeElements(attribute, nameOf)));
}

async function jsonDataset(dataset: Dataset, nameOf: ReferenceNamer): Promise<object> {
  const metadata = {
    ...attempted(() => ({ maxshape: jsonMaxShape(dataset) })),
    ...attempted(() => ({ shape: dataset.spaceClass === "null" ? null : dataset.shape })),
    ...attempted((): { dtype: JsonDatatype } => ({ dtype: jsonDatatype(dataset.datatype) })),
    ...attempted(() => ({ layout: dataset.layout.class, chunks: dataset.chunkShape ?? null })),
    ...attempted(() => ({ filters: dataset.filters.map(({ id }) => id) })),
  };
  return "error" in metadata
    ? metadata
    : await withData(metadata, dataset.spaceClass, () => jsonData(datasetElements(dataset, nameOf)));
}

async function withData(metadata: object, space: string, data: () => Promise<unknown>): Promise<object> {
  try {
    return { ...metadata, data: space === "null" ? null : await data() };
  } catch (error) {
    return { ...metadata, error: jsonError(error) };
  }
}

function jsonMaxShape({ spaceClass, maxShape }: Dataset): readonly (number | null)[] | null {
  if (spaceClass === "null") return null;
  return maxShape.map((length) => (length === Number.POSITIVE_INFINITY ? null : length));
}
