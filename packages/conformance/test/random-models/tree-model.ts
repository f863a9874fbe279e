import { names } from "@h5/testing";
import { type FileBuilder, type GroupBuilder, objectReference } from "@h5/writer";
import fc from "fast-check";

/** An attribute's value: what it is given as, and what it is read as. */
export type AttributeValue = string | bigint | boolean | readonly string[] | Float64Array | Int16Array;

/** Something to be added to a group. Numbers choose among the groups, and the objects, that are there already. */
interface EntrySpec {
  readonly parent: number;
  readonly name: string;
  readonly what: "group" | "dataset" | "datatype" | "soft" | "hard" | "reference";
  readonly target: number;
  readonly tracked: boolean;
  readonly attributes: readonly (readonly [string, AttributeValue])[];
}

export type TreeSpec = readonly EntrySpec[];

const values: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean(),
  fc.array(
    fc.string({ unit: "grapheme-ascii" }).filter((text) => !text.includes("\0")),
    { minLength: 1 },
  ),
  fc.float64Array(),
  fc.int16Array({ maxLength: 400 }),
);

/** Names that paths can be made of: `..` is one for libhdf5, but not for our reader. */
const linkNames = names().filter((name) => !name.includes("/") && name !== "." && name !== "..");

/** A tree of up to `size` entries; few groups, so that some have many links. */
export function trees(size: number): fc.Arbitrary<TreeSpec> {
  const entry = fc.record({
    parent: fc.nat(),
    name: linkNames,
    what: fc.constantFrom("group", "dataset", "dataset", "datatype", "soft", "hard", "reference"),
    target: fc.nat(),
    tracked: fc.boolean(),
    attributes: fc.uniqueArray(fc.tuple(names(), values), {
      maxLength: 12,
      selector: ([name]) => name,
    }),
  }) as fc.Arbitrary<EntrySpec>;
  return fc.array(entry, { maxLength: size, size: "max" });
}

/** An object as it is meant to be read. */
export interface TreeObject {
  readonly kind: "group" | "dataset" | "datatype";
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** Of a group, by name: the object, or the path that a soft link has. */
  readonly links: Map<string, TreeObject | string>;
  /** Of a dataset of one reference: what it leads to. */
  readonly target?: TreeObject | undefined;
}

/** Builds a tree in a file, and as plain objects. */
export function writeTree(file: FileBuilder, spec: TreeSpec, mayTrack: boolean): TreeObject {
  const root: TreeObject = { kind: "group", attributes: new Map(), links: new Map() };
  const groups: { builder: GroupBuilder; object: TreeObject; path: string }[] = [
    { builder: file, object: root, path: "" },
  ];
  const objects = [{ path: "/", object: root }];
  for (const { parent, name, what, target, tracked, attributes } of spec) {
    const { builder, object: group, path: above } = groups[parent % groups.length]!;
    if (group.links.has(name)) continue;
    const path = `${above}/${name}`;
    const other = objects[target % objects.length]!;
    if (what === "soft" || what === "hard") {
      if (what === "soft") builder.softLink(name, other.path);
      else builder.hardLink(name, other.path);
      group.links.set(name, what === "soft" ? other.path : other.object);
      continue;
    }
    const options = { attrs: attributes, ...(mayTrack ? { trackOrder: tracked } : {}) };
    const common = { attributes: new Map(attributes), links: new Map<string, TreeObject>() };
    const kind = what === "reference" ? "dataset" : what;
    const object: TreeObject = { kind, ...common, ...(what === "reference" ? { target: other.object } : {}) };
    if (what === "group") groups.push({ builder: builder.group(name, options), object, path });
    else if (what === "datatype") builder.namedDatatype(name, { a: "int8", b: "string" }, options);
    else builder.dataset(name, what === "reference" ? [objectReference(other.path)] : 1, options);
    group.links.set(name, object);
    objects.push({ path, object });
  }
  return root;
}
