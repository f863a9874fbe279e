import { compoundType, enumType, uint8, vlenStringType } from "@h5/datatypes";
import { deflate, type SharedKind, shuffle } from "../../../src/index.ts";
import type { Build, MatrixCases } from "../matrix-case.ts";

const record = compoundType([
  { name: "a rather long member name", type: uint8 },
  { name: "another", type: vlenStringType() },
]);

/** Objects that have much in common: `count` types of attribute, fill value and pipeline. */
function alike(count: number): Build {
  return (file, expect) => {
    for (let i = 0; i < count; i++) {
      const path = `/data${i}`;
      const dtype = enumType(
        uint8,
        Array.from({ length: 8 }, (_, n) => ({ name: `choice ${i % 10} ${n}`, value: n })),
      );
      const options = { dtype, chunks: [2, 2], fillValue: 5, filters: [shuffle(), deflate((i % 9) + 1)] };
      const unit = `a unit of measure, number ${i % (count / 2)}`;
      file.dataset(
        path,
        [
          [1, 2, 3],
          [3, 2, 1],
        ],
        { ...options, attrs: { unit, same: "the same text everywhere" } },
      );
      // Chunked datasets, which may be resized, have a space of their own.
      file.dataset(`/contiguous${i % 20}/data${i}`, new Uint8Array(i % 20), { attrs: { unit } });
      expect(`/contiguous${i % 20}/data${i}`, { data: new Uint8Array(i % 20), attrs: { unit: { data: [unit] } } });
      expect(path, {
        data: [1, 2, 3, 3, 2, 1],
        filters: [2, 1],
        facts: { fill: 5 },
        attrs: { unit: { data: [unit] }, same: { data: ["the same text everywhere"] } },
      });
    }
  };
}

const kinds: readonly SharedKind[] = ["dataspace", "datatype", "fillValue", "filterPipeline", "attribute"];

export const objects: MatrixCases = {
  empty(_file, expect) {
    expect("/", { kind: "group", links: {}, attrs: {} });
  },

  groups(file, expect) {
    file.group("/empty");
    file.group("/one/two/three");
    expect("/empty", { kind: "group", links: {} });
    expect("/one/two/three", { kind: "group", links: {} });
  },

  comments(file, expect) {
    file.group("/group", { comment: "a group" });
    file.dataset("/data", 1, { comment: "größer" });
    file.namedDatatype("/type", "int8", { comment: "a type" });
    for (const [path, comment] of Object.entries({ "/group": "a group", "/data": "größer", "/type": "a type" })) {
      expect(path, { facts: { comment } });
    }
  },

  namedTypes(file, expect) {
    const plain = file.namedDatatype("/types/plain", ">i4");
    const compound = file.namedDatatype("/types/compound", record);
    const rows = [{ "a rather long member name": 1, another: "two" }];
    file.dataset("/plain", [1, 2], { dtype: plain }).attribute("a", [3], { dtype: plain });
    file.dataset("/compound", rows, { dtype: compound }).attribute("a", rows, { dtype: compound });
    expect("/types/plain", { kind: "datatype", dtype: { class: "integer", size: 4, signed: true, order: "BE" } });
    expect("/types/compound", { kind: "datatype", dtype: { class: "compound" } });
    expect("/plain", { committed: true, data: [1, 2], attrs: { a: { data: [3] } } });
    expect("/compound", { committed: true, data: rows, attrs: { a: { data: rows } } });
  },

  hardLinks(file, expect) {
    const object = file.dataset("/data", 1);
    for (let i = 0; i < 20; i++) file.hardLink(`/link${i}`, "/data");
    object.attribute("a", 1);
    expect("/data", { facts: { link_count: 21 }, attrs: { a: { data: [1] } } });
    expect("/link19", { facts: { link_count: 21 }, data: [1], attrs: { a: { data: [1] } } });
  },

  cycles(file, expect) {
    file.group("/a/b").hardLink("back", "/a").hardLink("root", "/");
    expect("/a", { facts: { link_count: 2 } });
    expect("/a/b", { links: { back: { type: "hard", cycle: true }, root: { type: "hard", cycle: true } } });
  },

  userblock: {
    styles: ["plain", "earliest"],
    options: { userblock: new TextEncoder().encode("#!/bin/sh\n".repeat(300)) },
    build(file, expect) {
      file.dataset("/data", [1, 2, 3], { dtype: "int16", chunks: [2], filters: [deflate()], attrs: { a: ["x", "y"] } });
      expect("/data", { data: [1, 2, 3], attrs: { a: { data: ["x", "y"] } } });
    },
  },

  sharedList: { styles: ["plain"], options: { sharedMessages: { minSize: 10 } }, build: alike(12) },
  sharedTree: { styles: ["plain"], options: { sharedMessages: { minSize: 10, listMax: 20 } }, build: alike(300) },
  sharedTreeOrdered: { styles: ["shared"], build: alike(300) },
  ...Object.fromEntries(
    kinds.map((kind) => [
      `shared-${kind}`,
      { styles: ["plain"] as const, options: { sharedMessages: { kinds: [kind], minSize: 1 } }, build: alike(70) },
    ]),
  ),
};
