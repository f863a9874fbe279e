import {
  arrayType,
  type BitfieldDatatype,
  type ByteOrder,
  bool,
  compoundType,
  type Datatype,
  enumType,
  fixedStringType,
  float32be,
  float64le,
  floatType,
  int8,
  int16le,
  int32be,
  int32le,
  int64le,
  integerType,
  opaqueType,
  uint8,
  uint16be,
  uint16le,
  vlenStringType,
} from "@h5/datatypes";
import type { Json } from "../expected.ts";
import type { MatrixCases } from "../matrix-case.ts";

const orders: readonly ByteOrder[] = ["LE", "BE"];
const integer = (size: number, signed: boolean, order: ByteOrder = "LE"): Json => ({
  class: "integer",
  size,
  signed,
  order,
});

function bitfield(size: number, order: ByteOrder, precision: number = size * 8, offset: number = 0): BitfieldDatatype {
  return { class: "bitfield", version: 1, size, order, precision, offset, lowPad: 0, highPad: 0 };
}

export const types: MatrixCases = {
  integers(file, expect) {
    for (const size of [1, 2, 3, 4, 5, 6, 7, 8]) {
      for (const signed of [true, false]) {
        for (const order of orders) {
          const path = `/${signed ? "i" : "u"}${size}${order}`;
          const most = 2n ** BigInt(size * 8 - (signed ? 1 : 0)) - 1n;
          const data = [signed ? -most - 1n : 0n, 1n, most].map((value) => (size > 4 ? value : Number(value)));
          file.dataset(path, data, { dtype: integerType(size, signed, order) });
          expect(path, { kind: "dataset", shape: [3], dtype: integer(size, signed, order), data });
        }
      }
    }
  },

  typedArrays(file, expect) {
    const large = new Float64Array(3000).map((_, i) => i / 8);
    const arrays = {
      i1: Int8Array.of(-128, 127),
      u1: Uint8Array.of(0, 255),
      i2: Int16Array.of(-32768, 32767),
      u2: Uint16Array.of(0, 65535),
      i4: Int32Array.of(-2147483648, 2147483647),
      u4: Uint32Array.of(0, 4294967295),
      i8: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n),
      u8: BigUint64Array.of(0n, 2n ** 64n - 1n),
      f4: Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      f8: Float64Array.of(Number.MIN_VALUE, Number.MAX_VALUE, 0.1, -2.5),
      view: large.subarray(3, 2900),
    };
    for (const [name, data] of Object.entries(arrays)) {
      file.dataset(name, data);
      expect(`/${name}`, { shape: [data.length], data, layout: "contiguous" });
    }
  },

  floats(file, expect) {
    const data = [0.5, -1, 2, Number.POSITIVE_INFINITY, Number.NaN];
    for (const [size, exponent] of [
      [2, 5],
      [4, 8],
      [8, 11],
    ] as const) {
      for (const order of orders) {
        file.dataset(`/f${size}${order}`, data, { dtype: floatType(size, exponent, order) });
        expect(`/f${size}${order}`, { dtype: { class: "float", size, order }, data });
      }
    }
    const positions = { sign_pos: 15, exp_pos: 7, exp_size: 8, mant_pos: 0, mant_size: 7, exp_bias: 127 };
    file.dataset("/bfloat16", [0.5, -3], { dtype: floatType(2, 8) });
    expect("/bfloat16", { dtype: { class: "float", size: 2, ...positions, norm: "implied" }, data: [0.5, -3] });
    file.dataset("/float8", [0.5, -3], { dtype: floatType(1, 4) });
    expect("/float8", { dtype: { class: "float", size: 1, mant_size: 3, exp_bias: 7 }, data: [0.5, -3] });
  },

  oddPrecisions(file, expect) {
    const odd = (size: number, signed: boolean, order: ByteOrder, precision: number, offset: number): Datatype => ({
      ...integerType(size, signed, order),
      precision,
      offset,
    });
    file.dataset("/i12", [-2048, 0, 2047], { dtype: odd(2, true, "LE", 12, 2) });
    expect("/i12", { dtype: { ...(integer(2, true) as object), precision: 12, offset: 2 }, data: [-2048, 0, 2047] });
    file.dataset("/u20", [0, 1048575], { dtype: odd(4, false, "BE", 20, 12) });
    expect("/u20", {
      dtype: { ...(integer(4, false, "BE") as object), precision: 20, offset: 12 },
      data: [0, 1048575],
    });
    file.dataset("/b10", [0, 1023 << 3], { dtype: bitfield(2, "LE", 10, 3) });
    expect("/b10", { dtype: { class: "bitfield", size: 2, precision: 10, offset: 3 } });
    file.dataset("/f20", [0.5, -2], {
      dtype: {
        ...floatType(4, 5),
        precision: 20,
        offset: 7,
        signPosition: 26,
        exponentPosition: 20,
        exponentSize: 6,
        exponentBias: 31,
        mantissaPosition: 7,
        mantissaSize: 13,
      },
    });
    expect("/f20", { dtype: { class: "float", precision: 20, offset: 7, sign_pos: 26 }, data: [0.5, -2] });
  },

  enums(file, expect) {
    file.dataset("/bool", [true, false, true]);
    expect("/bool", {
      dtype: { class: "enum", base: integer(1, true), members: { FALSE: 0, TRUE: 1 } },
      data: [1, 0, 1],
    });
    const colors = enumType(uint16le, [
      { name: "RED", value: 7 },
      { name: "BLUE", value: 60000 },
    ]);
    file.dataset("/colors", ["RED", "BLUE", 7], { dtype: colors });
    expect("/colors", {
      dtype: { class: "enum", base: integer(2, false), members: { RED: 7, BLUE: 60000 } },
      data: [7, 60000, 7],
    });
    const wide = enumType(int64le, [{ name: "très grand", value: -(2n ** 62n) }]);
    file.dataset("/wide", ["très grand"], { dtype: wide });
    expect("/wide", { data: [String(-(2n ** 62n))] });
    const big = enumType(uint16be, [{ name: "ONE", value: 1 }]);
    file.dataset("/big", ["ONE"], { dtype: big });
    expect("/big", { dtype: { class: "enum", base: integer(2, false, "BE"), members: { ONE: 1 } }, data: [1] });
  },

  opaque(file, expect) {
    const rows = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 255)];
    for (const tag of ["", "a tag", "x".repeat(200)]) {
      file.dataset(`/tag${tag.length}`, rows, { dtype: opaqueType(3, tag) });
      expect(`/tag${tag.length}`, { dtype: { class: "opaque", size: 3, tag }, data: rows });
    }
  },

  bitfields(file, expect) {
    for (const size of [1, 2, 4]) {
      for (const order of orders) {
        const data = [0, 2 ** (size * 8) - 1, 0x5];
        file.dataset(`/b${size}${order}`, data, { dtype: bitfield(size, order) });
        expect(`/b${size}${order}`, { dtype: { class: "bitfield", size }, data });
      }
    }
    file.dataset("/b8", [2n ** 64n - 1n], { dtype: bitfield(8, "LE") });
    expect("/b8", { data: [2n ** 64n - 1n] });
  },

  compounds(file, expect) {
    const flat = compoundType([
      { name: "a", type: int8 },
      { name: "größe", type: float32be },
      { name: "s", type: fixedStringType(5) },
    ]);
    const rows = [
      { a: 1, größe: 0.5, s: "ab" },
      { a: -2, größe: -4, s: "vwxyz" },
    ];
    file.dataset("/rows", rows, { dtype: flat });
    expect("/rows", {
      dtype: {
        class: "compound",
        size: 10,
        members: [
          { name: "a", offset: 0 },
          { name: "größe", offset: 1, type: { class: "float", size: 4, order: "BE" } },
          { name: "s", offset: 5 },
        ],
      },
      data: rows,
    });
    file.dataset("/columns", { x: Int32Array.of(1, 2), y: Float64Array.of(0.5, 1.5) });
    expect("/columns", {
      shape: [2],
      data: [
        { x: 1, y: 0.5 },
        { x: 2, y: 1.5 },
      ],
    });
    const swapped = { members: [{}, { type: { order: "BE" } }, {}] };
    const nested = compoundType([
      { name: "in", type: flat },
      { name: "grid", type: arrayType([2, 2], int16le) },
      { name: "flag", type: bool },
    ]);
    const deep = [
      {
        in: rows[0]!,
        grid: [
          [1, 2],
          [3, 4],
        ],
        flag: true,
      },
    ];
    file.dataset("/nested", deep, { dtype: nested });
    expect("/nested", {
      dtype: { class: "compound", members: [{ type: swapped }, {}, {}] },
      data: [{ ...deep[0], flag: 1 }],
    });
    const spread: Datatype = {
      class: "compound",
      version: 1,
      size: 32,
      members: [
        { name: "late", offset: 20, type: int32le },
        { name: "early", offset: 3, type: float64le },
      ],
    };
    file.dataset("/spread", [{ late: 5, early: 0.25 }], { dtype: spread });
    expect("/spread", {
      dtype: {
        class: "compound",
        size: 32,
        members: [
          { name: "late", offset: 20 },
          { name: "early", offset: 3 },
        ],
      },
      data: [{ late: 5, early: 0.25 }],
    });
    const many = Array.from({ length: 300 }, (_, i) => ({ name: `member ${i}`, type: uint8 }));
    const values = Object.fromEntries(many.map(({ name }, i) => [name, i % 256]));
    file.dataset("/many", [values], { dtype: compoundType(many) });
    expect("/many", { data: [values] });
  },

  arrays(file, expect) {
    const row = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    file.dataset("/a2", [row, row], { dtype: arrayType([2, 3], int32be) });
    expect("/a2", {
      shape: [2],
      dtype: { class: "array", dims: [2, 3], base: integer(4, true, "BE") },
      data: [row, row],
    });
    file.dataset("/nested", [[row]], { dtype: arrayType([1], arrayType([2, 3], uint8)) });
    expect("/nested", { shape: [1], dtype: { class: "array", dims: [1] }, data: [[row]] });
    const pairs = compoundType([{ name: "x", type: uint8 }]);
    file.dataset("/compounds", [[{ x: 1 }, { x: 2 }]], { dtype: arrayType([2], pairs) });
    expect("/compounds", { data: [[{ x: 1 }, { x: 2 }]] });
    file.dataset("/strings", [["a", "bc"]], { dtype: arrayType([2], vlenStringType()) });
    expect("/strings", { data: [["a", "bc"]] });
    const deep = arrayType(
      Array.from({ length: 32 }, () => 1),
      uint8,
    );
    file.dataset("/rank32", Uint8Array.of(9), { dtype: deep, shape: [1] });
    expect("/rank32", { dtype: { class: "array", dims: Array.from({ length: 32 }, () => 1) } });
  },

  strings(file, expect) {
    for (const charset of ["ascii", "utf8"] as const) {
      const data = charset === "ascii" ? ["abc", "", "defgh"] : ["äb", "", "日本"];
      for (const pad of ["nullterm", "nullpad", "spacepad"] as const) {
        const path = `/${charset}-${pad}`;
        file.dataset(path, data, { dtype: fixedStringType(7, charset, pad) });
        expect(path, { dtype: { class: "string", size: 7, charset, pad }, data });
      }
      file.dataset(`/${charset}-vlen`, data, { dtype: vlenStringType(charset) });
      expect(`/${charset}-vlen`, { dtype: { class: "string", size: null, charset, pad: "nullterm" }, data });
    }
    const many = Array.from({ length: 1500 }, (_, i) => `string number ${i} ${"x".repeat(i % 90)}`);
    file.dataset("/many", many, { chunks: [100], maxShape: [Number.POSITIVE_INFINITY] });
    expect("/many", { data: many, chunk_index: "earray" });
    file.dataset("/long", ["y".repeat(100000), "short"]);
    expect("/long", { data: ["y".repeat(100000), "short"] });
    file.dataset(
      "/same",
      Array.from({ length: 1000 }, () => "again"),
    );
    expect("/same", { data: Array.from({ length: 1000 }, () => "again") });
  },

  complex: {
    styles: ["plain", "earliest", "shared"],
    build(file, expect) {
      file.dataset(
        "/c16",
        [
          [0.5, -1],
          [2, 3],
        ],
        { dtype: "complex128" },
      );
      expect("/c16", {
        dtype: { class: "compound", size: 16, members: [{ name: "r" }, { name: "i" }] },
        data: [
          { r: 0.5, i: -1 },
          { r: 2, i: 3 },
        ],
      });
    },
  },

  complexClass: {
    styles: ["v200"],
    build(file, expect) {
      file.dataset(
        "/c8",
        [
          [0.5, -1],
          [2, 3],
        ],
        { dtype: "complex64" },
      );
      expect("/c8", { dtype: { class: "complex", size: 8 }, shape: [2] });
    },
  },
};
