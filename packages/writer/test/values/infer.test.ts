import {
  arrayType,
  ComplexArray,
  complexType,
  compoundType,
  decodeValues,
  describeDatatype,
  encodeValues,
  enumType,
  float32le,
  float64be,
  int8,
  int16le,
  int32le,
  opaqueType,
  referenceType,
  type StructArray,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { datatypeOf } from "../../src/values/dtype.ts";
import { type PlanDataOptions, planData } from "../../src/values/infer.ts";

const endless: unknown[] = [[]];
endless.push(endless);

/** The plan in short, with the values as they read back. */
function planned(data: unknown, options: PlanDataOptions = {}) {
  const heap: Uint8Array[] = [];
  const { datatype, shape, valueType, values } = planData(data, options);
  const store = (payload: Uint8Array) => ({ address: 1, index: heap.push(payload) - 1 });
  const bytes = encodeValues(valueType, values, { store });
  const count = bytes.length / valueType.size;
  const read = decodeValues(valueType, bytes, count, { heap: ({ index }) => heap[index] });
  return { type: describeDatatype(datatype), shape, values: plain(read) };
}

/** Containers as plain lists. */
function plain(values: unknown): unknown {
  if (values instanceof Uint8Array || typeof values !== "object" || values === null) return values;
  if (Symbol.iterator in values) return Array.from(values as Iterable<unknown>, plain);
  if (Object.getPrototypeOf(Object.getPrototypeOf(values)) !== null) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)]));
}

describe("planData of data alone", () => {
  it.each<[unknown, string, number[], unknown]>([
    [1.5, "float64", [], [1.5]],
    [7n, "int64", [], [7n]],
    ["é", "string (utf-8, variable)", [], ["é"]],
    [true, "bool", [], Uint8Array.of(1)],
    [[1, 2, 3], "float64", [3], [1, 2, 3]],
    [[1n, -2n], "int64", [2], [1n, -2n]],
    [[["a"], [""]], "string (utf-8, variable)", [2, 1], ["a", ""]],
    [[true, false], "bool", [2], Uint8Array.of(1, 0)],
    [[], "float64", [0], []],
    [[[], []], "float64", [2, 0], []],
    [Int16Array.of(0, 1, 2).subarray(1), "int16", [2], [1, 2]],
    [[Float32Array.of(1, 2), Float32Array.of(3, 4)], "float32", [2, 2], [1, 2, 3, 4]],
    [new BigUint64Array(0), "uint64", [0], []],
    [Buffer.from([1, 2]), "uint8", [2], Uint8Array.of(1, 2)],
    [{ x: 1, s: "a" }, "compound {x: float64, s: string (utf-8, variable)}", [], [{ x: 1, s: "a" }]],
    [[{ v: [1, 2] }, { v: [3, 4] }], "compound {v: array [2] of float64}", [2], [{ v: [1, 2] }, { v: [3, 4] }]],
    [
      { x: Int8Array.of(1, 2), b: [true, false] },
      "compound {x: int8, b: bool}",
      [2],
      [
        { x: 1, b: true },
        { x: 2, b: false },
      ],
    ],
    [[{ at: { x: 1 } }], "compound {at: compound {x: float64}}", [1], [{ at: { x: 1 } }]],
    [
      new ComplexArray(Float32Array.of(1), Float32Array.of(2)),
      "compound {r: float32, i: float32}",
      [1],
      [{ r: 1, i: 2 }],
    ],
    [[{ kind: "object", address: 96 }], "object reference", [1], [{ kind: "object", address: 96 }]],
  ])("finds what %s is", (data, type, shape, values) => {
    expect(planned(data)).toEqual({ type, shape, values });
  });

  it("takes null for the null dataspace", () => {
    expect(planData(null, { dtype: "int8" })).toEqual({ datatype: int8, shape: null, valueType: int8, values: [] });
    expect(describeDatatype(planData(null).datatype)).toBe("float64");
  });

  it("takes what a reader gives of compounds", () => {
    const t = compoundType([
      { name: "n", type: int16le },
      { name: "v", type: arrayType([2], int8) },
    ]);
    const rows = decodeValues(t, Uint8Array.of(1, 0, 2, 3, 4, 0, 5, 6), 2) as StructArray;
    const read = [
      { n: 1, v: [2, 3] },
      { n: 4, v: [5, 6] },
    ];
    expect(planned(rows)).toMatchObject({ shape: [2], values: read });
    expect(planned(rows, { dtype: { ...t, size: 6 }, shape: [2, 1] })).toMatchObject({ shape: [2, 1], values: read });
    expect(planned(rows.at(0), { dtype: t })).toMatchObject({ shape: [], values: read.slice(0, 1) });
  });

  it("does not copy a typed array", () => {
    const data = Float64Array.of(1, 2);
    expect(planData(data).values).toBe(data);
    expect(planData(data, { shape: [2, 1] }).values).toBe(data);
  });

  it("asks what values of the writer's own refer to", () => {
    const referenceKind = (value: unknown) => (value instanceof Map ? "region" : undefined);
    expect(planData([new Map()], { referenceKind }).datatype).toEqual(referenceType("region"));
  });
});

