import {
  arrayType,
  compoundType,
  fixedStringType,
  int16be,
  int32le,
  referenceType,
  uint8,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { objectReference, regionReference } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";

/** Values that lie elsewhere: sequences, strings, references. */
export const heap: MatrixCases = {
  sequences(file, expect) {
    const data = [Int32Array.of(1, 2, 3), Int32Array.of(), Int32Array.of(-7)];
    file.dataset("/i4", data, { dtype: vlenType(int32le) });
    expect("/i4", { shape: [3], dtype: { class: "vlen", base: { class: "integer", size: 4 } }, data });
    file.dataset("/be", data, { dtype: vlenType(int16be) });
    expect("/be", { data });
    const long = Uint8Array.from({ length: 200_000 }, (_, i) => i % 251);
    file.dataset("/scalar", long, { dtype: vlenType(uint8), shape: [] });
    expect("/scalar", { shape: [] });
    file.dataset("/strings", [["a", "bc"], [], ["def"]], { dtype: vlenType(fixedStringType(3)) });
    expect("/strings", { data: [["a", "bc"], [], ["def"]] });
  },

  nested(file, expect) {
    const data = [[[1, 2], [3]], [], [[], [4, 5, 6]]];
    file.dataset("/vlenOfVlen", data, { dtype: vlenType(vlenType(int32le)) });
    expect("/vlenOfVlen", { shape: [3], data });
    file.dataset("/vlenOfStrings", [["a", ""], ["ünï"]], { dtype: vlenType(vlenStringType()) });
    expect("/vlenOfStrings", { data: [["a", ""], ["ünï"]] });
    const record = compoundType([
      { name: "id", type: uint8 },
      { name: "name", type: vlenStringType() },
      { name: "path", type: vlenType(int32le) },
      { name: "both", type: arrayType([2], vlenStringType("ascii")) },
    ]);
    const rows = [
      { id: 1, name: "one", path: [1, 2, 3], both: ["x", "y"] },
      { id: 2, name: "", path: [], both: ["", "z"] },
    ];
    file.dataset("/compound", rows, { dtype: record });
    expect("/compound", { data: rows });
    file.dataset("/vlenOfCompound", [rows, []], { dtype: vlenType(record) });
    expect("/vlenOfCompound", { data: [rows, []] });
  },

  chunked(file, expect) {
    const rows = Array.from({ length: 90 }, (_, i) => Array.from({ length: i % 7 }, (_, j) => i * j));
    for (const [name, maxShape] of Object.entries({ fixed: [90], grows: [Number.POSITIVE_INFINITY] })) {
      file.dataset(name, rows, { dtype: vlenType(int32le), chunks: [20], maxShape });
      expect(`/${name}`, { data: rows, chunks: [20], facts: { stored_chunks: 5 } });
    }
    const unwritten = { dtype: "string", shape: [6], chunks: [2] } as const;
    file.dataset("/unwritten", undefined, unwritten);
    expect("/unwritten", { data: ["", "", "", "", "", ""], facts: { stored_chunks: 3 } });
  },

  objectReferences(file, expect) {
    const later = objectReference("/later/dataset");
    file.dataset("/refs", [later, objectReference("/"), objectReference("/refs"), null], { dtype: "reference" });
    expect("/refs", {
      dtype: { class: "reference", kind: "object" },
      data: [{ ref: "/later/dataset" }, { ref: "/" }, { ref: "/refs" }, null],
    });
    file.dataset("/later/dataset", Uint8Array.of(1));
    file.namedDatatype("/later/type", "float32");
    const record = compoundType([
      { name: "r", type: referenceType() },
      { name: "n", type: uint8 },
    ]);
    file.dataset("/compound", [{ r: objectReference("/later/type"), n: 3 }], { dtype: record });
    expect("/compound", { data: [{ r: { ref: "/later/type" }, n: 3 }] });
    file.dataset("/sequences", [[later, later], []], { dtype: vlenType(referenceType()) });
    expect("/sequences", { data: [[{ ref: "/later/dataset" }, { ref: "/later/dataset" }], []] });
    file.group("/later").attribute("target", objectReference("/refs"));
    expect("/later", { attrs: { target: { shape: [], data: [{ ref: "/refs" }] } } });
  },

  regionReferences(file, expect) {
    file.dataset("/grid", new Int16Array(60), { shape: [6, 10] });
    const block = {
      type: "hyperslab",
      form: "regular",
      start: [1, 2],
      stride: [1, 1],
      count: [1, 1],
      block: [3, 4],
    } as const;
    const spread = {
      type: "hyperslab",
      form: "regular",
      start: [0, 1],
      stride: [3, 5],
      count: [2, 2],
      block: [1, 2],
    } as const;
    const points = {
      type: "points",
      points: [
        [0, 0],
        [5, 9],
        [5, 9],
      ],
    } as const;
    const data = [block, spread, points].map((selection) => regionReference("/grid", selection));
    file.dataset("/regions", [...data, null], { dtype: "region" });
    expect("/regions", {
      dtype: { class: "reference", kind: "region" },
      data: [
        {
          regionref: "/grid",
          blocks: [
            [
              [1, 2],
              [3, 5],
            ],
          ],
        },
        {
          regionref: "/grid",
          blocks: [
            [
              [0, 1],
              [0, 2],
            ],
            [
              [0, 6],
              [0, 7],
            ],
            [
              [3, 1],
              [3, 2],
            ],
            [
              [3, 6],
              [3, 7],
            ],
          ],
        },
        {
          regionref: "/grid",
          points: [
            [0, 0],
            [5, 9],
            [5, 9],
          ],
        },
        null,
      ],
    });
  },
};
