import { InvalidArgumentError } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayType,
  bool,
  bytesAsStored,
  ComplexArray,
  complexType,
  compoundType,
  datatypeOfArray,
  decodeValues,
  encodeValues,
  enumType,
  fixedStringType,
  float16le,
  float32le,
  float64be,
  floatType,
  int16be,
  int32le,
  type StructArray,
  uint8,
  uint16be,
  uint64le,
  vlenStringType,
  vlenType,
} from "../../src/index.ts";
import { anyInteger } from "../arbitrary.ts";
import { fixtureDatasets } from "../fixture.ts";

describe("encodeValues", () => {
  it.each(["integers", "floats", "strings", "structured", "structured-latest"])("writes %s back as stored", (name) => {
    for (const { dataset, datatype, stored, count } of fixtureDatasets(name)) {
      // Doubles hold less than these, whose bytes therefore differ.
      if (dataset === "quad" || dataset === "x87" || dataset.startsWith("fp8")) continue;
      // nullterm drops what is after the NUL; NaN payloads are not kept through a number.
      if (dataset === "nullterm" || dataset === "spacepad") continue;
      const bytes = encodeValues(datatype, decodeValues(datatype, stored, count) as ArrayLike<unknown>);
      if (datatype.class === "compound" || datatype.class === "float") {
        expect(decodedAgain(datatype, bytes, count), dataset).toEqual(decodedAgain(datatype, stored, count));
      } else expect(bytes, dataset).toEqual(new Uint8Array(stored));
    }
  });

  function decodedAgain(t: Parameters<typeof decodeValues>[0], bytes: Uint8Array, count: number): unknown[] {
    return [...(decodeValues(t, bytes, count) as Iterable<unknown>)];
  }

  it("gives back any integer of any type", () => {
    fc.assert(
      fc.property(anyInteger, fc.bigInt(), (t, value) => {
        const fits = t.signed ? BigInt.asIntN(t.precision, value) : BigInt.asUintN(t.precision, value);
        const [read] = decodeValues(t, encodeValues(t, [fits]), 1) as ArrayLike<number | bigint> as [number | bigint];
        expect(BigInt(read)).toBe(fits);
      }),
    );
  });

  it("rounds to nearest in any format, ties to even", () => {
    fc.assert(
      fc.property(fc.float(), (value) => {
        const asFloat32 = floatType(4, 8);
        const generic = { ...asFloat32, size: 5, precision: 32 };
        const [read] = decodeValues(generic, encodeValues(generic, [value]), 1) as Float64Array;
        expect(read).toBe(value);
      }),
    );
    const half = { ...float16le, size: 3 };
    fc.assert(
      fc.property(fc.oneof(fc.float({ min: -65519, max: 65519 }), fc.double({ min: -1e-4, max: 1e-4 })), (value) => {
        const [short] = decodeValues(float16le, encodeValues(float16le, [value]), 1) as Float32Array;
        expect(short).toBe((decodeValues(half, encodeValues(half, [value]), 1) as Float64Array)[0]);
      }),
    );
    const powers = Array.from({ length: 40 }, (_, i) => [2 ** (i - 25), 2 ** (i - 25) * (1 - 2 ** -53)]).flat();
    expect([...(decodeValues(float16le, encodeValues(float16le, powers), powers.length) as Float32Array)]).toEqual([
      ...(decodeValues(half, encodeValues(half, powers), powers.length) as Float64Array),
    ]);
    const halves = decodeValues(
      float16le,
      encodeValues(float16le, [1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -25, 65519]),
      4,
    );
    expect([...(halves as Float32Array)]).toEqual([1, 1 + 2 ** -9, 0, 65504]);
  });

  it.each([
    ["2^40 in int32", int32le, [1, 2 ** 40], /value 1099511627776 of element 1 does not fit int32/],
    [
      "a bit outside a bitfield's",
      { ...uint16be, class: "bitfield", precision: 10, offset: 3 },
      [8, 1024 << 3],
      /value 8192 of element 1/,
    ],
    ["a fraction in an integer", int16be, [0.5], /value 0.5/],
    ["a string in an integer", uint8, ["1"], /value "1"/],
    ["a long string", fixedStringType(3), ["abcd"], /value "abcd" of element 0/],
    ["a NUL that would be padding", fixedStringType(3), ["a\0"], /value "a.*" of element 0/],
    ["infinity out of a finite number", float32le, [1e39], /value 1e\+39/],
    ["too much for a half", float16le, [65520], /value 65520/],
    ["a list of another length", arrayType([3], uint8), [[1, 2]], /expected 3 values/],
    ["a row without a member", compoundType([{ name: "x", type: uint8 }]), [{ y: 1 }], /no member "x" in row 0/],
  ] as const)("refuses %s", (_, t, values, error) => {
    expect(() => encodeValues(t, values)).toThrow(error);
    expect(() => encodeValues(t, values)).toThrow(InvalidArgumentError);
  });

  it("takes records, columns and StructArrays", () => {
    const t = compoundType([
      { name: "x", type: int32le },
      { name: "z", type: complexType(float64be) },
    ]);
    const rows = [
      { x: 1, z: [1, 2] },
      { x: -1, z: [0, -1] },
    ];
    const bytes = encodeValues(t, rows);
    expect(encodeValues(t, { x: Int32Array.of(1, -1), z: { re: [1, 0], im: [2, -1] } })).toEqual(bytes);
    expect(encodeValues(t, decodeValues(t, bytes, 2) as StructArray)).toEqual(bytes);
    expect([...(decodeValues(t, bytes, 2) as StructArray)]).toEqual(rows);
  });

  it("takes complex numbers of both kinds in every form", () => {
    const pair = compoundType([
      { name: "r", type: float64be },
      { name: "i", type: float64be },
    ]);
    const forms = [
      [
        [1, 2],
        [0, -1],
      ],
      [
        { re: 1, im: 2 },
        { re: 0, im: -1 },
      ],
      { re: Float64Array.of(1, 0), im: [2, -1] },
      new ComplexArray(Float64Array.of(1, 0), Float64Array.of(2, -1)),
    ];
    const expected = encodeValues(float64be, [1, 2, 0, -1]);
    for (const form of forms) {
      expect(encodeValues(complexType(float64be), form)).toEqual(expected);
      expect(encodeValues(pair, form)).toEqual(expected);
    }
    expect(encodeValues(pair, { r: [1, 0], i: [2, -1] })).toEqual(expected);
    expect(encodeValues(pair, decodeValues(pair, expected, 2) as StructArray)).toEqual(expected);
    expect(encodeValues(pair, [])).toEqual(new Uint8Array(0));
    expect(() => encodeValues(complexType(float64be), [[1, 2, 3]])).toThrow(InvalidArgumentError);
    expect(() => encodeValues(complexType(float64be), [[1, 2], 3])).toThrow(/value 3 of element 1/);
  });

  it("takes names of an enumeration's members, and booleans", () => {
    const colour = enumType(int16be, [
      { name: "RED", value: 1 },
      { name: "BLUE", value: -2 },
    ]);
    expect(encodeValues(colour, ["BLUE", 1, "RED"])).toEqual(Uint8Array.of(255, 254, 0, 1, 0, 1));
    expect(() => encodeValues(colour, ["RED", "GREEN"])).toThrow(/value "GREEN" of element 1 does not fit enum/);
    expect(encodeValues(bool, [true, false, "TRUE", 1])).toEqual(Uint8Array.of(1, 0, 1, 1));
    expect(encodeValues(bool, decodeValues(bool, Uint8Array.of(0, 255), 2) as Uint8Array)).toEqual(
      Uint8Array.of(0, 255),
    );
  });

  it("copies typed arrays of the very type, views too, with any NaN as it is", () => {
    const signalling = new Uint32Array([0x3f800000, 0x7fa00001, 0x7f800000]);
    const view = new Float32Array(signalling.buffer, 4, 1);
    expect(bytesAsStored(float32le, view)).toEqual(Uint8Array.of(1, 0, 160, 127));
    expect(encodeValues(float32le, view)).toEqual(Uint8Array.of(1, 0, 160, 127));
    expect(encodeValues(float32le, view).buffer).not.toBe(signalling.buffer);
    expect(bytesAsStored(float64be, new Float64Array(1))).toBeUndefined();
    expect(bytesAsStored(int32le, new Uint32Array(1))).toBeUndefined();
    expect(bytesAsStored(uint8, new Uint8ClampedArray(1))).toEqual(new Uint8Array(1));
    expect(bytesAsStored(uint64le, new BigUint64Array(1))).toEqual(new Uint8Array(8));
    expect(bytesAsStored({ ...int32le, precision: 20 }, new Int32Array(1))).toBeUndefined();
    expect(bytesAsStored(int32le, [1])).toBeUndefined();
  });

  it("says the same of typed arrays with and without the short way", () => {
    const arrays = fc.oneof(
      fc.int16Array(),
      fc.uint32Array(),
      fc.float32Array(),
      fc.float64Array(),
      fc.bigInt64Array(),
      fc.bigUint64Array(),
    );
    fc.assert(
      fc.property(arrays, (values) => {
        const t = datatypeOfArray(values);
        const bytes = encodeValues(t, values);
        expect(encodeValues(t, Array.from<unknown>(values))).toEqual(bytes);
        const swapped = encodeValues({ ...t, order: "BE" }, values).reverse();
        expect(swapped).toEqual(encodeValues(t, values.slice().reverse()));
      }),
    );
  });

  it("names the members and elements that a value is in", () => {
    const t = compoundType([
      { name: "id", type: int32le },
      { name: "list", type: arrayType([2], compoundType([{ name: "x", type: uint8 }])) },
    ]);
    const rows = [
      { id: 1, list: [{ x: 1 }, { x: 2 }] },
      { id: 2, list: [{ x: 1 }, { x: 256 }] },
    ];
    const message = 'member "list": element 1: member "x": value 256 of element 1 does not fit uint8';
    expect(() => encodeValues(t, rows)).toThrow(message);
    expect(() => encodeValues(t, { id: [1, 1.5], list: rows.map(({ list }) => list) })).toThrow(
      'member "id": value 1.5 of element 1 does not fit int32',
    );
    const store = () => ({ address: 1, index: 1 });
    expect(() => encodeValues(vlenType(uint8), [[1], [1, -1]], { store })).toThrow("element 1: value -1 of element 1");
  });

  it("stores strings in the heap, the empty one as nil", () => {
    const stored: Uint8Array[] = [];
    const bytes = encodeValues(vlenStringType(), ["é", ""], {
      store: (payload) => {
        stored.push(payload);
        return { address: 0x1_0000_0002, index: 7 };
      },
    });
    expect(Buffer.from(bytes).toString("hex")).toBe(`02000000020000000100000007000000${"00".repeat(16)}`);
    expect(stored).toEqual([Uint8Array.of(0xc3, 0xa9)]);
    expect(() => encodeValues(vlenStringType(), ["a"])).toThrow(/options.store/);
    expect(() => encodeValues(vlenStringType(), ["a\0b"], { store: () => ({ address: 1, index: 1 }) })).toThrow(/fit/);
  });

  it("gives short strings away in memory that it uses again, where they are copied", () => {
    const long = "ü".repeat(300);
    const texts = ["a", "", "é", "😀", long, "b"];
    const stored: string[] = [];
    const keep = (bytes: Uint8Array) => ({ address: 1, index: stored.push(new TextDecoder().decode(bytes)) });
    const bytes = encodeValues(vlenStringType(), texts, {
      store: keep,
      storeCopy: (memory, length) => keep(memory.subarray(0, length)),
    });
    expect(stored).toEqual(["a", "é", "😀", long, "b"]);
    stored.length = 0;
    expect(bytes).toEqual(encodeValues(vlenStringType(), texts, { store: keep }));
  });

  it.each([vlenStringType("ascii"), fixedStringType(600, "ascii")])("takes ASCII alone where the type says so", (t) => {
    const store = () => ({ address: 1, index: 1 });
    for (const text of ["é", "\udce9", `${"a".repeat(300)}é`]) {
      expect(() => encodeValues(t, ["a", text], { store, storeCopy: store })).toThrow(
        /of element 1 does not fit string \(ascii/,
      );
    }
  });
});

describe("compounds with more than their type has", () => {
  const t = compoundType([{ name: "x", type: int32le }]);

  it.each([
    ["rows", [{ x: 1 }, { x: 1, z: 2 }], 'row 1 has a member "z"'],
    ["columns", { x: [1], z: [2] }, 'a column "z"'],
  ])("are refused as %s", (_, values, message) => {
    expect(() => encodeValues(t, values)).toThrow(message);
  });
});

describe("lists in arrays", () => {
  const grid = arrayType([2, 3], uint8);
  it("may be nested as the dimensions are", () => {
    const flat = encodeValues(grid, [[1, 2, 3, 4, 5, 6]]);
    expect(
      encodeValues(grid, [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ]),
    ).toEqual(flat);
    expect(encodeValues(grid, [[Uint8Array.of(1, 2, 3), [4, 5, 6]]])).toEqual(flat);
  });

  it("must be as long as those", () => {
    expect(() =>
      encodeValues(grid, [
        [
          [1, 2],
          [3, 4, 5, 6],
        ],
      ]),
    ).toThrow(/expected lists of 3 values/);
  });
});