describe("planData with a dtype", () => {
  const colour = enumType(int8, [
    { name: "RED", value: 0 },
    { name: "BLUE", value: 1 },
  ]);

  it.each<[string, unknown, PlanDataOptions, number[], unknown]>([
    ["integers", [[1], [2]], { dtype: ">i2" }, [2, 1], [1, 2]],
    ["halves", [1.5, -2], { dtype: "float16" }, [2], [1.5, -2]],
    ["flat values of a shape", [1, 2, 3, 4], { dtype: "int8", shape: [2, 2] }, [2, 2], [1, 2, 3, 4]],
    ["a number as a list of one", 5, { shape: [1] }, [1], [5]],
    ["a list of one as a number", [5], { shape: [] }, [], [5]],
    ["nothing of a shape", [], { dtype: "string", shape: [3, 0] }, [3, 0], []],
    ["names of members", ["BLUE", 0], { dtype: colour }, [2], [1, 0]],
    ["fixed strings", ["ab", "c"], { dtype: "S2" }, [2], ["ab", "c"]],
    ["sequences", [[1], [], [2, 3]], { dtype: vlenType(int16le) }, [3], [[1], [], [2, 3]]],
    ["typed sequences", [Int16Array.of(1), new Int16Array(0)], { dtype: vlenType(int16le) }, [2], [[1], []]],
    ["a grid of sequences", [[[1], []]], { dtype: vlenType(int16le) }, [1, 2], [[1], []]],
    ["no sequences", [], { dtype: vlenType(int16le) }, [0], []],
    ["one sequence", [1, 2], { dtype: vlenType(int16le), shape: [] }, [], [[1, 2]]],
    ["an empty one", [], { dtype: vlenType(int16le), shape: [] }, [], [[]]],
    ["sequences of strings", [["a", "bc"], []], { dtype: vlenType(vlenStringType()) }, [2], [["a", "bc"], []]],
    [
      "a grid of sequences of sequences that begins with an empty one",
      [
        [[], [[1]]],
        [[[2]], []],
      ],
      { dtype: vlenType(vlenType(int16le)) },
      [2, 2],
      [[], [[1]], [[2]], []],
    ],
    [
      "sequences of complex pairs that begin with an empty one",
      [[], [[1, 2]]],
      { dtype: vlenType(datatypeOf("complex64")) },
      [2],
      [[], [{ r: 1, i: 2 }]],
    ],
    ["one array of sequences", [[1], []], { dtype: arrayType([2], vlenType(int16le)), shape: [] }, [], [[1], []]],
    ["sequences of sequences", [[], [[1], []]], { dtype: vlenType(vlenType(int16le)) }, [2], [[], [[1], []]]],
    [
      "arrays",
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: arrayType([2], int8) },
      [2],
      [1, 2, 3, 4],
    ],
    ["one array", [1, 2], { dtype: arrayType([2], int8) }, [], [1, 2]],
    ["flat arrays", Int8Array.of(1, 2, 3, 4), { dtype: arrayType([2], int8), shape: [2] }, [2], [1, 2, 3, 4]],
    ["arrays as read", Int8Array.of(1, 2, 3, 4), { dtype: arrayType([2], int8), shape: [2, 2] }, [2], [1, 2, 3, 4]],
    ["arrays of arrays", [[[1], [2]]], { dtype: arrayType([2], arrayType([1], int8)) }, [1], [1, 2]],
    ["opaque elements", [Uint8Array.of(1, 2)], { dtype: opaqueType(2) }, [1], [Uint8Array.of(1, 2)]],
    ["one opaque element", Uint8Array.of(1, 2), { dtype: "V2" }, [], [Uint8Array.of(1, 2)]],
    [
      "complex pairs",
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: "complex64" },
      [2],
      [
        { r: 1, i: 2 },
        { r: 3, i: 4 },
      ],
    ],
    ["a complex pair", [1, 2], { dtype: "complex64", libver: "v200" }, [], [[1, 2]]],
    ["complex objects", [{ re: 1, im: 2 }], { dtype: complexType(float32le), libver: "v200" }, [1], [[1, 2]]],
    ["complex columns", { re: [1], im: [2] }, { dtype: "complex128" }, [1], [{ r: 1, i: 2 }]],
    [
      "columns",
      { x: [1, 2], y: [3, 4] },
      { dtype: { x: "i1", y: "i1" } },
      [2],
      [
        { x: 1, y: 3 },
        { x: 2, y: 4 },
      ],
    ],
    ["a row of a list", { v: [1, 2] }, { dtype: { v: arrayType([2], int8) } }, [], [{ v: [1, 2] }]],
    ["columns of lists", { v: [[1, 2]] }, { dtype: { v: arrayType([2], int8) } }, [1], [{ v: [1, 2] }]],
    [
      "columns of columns",
      { p: { x: [1, 2] } },
      { dtype: { p: { x: "i1" } } },
      [2],
      [{ p: { x: 1 } }, { p: { x: 2 } }],
    ],
    ["rows of rows", [{ p: { x: 1 } }], { dtype: { p: { x: "i1" } } }, [1], [{ p: { x: 1 } }]],
    ["a reference to nothing", null, { dtype: "reference", shape: [] }, [], [null]],
    ["references to nothing", [null, null], { dtype: "reference" }, [2], [null, null]],
    ["a big-endian type", Float64Array.of(1), { dtype: float64be }, [1], [1]],
  ])("takes %s", (_, data, options, shape, values) => {
    expect(planned(data, options)).toMatchObject({ shape, values });
  });

  it.each<[string, unknown, PlanDataOptions, RegExp]>([
    ["sequences that hold themselves", endless, { dtype: vlenType(int16le) }, /over 256 lists/],
    ["no data", undefined, {}, /no data/],
    ["a function", () => 1, {}, /no datatype for/],
    ["a date", [new Date(0)], {}, /no datatype for \[object Date\]/],
    ["null among values", [null], {}, /no datatype for null/],
    ["a buffer without elements", new ArrayBuffer(1), {}, /no datatype for \[object ArrayBuffer\]/],
    ["an empty object", [{}], {}, /no datatype/],
    ["lists of two lengths", [[1, 2], [3]], {}, /1 values at \[1\], expected 2: .*variable length/],
    [
      "deeper lists of two lengths",
      [
        [[1], [2]],
        [[3], []],
      ],
      {},
      /0 values at \[1\]\[1\], expected 1/,
    ],
    ["a number among lists", [[1], 2], {}, /value 2 at \[1\], expected a list/],
    ["a shape for more values", [1, 2, 3], { shape: [2, 2] }, /3 values for 4 elements, shape \[2, 2\]/],
    [
      "a shape for other arrays",
      [1, 2, 3],
      { shape: [2], dtype: arrayType([2], int8) },
      /3 values for 2 elements of \[2\]/,
    ],
    ["arrays of another length", [[1, 2, 3]], { dtype: arrayType([2], int8) }, /shape \[1, 3\] for arrays of \[2\]/],
    ["a negative length", [], { shape: [-1] }, /whole numbers/],
    ["a fraction of one", [], { shape: [0.5] }, /whole numbers/],
    ["33 dimensions", [], { shape: new Array(33).fill(0) }, /at most 32/],
    ["a dtype that is none", [1], { dtype: "int33" }, /no dtype "int33"/],
    ["a type the bound has not", [1], { dtype: complexType(float32le) }, /low bound of v200/],
  ])("refuses %s", (_, data, options, error) => {
    expect(() => planData(data, options)).toThrow(error);
    expect(() => planData(data, options)).toThrow(InvalidArgumentError);
  });

  it.each<[string, unknown, PlanDataOptions, RegExp]>([
    ["what does not fit", [1, 2 ** 40], { dtype: "int32" }, /value 1099511627776 of element 1 does not fit int32/],
    ["numbers among strings", ["a", 1], {}, /value 1 of element 1 does not fit string/],
    ["strings among numbers", [1, "a"], {}, /value "a" of element 1/],
    ["bigints beyond 64 bits", [2n ** 63n], {}, /value 9223372036854775808 of element 0 does not fit int64/],
    ["a list that is no sequence", [1, 2], { dtype: vlenType(int16le) }, /element 0: expected a list/],
    ["columns of two lengths", { x: [1, 2], y: [1] }, {}, /member "y": expected 2 values/],
  ])("leaves %s for encodeValues to refuse", (_, data, options, error) => {
    const { valueType, values } = planData(data, options);
    const store = () => ({ address: 1, index: 1 });
    expect(() => encodeValues(valueType, values, { store })).toThrow(error);
  });

  it("gives back nested lists of any shape", () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shapes, fc.boolean(), (shape, typed) => {
        const count = shape.reduce((a, b) => a * b);
        const flat = Array.from({ length: count }, (_, i) => i);
        const data = nested(flat, shape, typed);
        expect(planned(data, { dtype: int32le })).toEqual({ type: "int32", shape, values: flat });
        expect(planned(data, { dtype: int32le, shape: [count] })).toEqual({
          type: "int32",
          shape: [count],
          values: flat,
        });
        const inner = shape.slice(1);
        if (inner.length > 0) {
          expect(planned(data, { dtype: arrayType(inner, int32le) })).toMatchObject({
            shape: [shape[0]],
            values: flat,
          });
        }
      }),
    );
  });
});

function nested(flat: number[], shape: readonly number[], typed: boolean): unknown {
  if (shape.length === 1) return typed ? Int32Array.from(flat) : flat;
  const size = flat.length / shape[0]!;
  return Array.from({ length: shape[0]! }, (_, i) =>
    nested(flat.slice(i * size, (i + 1) * size), shape.slice(1), typed),
  );
}
