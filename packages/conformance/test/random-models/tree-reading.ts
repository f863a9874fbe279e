import { type Dataset, Group, type H5File, type H5Object } from "@h5/reader";
import { expect } from "vitest";
import type { TreeObject } from "./tree-model.ts";

/** Compares a file with the tree it was made from. Objects with several names are one, whichever name leads to it. */
export async function expectTree(file: H5File, root: TreeObject): Promise<void> {
  const found = new Map<TreeObject, H5Object>();
  const references: [H5Object, TreeObject][] = [];
  const visit = async (object: H5Object, model: TreeObject): Promise<void> => {
    const known = found.get(model);
    if (known !== undefined) {
      expect(object.address).toBe(known.address);
      return;
    }
    found.set(model, object);
    expect(object.kind).toBe(model.kind);
    await expectAttributes(object, model);
    if (model.target !== undefined) references.push([object, model.target]);
    if (!(object instanceof Group)) return;
    const children = await object.children();
    expect(children.map(({ link }) => link.name).sort()).toEqual([...model.links.keys()].sort());
    for (const { link, object: child } of children) {
      const expected = model.links.get(link.name)!;
      if (typeof expected === "string") expect(link).toMatchObject({ type: "soft", target: expected });
      else await visit(child!, expected);
    }
  };
  await visit(file, root);
  for (const [object, target] of references) {
    const { data } = await (object as Dataset).get();
    const [reference] = data as readonly Parameters<H5File["dereference"]>[0][];
    expect((await file.dereference(reference!)).address).toBe(found.get(target)!.address);
  }
}

async function expectAttributes(object: H5Object, { attributes }: TreeObject): Promise<void> {
  expect((await object.attrs.names()).sort()).toEqual([...attributes.keys()].sort());
  for (const [name, value] of attributes) expect(await object.attrs.get(name)).toEqual(value);
}
