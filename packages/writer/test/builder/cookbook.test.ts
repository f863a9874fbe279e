import {
  arrayType,
  ComplexArray,
  compoundType,
  decodeValues,
  encodeValues,
  enumType,
  fixedStringType,
  float64le,
  int16le,
  int32le,
  opaqueType,
  referenceType,
  uint8,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { slice } from "@h5/selection";
import { libhdf5 } from "@h5/testing/libhdf5";
import { describe, expect, it } from "vitest";
import { type AttributeOptions, createFile, objectReference, regionReference } from "../../src/index.ts";

const colours = enumType(int16le, [
  { name: "RED", value: 0 },
  { name: "BLUE", value: -2 },
]);
const complex = [
  ["r", "<d"],
  ["i", "<d"],
];
const point = compoundType([
  { name: "x", type: float64le },
  { name: "s", type: vlenStringType() },
]);
const points = [
  ["x", "<d"],
  ["s", "S"],
];
/** What a reader gives of rows. */
const cells = compoundType([
  { name: "x", type: float64le },
  { name: "k", type: uint8 },
]);
const read = decodeValues(cells, encodeValues(cells, { x: [1, 2], k: [3, 4] }), 2);

type Form = readonly [what: string, value: unknown, options: AttributeOptions, shape: number[] | null, found: unknown];

/** Every form in which data is taken, with the shape and the values that libhdf5 finds. */
const forms: readonly Form[] = [
  // Numbers, one or many
  ["a number", 1.5, {}, [], 1.5],
  ["a bigint", -7n, {}, [], -7n],
  ["a list of numbers", [1, 2.5], {}, [2], Float64Array.of(1, 2.5)],
  ["a list of bigints", [1n, 2n], {}, [2], BigInt64Array.of(1n, 2n)],
  [
    "lists in lists",
    [
      [1, 2],
      [3, 4],
    ],
    {},
    [2, 2],
    Float64Array.of(1, 2, 3, 4),
  ],
  ["a list with a shape", [1, 2, 3, 4], { shape: [2, 2], dtype: "int8" }, [2, 2], Int8Array.of(1, 2, 3, 4)],
  ["one number as a list", 5, { shape: [1], dtype: "uint16" }, [1], Uint16Array.of(5)],
  ["a list of one as a scalar", [5], { shape: [], dtype: "uint16" }, [], 5],
  ["nothing at all", [], { dtype: "int32" }, [0], new Int32Array(0)],
  ["nothing, with axes", [], { dtype: "int32", shape: [2, 0] }, [2, 0], new Int32Array(0)],
  ["null", null, { dtype: "int32" }, null, null],
  // Typed arrays
  ["a typed array", Int16Array.of(1, -2), {}, [2], Int16Array.of(1, -2)],
  ["part of one", Uint32Array.of(1, 2, 3, 4).subarray(1, 3), {}, [2], Uint32Array.of(2, 3)],
  ["one with a shape", Float32Array.of(1, 2), { shape: [1, 2] }, [1, 2], Float32Array.of(1, 2)],
  ["a list of them", [Uint8Array.of(1, 2), Uint8Array.of(3, 4)], {}, [2, 2], Uint8Array.of(1, 2, 3, 4)],
  ["one of 64 bits", BigUint64Array.of(2n ** 64n - 1n), {}, [1], BigUint64Array.of(2n ** 64n - 1n)],
  ["one for another type", Float64Array.of(1, 2), { dtype: "int8" }, [2], Int8Array.of(1, 2)],
  // Types by name
  ["numpy's name of a type", [1, 2], { dtype: "<u4" }, [2], Uint32Array.of(1, 2)],
  ["numbers as int64", [1, 2], { dtype: "int64" }, [2], BigInt64Array.of(1n, 2n)],
  // Strings
  ["a string", "größe", {}, [], "größe"],
  ["a list of strings", ["a", "", "bc"], {}, [3], ["a", "", "bc"]],
  ["strings of fixed size", ["a", "bc"], { dtype: "string:2" }, [2], ["a", "bc"]],
  ["strings as numpy has them", ["a", "bc"], { dtype: "|S4" }, [2], ["a", "bc"]],
  ["strings ended by NUL", ["a"], { dtype: fixedStringType(4, "ascii", "nullterm") }, [1], ["a"]],
  // Booleans, enumerations, opaque bytes
  ["a boolean", true, {}, [], 1],
  ["booleans", [[true], [false]], {}, [2, 1], Int8Array.of(1, 0)],
  ["numbers as booleans", [0, 1], { dtype: "bool" }, [2], Int8Array.of(0, 1)],
  ["names of an enumeration", ["BLUE", "RED"], { dtype: colours }, [2], Int16Array.of(-2, 0)],
  ["values of an enumeration", [-2, 0], { dtype: colours }, [2], Int16Array.of(-2, 0)],
  ["opaque bytes", [Uint8Array.of(1, 2)], { dtype: opaqueType(2, "tag") }, [1], Uint8Array.of(1, 2)],
  // Complex numbers
  [
    "pairs",
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: "complex128" },
    [2],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["{re, im}", { re: 1, im: 2 }, { dtype: "complex128" }, [], [1, 2]],
  ["a list of {re, im}", [{ re: 1, im: 2 }], { dtype: "<c8" }, [1], [[1, 2]]],
  [
    "columns of re and im",
    { re: [1, 2], im: [3, 4] },
    { dtype: "complex64" },
    [2],
    [
      [1, 3],
      [2, 4],
    ],
  ],
  ["a ComplexArray", new ComplexArray(Float64Array.of(1), Float64Array.of(2)), {}, [1], [[1, 2]]],
  // Compounds
  ["an object", { x: 1, s: "a" }, {}, [], [1, "a"]],
  [
    "rows",
    [
      { x: 1, s: "a" },
      { x: 2, s: "b" },
    ],
    {},
    [2],
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  ["rows with a type", [{ x: 1, s: "a" }], { dtype: point }, [1], [[1, "a"]]],
  ["rows with types by name", [{ x: 1, s: "a" }], { dtype: { x: "float32", s: "string:3" } }, [1], [[1, "a"]]],
  [
    "columns",
    { x: Float64Array.of(1, 2), s: ["a", "b"] },
    {},
    [2],
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  [
    "a StructArray",
    read,
    {},
    [2],
    [
      [1, 3],
      [2, 4],
    ],
  ],
  ["compounds in compounds", [{ p: { x: 1 }, q: true }], {}, [1], [[[1], 1]]],
  // Arrays as elements
  [
    "arrays",
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: arrayType([2], int16le) },
    [2],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["arrays in rows", [{ v: [1, 2] }], {}, [1], [[[1, 2]]]],
  // Sequences of any length
  [
    "sequences",
    [[1, 2], [], [3]],
    { dtype: vlenType(int32le) },
    [3],
    [Int32Array.of(1, 2), Int32Array.of(), Int32Array.of(3)],
  ],
  [
    "typed arrays as sequences",
    [Int32Array.of(1, 2), Int32Array.of(3)],
    { dtype: vlenType(int32le) },
    [2],
    [Int32Array.of(1, 2), Int32Array.of(3)],
  ],
  [
    "sequences of sequences",
    [[[1], [2, 3]], []],
    { dtype: vlenType(vlenType(int16le)) },
    [2],
    [[Int16Array.of(1), Int16Array.of(2, 3)], []],
  ],
  ["sequences of strings", [["a", "bc"], []], { dtype: vlenType(vlenStringType()) }, [2], [["a", "bc"], []]],
  ["sequences of compounds", [[{ x: 1, s: "a" }], []], { dtype: vlenType(point) }, [2], [[[1, "a"]], []]],
  [
    "compounds with sequences",
    [{ n: "one", v: [1, 2], k: 1 }],
    { dtype: { n: "string", v: vlenType(float64le), k: uint8 } },
    [1],
    [["one", Float64Array.of(1, 2), 1]],
  ],
  [
    "arrays of sequences",
    [[[1], [2, 3]]],
    { dtype: arrayType([2], vlenType(int16le)) },
    [1],
    [[Int16Array.of(1), Int16Array.of(2, 3)]],
  ],
];

describe("data is taken as", () => {
  it.each(forms)("%s", async (_what, value, options, shape, expected) => {
    const file = createFile();
    file.dataset("value", value, options).attribute("value", value, options);
    const built = await libhdf5(await file.encode());
    built.open("r", (opened) => {
      const dataset = opened.get("value") as Found & { attrs: Record<string, Found> };
      for (const found of [dataset, dataset.attrs["value"]!]) {
        expect({ shape: found.shape, value: plain(found.value) }).toEqual({ shape, value: plain(expected) });
      }
    });
  });

  it("a compound of the members that its type says", async () => {
    const file = createFile();
    file.dataset("rows", { x: 1, s: "a" });
    file.dataset("complex", [[1, 2]], { dtype: "complex128" });
    const built = await libhdf5(await file.encode());
    const types = built.open("r", (opened) => ["rows", "complex"].map((name) => (opened.get(name) as Found).dtype));
    expect(types).toEqual([points, complex]);
  });
});

interface Found {
  readonly shape: number[] | null;
  readonly dtype: unknown;
  readonly value: unknown;
}

/** Lists of numbers as one kind of list, however deep: libhdf5's reader gives some as typed arrays and some not. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as number[]);
  return Array.isArray(value) ? value.map(plain) : value;
}

describe("float16", () => {
  it("is stored as IEEE's half", async () => {
    const file = createFile();
    file.dataset("half", [1.5, -0, 65504, Number.POSITIVE_INFINITY], { dtype: "float16" });
    const bytes = await file.encode();
    // From numpy: float16 1.5, -0, 65504, inf.
    const stored = Buffer.from("003e0080ff7b007c", "hex");
    expect(Buffer.from(bytes).includes(stored)).toBe(true);
    expect(() => file.dataset("large", [65520], { dtype: "float16" })).toThrow("/large: value 65520");
  });
});

describe("references", () => {
  it("lead to objects, and to elements by slices or selections", async () => {
    const file = createFile();
    file.dataset(
      "grid",
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: "int8" },
    );
    file.dataset("refs", [objectReference("/grid"), objectReference("later/one"), null]);
    const regions = [
      regionReference("grid", [null, slice(1, 3)]),
      regionReference("grid", [-1, slice(0, null, 2)]),
      regionReference("later/one", { type: "hyperslab", form: "blocks", blocks: [{ start: [0], end: [0] }] }),
    ];
    file.dataset("regions", regions);
    file.dataset("rows", [{ r: objectReference("grid"), g: regions[0] }], { dtype: { r: "reference", g: "region" } });
    file.dataset("sequences", [[objectReference("/")], []], { dtype: vlenType(referenceType()) });
    file.attribute("region", [regions[1]]);
    file.dataset("later/one", 5, { shape: [1], dtype: "int8" });
    const built = await libhdf5(await file.encode());
    built.open("r", (opened) => {
      const follow = (ref: unknown) => opened.dereference(ref as never) as unknown as { path: string; value: unknown };
      const [grid, later] = (opened.get("refs") as unknown as { value: unknown[] }).value.slice(0, 2).map(follow);
      expect([grid!.path, later!.path]).toEqual(["/grid", "/later/one"]);
      const found = (opened.get("regions") as unknown as { value: unknown[] }).value.map((ref) => follow(ref).value);
      expect(found).toEqual([Int8Array.of(2, 3, 5, 6), Int8Array.of(4, 6), Int8Array.of(5)]);
      expect(follow((opened.attrs["region"]!.value as unknown[])[0]).value).toEqual(Int8Array.of(4, 6));
    });
  });

  it("are refused where they make no sense", () => {
    const file = createFile();
    file.dataset("list", [1, 2, 3]);
    const refuse = (value: unknown, message: string) =>
      expect(() => file.dataset("x", [value], { dtype: "region" })).toThrow(`/x: ${message}`);
    refuse(regionReference("list", [null, null]), "region of /list: expected a selection of 1 members, got 2");
    refuse(regionReference("later", [null]), "region of /later: slices of a dataset whose shape is not known");
    refuse(regionReference("/", { type: "all" }), "region of /: a group has no elements");
    refuse(
      regionReference("list", { type: "points", points: [[3]] }),
      "region of /list: selection: element 3 is outside",
    );
    refuse(regionReference("list", [slice(0, Infinity)]), "region of /list: an unlimited selection");
    refuse(objectReference("list"), "value");
  });

  it("to regions are not kept in sequences, which libhdf5 loses track of", () => {
    const file = createFile();
    const types = [
      vlenType(referenceType("region")),
      vlenType(compoundType([{ name: "r", type: arrayType([2], referenceType("region")) }])),
      arrayType([1], vlenType(vlenType(referenceType("region")))),
    ];
    for (const dtype of types) {
      const reason = "a sequence of region references, which libhdf5 does not keep apart in its heap";
      expect(() => file.dataset("x", [], { dtype })).toThrow(`/x: ${reason}`);
      expect(() => file.attribute("x", [], { dtype })).toThrow(reason);
    }
  });
});
